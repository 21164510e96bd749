"""The rules of OpenAI and Anthropic for tool calls: each function lists a request's faults.

The functions share no code with the app, so that a mistake in the app cannot hide itself here.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

Sent: TypeAlias = Mapping[str, Any]  # A message in OpenAI's format, from a request.
NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def faults(request: Mapping[str, Any]) -> list[str]:
    """List the faults of a body in OpenAI's format, by the rules of both providers."""
    messages = request["messages"]
    return [*openai_faults(messages), *anthropic_faults(messages)]


def all_faults(requests: Iterable[Mapping[str, Any]]) -> list[str]:
    return [fault for request in requests for fault in faults(request)]


def openai_faults(messages: Sequence[Sent]) -> Iterator[str]:
    """Require one result for each call of an assistant message, directly after that message."""
    awaited: set[str] = set()
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in awaited:
                yield f"{place}: a result that no call waits for"
            awaited.discard(message["tool_call_id"])
            continue
        yield from (f"{place}: before it, {each} has no result" for each in sorted(awaited))
        calls = message.get("tool_calls") or []
        awaited = {call["id"] for call in calls}
        if len(awaited) < len(calls):
            yield f"{place}: an id twice in one round"
        yield from (f"{place}: {fault}" for call in calls for fault in _call_faults(call))
        if not calls and not message.get("content"):
            yield f"{place}: neither text nor calls"
    yield from (f"at the end {each} has no result" for each in sorted(awaited))


def _call_faults(call: Mapping[str, Any]) -> Iterator[str]:
    if not call["id"]:
        yield "a call without an id"
    if not NAME.fullmatch(call["function"]["name"]):
        yield f"the name {call['function']['name']!r}"
    try:
        arguments = json.loads(call["function"]["arguments"])
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        yield "arguments that are no JSON object"


def anthropic_faults(messages: Sequence[Sent]) -> Iterator[str]:
    """Require that the user's next message answers every `tool_use`, and that no id is reused.

    Consecutive messages of one role count as one message.
    """
    turns = _turns([message for message in messages if message["role"] != "system"])
    if turns and turns[0][0] != "user":
        yield "the first message is not the user's"
    used: set[str] = set()
    for (_, before), (side, after) in pairwise([("user", []), *turns, ("user", [])]):
        ids = [block["tool_use"] for block in before if "tool_use" in block]
        results = [block["tool_result"] for block in after if "tool_result" in block]
        if used & set(ids):
            yield f"a tool_use id used again: {sorted(used & set(ids))}"
        used |= set(ids)
        if ids and (side != "user" or sorted(ids) != sorted(results)):
            yield f"tool_use {sorted(ids)} answered by {sorted(results)}"
        if results and not ids:
            yield f"tool_result without tool_use: {sorted(results)}"
        if results and "tool_result" not in after[0]:
            yield "text before the tool_result of the same message"


def _turns(messages: Sequence[Sent]) -> list[tuple[str, list[dict[str, str]]]]:
    turns: list[tuple[str, list[dict[str, str]]]] = []
    for message in messages:
        side = "assistant" if message["role"] == "assistant" else "user"
        if not turns or turns[-1][0] != side:
            turns.append((side, []))
        turns[-1][1].extend(_blocks(message))
    return turns


def _blocks(message: Sent) -> list[dict[str, str]]:
    if message["role"] == "tool":
        return [{"tool_result": message["tool_call_id"]}]
    text = [{"text": message.get("content")}] if message.get("content") else []
    return [*text, *({"tool_use": call["id"]} for call in message.get("tool_calls") or ())]
