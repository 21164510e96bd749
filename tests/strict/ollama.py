"""A stand-in for Ollama: contents are texts, and arguments are objects. The model writes its
thinking between tags in its text. The server takes the model for one that cannot think, and
refuses requests for thinking.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from tests.strict.checks import first
from tests.strict.server import Headers, Said


class Ollama:
    """A server that cannot tell thinking from text: the model writes its thinking between tags."""

    model = "ollama_chat/qwen-strict"
    media_type = "application/x-ndjson"
    life = b'{"model": "qwen", "message": {"role": "assistant", "content": ""}, "done": false}\n'
    lookups: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "/api/show": {"capabilities": ["completion", "tools"], "model_info": {}, "template": ""}
    }

    def environment(self, url: str) -> dict[str, str]:
        return {"OLLAMA_API_BASE": url}

    def refusal(self, path: str, body: Mapping[str, Any], headers: Headers) -> str:
        return first(_refusals(path, body))

    def error(self, message: str) -> dict[str, Any]:
        return {"error": message}

    def events(self, said: Said, number: int, body: Mapping[str, Any]) -> Iterator[bytes]:
        if said.thinking:
            for text in ("<think>", *said.thinking, "</think>"):
                yield _line(content=text)
        for text in said.text:
            yield _line(content=text)
        for call in said.calls:
            function = {"name": call.name, "arguments": json.loads(call.arguments)}
            yield _line(content="", tool_calls=[{"function": function}])
        counts = {"prompt_eval_count": 10, "eval_count": 5}
        yield _line(done=True, done_reason="stop", content="", **counts)


def _line(*, done: bool = False, content: str = "", tool_calls: Any = None, **more: Any) -> bytes:
    message = {"role": "assistant", "content": content}
    if tool_calls:
        message["tool_calls"] = tool_calls
    frame = {"model": "qwen", "created_at": "2026-11-22T00:00:00Z", "message": message}
    return f"{json.dumps({**frame, 'done': done, **more}, ensure_ascii=False)}\n".encode()


def _refusals(path: str, body: Mapping[str, Any]) -> Iterator[str]:
    if path != "/api/chat":
        yield f"unknown path {path}"
    for message in body["messages"]:
        yield from _message_refusals(message)
    if not isinstance(body.get("think", False), bool | str):
        yield 'think must be a boolean or string ("high", "medium", "low", true, or false)'
    if body.get("think"):
        yield f'"{body["model"]}" does not support thinking'


def _message_refusals(message: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(message.get("content", ""), str):
        yield (
            "json: cannot unmarshal array into Go struct field"
            " ChatRequest.messages.content of type string"
        )
    if message.get("role") not in {"system", "user", "assistant", "tool"}:
        yield f"invalid role: {message.get('role')}"
    for image in message.get("images", ()):
        if not isinstance(image, str) or image.startswith("data:"):
            yield "illegal base64 data at input byte 4"
    for call in message.get("tool_calls", ()):
        if not isinstance(call["function"]["arguments"], dict):
            yield "json: cannot unmarshal string into Go struct field arguments"
