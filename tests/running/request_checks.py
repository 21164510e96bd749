"""Check what the provider received, given only the transcript and the plan."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from history.core.projection.opening import TEXT
from history.core.transcript.messages import ToolCall
from history.tokens import count_message

OMITTED = "[Omitted]"
MARKER = " characters left out ...]\n"
PARTS = ("system_prompt", "tool_schemas", "summaries", "injected", "history")
Json = dict[str, Any]


def as_handed_over(body: Json, model: str) -> Json:
    """Return the body that the app gave to litellm. litellm omits null contents, which mean the
    same to OpenAI, and the provider's name, which the address already implies.
    """
    messages = [{"content": None, **m} if "tool_calls" in m else m for m in body["messages"]]
    return {**body, "model": model, "messages": messages}


def assert_sent(plan: Json, transcript: Sequence[Json], body: Json, prompt: str) -> None:
    """Check that the received messages are the plan's sent entries, in the same order."""
    received = iter(body["messages"])
    for entry, message in _sent(plan, transcript):
        found = next(received)
        if message is None:
            _assert_injected(entry, found, prompt)
        else:
            _assert_as_ruled(entry, message, found)
    assert list(received) == []
    assert _labels(plan).count("tool schemas") == 1  # Even without tools: it has the framing, too.


def _sent(plan: Json, transcript: Sequence[Json]) -> Iterator[tuple[Json, Json | None]]:
    for entry in plan["entries"]:
        if entry["first"] is None:
            if entry["label"] != "tool schemas":
                yield entry, None
        elif entry["verdict"] in "KAP":
            for position in range(entry["first"], entry["last"] + 1):
                yield entry, transcript[position]


def _labels(plan: Json) -> list[str]:
    return [entry["label"] for entry in plan["entries"]]


def _assert_injected(entry: Json, found: Json, prompt: str) -> None:
    text = found["content"]
    assert entry["verdict"] == "+"
    assert entry["digest"] == hashlib.sha256(text.encode()).hexdigest()[:12]
    assert entry["sent_tokens"] == count_message(found["role"], text)
    if entry["label"] == "system prompt":
        assert found == {"role": "system", "content": prompt}
    elif entry["label"].startswith("Used "):
        assert found == {"role": "assistant", "content": entry["label"]}
    elif entry["label"] == "opening":
        assert found == {"role": "user", "content": TEXT}
    else:
        assert found["role"] == "user"


def _assert_as_ruled(entry: Json, message: Json, found: Json) -> None:
    whole = as_sent(message)
    if entry["verdict"] == "K":
        assert found == whole
    elif entry["verdict"] == "P":
        assert found == {**whole, "content": OMITTED}
    else:
        _assert_altered(whole, found)


def _assert_altered(whole: Json, found: Json) -> None:
    """Check that calls were removed, or that a text or arguments were clamped, and nothing else."""
    assert found != whole
    assert found["role"] == whole["role"]
    assert found.get("tool_call_id") == whole.get("tool_call_id")
    _assert_part(whole["content"] or "", found["content"] or "")
    calls = {call["id"]: call["function"] for call in whole.get("tool_calls", ())}
    for call in found.get("tool_calls", ()):
        function = calls.pop(call["id"])
        assert call["function"]["name"] == function["name"]
        _assert_arguments(function["arguments"], call["function"]["arguments"])


def _assert_arguments(whole: str, found: str) -> None:
    """Check one call's arguments. Empty ones are sent as `{}`, which every provider takes."""
    if found != (whole if whole.strip() else "{}"):
        _assert_part(whole, json.loads(found)["clamped"])


def _assert_part(whole: str, found: str) -> None:
    if found != whole:
        head, _, rest = found.partition("\n[... ")
        left_out, _, tail = rest.partition(MARKER)
        assert whole.startswith(head)
        assert whole.endswith(tail)
        assert len(head) + int(left_out.replace(",", "")) + len(tail) == len(whole)


def as_sent(message: Json) -> Json:
    """Convert a stored message, as the API returns it, to OpenAI's format."""
    sent = {"role": message["role"], "content": message["text"]}
    if message["tool_calls"]:
        calls = [
            {"id": call["id"], "type": "function", "function": _function(call)}
            for call in message["tool_calls"]
        ]
        text = message["text"] if message["text"].strip() else None
        return {**sent, "content": text, "tool_calls": calls}
    if message["tool_call_id"]:
        return {**sent, "tool_call_id": message["tool_call_id"]}
    return sent


def _function(call: Mapping[str, Any]) -> Json:
    return {"name": call["name"], "arguments": call["arguments"]}


def assert_sums(plan: Json, transcript: Sequence[Json], body: Json) -> None:
    """Check that every message is in the plan once, with its tokens, and that the parts add up."""
    history = [entry for entry in plan["entries"] if entry["first"] is not None]
    places = [p for e in history for p in range(e["first"], e["last"] + 1)]
    assert places == list(range(plan["counts"]["transcript"]))
    for entry in history:
        run = transcript[entry["first"] : entry["last"] + 1]
        assert (entry["count"], entry["tokens"]) == (len(run), sum(m["tokens"] for m in run))
    sent = [entry["count"] for entry in history if entry["verdict"] in "KAP"]
    assert plan["counts"]["sent"] == sum(sent)
    assert {name: plan["window"][name] for name in PARTS} == _sums_of(plan["entries"])
    if not any(entry["verdict"] == "A" for entry in history):  # Altered messages count by parts.
        messages = sum(plan["window"][name] for name in PARTS if name != "tool_schemas")
        assert messages == sum(map(_tokens, body["messages"]))


def _sums_of(entries: Sequence[Json]) -> dict[str, int]:
    """Return the sent tokens by part of the window."""
    sums = dict.fromkeys(PARTS, 0)
    for entry in entries:
        sums[_part(entry)] += entry["sent_tokens"]
    return sums


def _part(entry: Json) -> str:
    """Return an entry's part. Notes that replace calls, and openings, count as history."""
    if not entry["rule"].startswith("injected"):
        return "history"
    name = entry["label"].replace(" ", "_")
    if name in PARTS:
        return str(name)
    return "summaries" if name.startswith("checkpoint_") else "injected"


def _tokens(message: Json) -> int:
    calls = [ToolCall(c["id"], **c["function"]) for c in message.get("tool_calls", ())]
    return count_message(message["role"], message["content"] or "", calls)
