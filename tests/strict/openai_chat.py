"""OpenAI's chat completions: no unknown field in a message, results directly after their calls."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tests.provider import call_deltas, delta, event
from tests.strict.checks import first, unknown
from tests.strict.server import Headers, Said

USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
DETAILS = {"completion_tokens_details": {"reasoning_tokens": 3}}


class OpenAIChat:
    """A stand-in for OpenAI, which shows no thinking, but reports the tokens that thinking took."""

    model = "openai/gpt-5-strict"
    media_type = "text/event-stream"
    life = b": keep-alive\n\n"
    lookups: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    known: ClassVar[Mapping[str, frozenset[str]]] = {
        "system": frozenset({"role", "content", "name"}),
        "user": frozenset({"role", "content", "name"}),
        "assistant": frozenset({"role", "content", "name", "refusal", "audio", "tool_calls"}),
        "tool": frozenset({"role", "content", "tool_call_id"}),
    }

    def environment(self, url: str) -> dict[str, str]:
        return {"OPENAI_API_KEY": "sk-strict", "OPENAI_API_BASE": f"{url}/v1"}

    def refusal(self, path: str, body: Mapping[str, Any], headers: Headers) -> str:
        if not path.endswith("/chat/completions"):
            return f"unknown path {path}"
        return first(self.refusals(body["messages"]))

    def refusals(self, messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        if not messages:
            yield "[] is too short - 'messages'"
        for index, message in enumerate(messages):
            where = f"messages[{index}]."
            if message.get("role") not in self.known:
                yield f"Invalid value for {where}role"
                return
            yield from unknown(message, self.known[message["role"]], where)
            yield from content_refusals(message, where)
            for call in message.get("tool_calls") or ():
                yield from call_refusals(call, where)
        yield from pair_refusals(messages)

    def events(self, said: Said, number: int, body: Mapping[str, Any]) -> Iterator[bytes]:
        yield delta(role="assistant", content="")
        yield from self.thinking(said)
        for text in said.text:
            yield delta(content=text)
        for index, call in enumerate(said.calls):
            yield from call_deltas(index, call)
        finish = "tool_calls" if said.calls else "stop"
        yield event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        yield event({"choices": [], "usage": {**USAGE, **DETAILS}})
        yield b"data: [DONE]\n\n"

    def thinking(self, said: Said) -> Iterator[bytes]:
        """Yield nothing, since OpenAI shows no thinking."""
        yield from ()

    def error(self, message: str) -> dict[str, Any]:
        return {"error": {"message": message, "type": "invalid_request_error", "code": None}}


def content_refusals(message: Mapping[str, Any], where: str) -> Iterator[str]:
    content = message.get("content")
    if content is None and not message.get("tool_calls"):
        yield f"Invalid value for '{where}content': expected a string, got null."
    for part in content if isinstance(content, list) else ():
        allowed = {"text", "image_url"} if message["role"] == "user" else {"text"}
        if part.get("type") not in allowed:
            yield f"Invalid value: '{part.get('type')}' in {where}content"
        elif part["type"] == "image_url":
            yield from image_refusals(part["image_url"], where)


def image_refusals(image: Mapping[str, Any], where: str) -> Iterator[str]:
    if not re.match(r"data:image/(png|jpeg|gif|webp);base64,\S+$|https://", image.get("url", "")):
        yield f"Invalid {where}content.image_url: expected a valid URL"


def call_refusals(call: Mapping[str, Any], where: str) -> Iterator[str]:
    yield from unknown(call, {"id", "type", "function"}, f"{where}tool_calls.")
    yield from unknown(call["function"], {"name", "arguments"}, f"{where}tool_calls.function.")
    if len(call["id"]) > 40:
        yield f"Invalid '{where}tool_calls.id': string too long, with a maximum length of 40."
    if not isinstance(call["function"]["arguments"], str):
        yield f"Invalid type for '{where}tool_calls.function.arguments'"


def pair_refusals(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Require that each call is answered directly after its message, and that each result has a
    call.
    """
    open_ids: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_ids:
                yield "messages with role 'tool' must be a response to a preceding 'tool_calls'."
            open_ids.discard(message["tool_call_id"])
        elif open_ids:
            yield f"tool_call_ids did not have response messages: {', '.join(sorted(open_ids))}"
            return
        else:
            open_ids = {call["id"] for call in message.get("tool_calls") or ()}
    if open_ids:
        yield f"tool_call_ids did not have response messages: {', '.join(sorted(open_ids))}"
