"""Gemini 3: a call must come back with its signature, and its response directly after the call."""

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tests.provider import Call
from tests.strict.checks import first, is_signed, sign, unknown
from tests.strict.server import Headers, Said

# Google's documentation allows this text instead of a signature.
UNSIGNED = base64.b64encode(b"skip_thought_signature_validator").decode()
TEXT = "a text"  # Signed instead of a text's words, which signatures do not cover.
BODY = {
    "cachedContent",
    "contents",
    "generationConfig",
    "labels",
    "safetySettings",
    "systemInstruction",
    "system_instruction",
    "toolConfig",
    "tools",
}
PART = {
    "text",
    "thought",
    "thoughtSignature",
    "functionCall",
    "function_call",
    "functionResponse",
    "function_response",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
}
Part = Mapping[str, Any]


class Gemini:
    """A stand-in for Gemini, which signs each step's first call and an answer's last part."""

    model = "gemini/gemini-3-pro-preview"
    media_type = "text/event-stream"
    life = b'data: {"candidates": [{"content": {"role": "model", "parts": []}, "index": 0}]}\n\n'
    lookups: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def environment(self, url: str) -> dict[str, str]:
        return {"GEMINI_API_KEY": "strict", "GEMINI_API_BASE": url}

    def refusal(self, path: str, body: Mapping[str, Any], headers: Headers) -> str:
        return first(_refusals(path, body))

    def error(self, message: str) -> dict[str, Any]:
        return {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}

    def events(self, said: Said, number: int, body: Mapping[str, Any]) -> Iterator[bytes]:
        for text in said.thinking:
            yield _event([{"text": text, "thought": True}])
        for place, text in enumerate(said.text):
            is_last = place == len(said.text) - 1 and not said.calls
            signed = {"thoughtSignature": sign(TEXT, 300)} if is_last else {}
            yield _event([{"text": text, **signed}])
        if said.calls:
            yield _event([_call(call, place) for place, call in enumerate(said.calls)])
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 2, "thoughtsTokenCount": 3}
        yield _event([{"text": ""}], "STOP", {**usage, "totalTokenCount": 15})


def _event(parts: Sequence[Part], finish: str = "", usage: Part | None = None) -> bytes:
    candidate: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": parts}}
    if finish:
        candidate["finishReason"] = finish
    data: dict[str, Any] = {"candidates": [candidate], "modelVersion": "gemini", "responseId": "r"}
    if usage:
        data["usageMetadata"] = usage
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _call(call: Call, place: int) -> Part:
    made = {"name": call.name, "args": json.loads(call.arguments)}
    signed = {} if place else {"thoughtSignature": sign(made, 300)}
    return {"functionCall": made, **signed}


def _refusals(path: str, body: Mapping[str, Any]) -> Iterator[str]:
    if "streamGenerateContent" not in path:
        yield f"unknown path {path}"
    yield from unknown(body, BODY, "Unknown name ")
    contents = body["contents"]
    if not contents or contents[0]["role"] != "user":
        yield "Please ensure that single turn requests end with a user role"
    for content in contents:
        if content.get("role") not in {"user", "model"}:
            yield "Please use a valid role: user, model."
        if not content["parts"]:
            yield "Unable to submit request because it must include at least one parts field"
        for part in content["parts"]:
            yield from unknown(part, PART, "Unknown name ")
            yield from _part_refusals(part)
    yield from _order_refusals(contents)
    yield from _signature_refusals(contents)


def _part_refusals(part: Part) -> Iterator[str]:
    if not set(part) - {"thought", "thoughtSignature"}:
        yield "required oneof field 'data' must have one initialized field"
    if "text" in part and not part["text"]:
        yield "Unable to submit request because it must have a text parameter"
    signature = part.get("thoughtSignature")
    if signature in {None, UNSIGNED}:
        return
    call = _called(part)
    signed = {"name": call["name"], "args": call["args"]} if call else TEXT
    if not is_signed(signed, signature, 300):
        yield "Corrupted thought signature."


def _called(part: Part) -> Part | None:
    return part.get("functionCall") or part.get("function_call")


def _answered(part: Part) -> Part | None:
    return part.get("functionResponse") or part.get("function_response")


def _order_refusals(contents: Sequence[Part]) -> Iterator[str]:
    calls: list[str] = []
    for content in contents:
        answers = [found["name"] for part in content["parts"] if (found := _answered(part))]
        if answers != calls:
            yield (
                "Please ensure that the number of function response parts is equal to the number"
                " of function call parts of the function call turn."
            )
        calls = [found["name"] for part in content["parts"] if (found := _called(part))]
        if calls and content["role"] != "model":
            yield "Please ensure that function call turn comes from the model"
    if calls:
        yield "Please ensure that function call turn is followed by a function response turn"


def _signature_refusals(contents: Sequence[Part]) -> Iterator[str]:
    """Require that each step since the last user message signs its first call."""
    spoken = [n for n, c in enumerate(contents) if any("text" in part for part in c["parts"])]
    users = [n for n in spoken if contents[n]["role"] == "user"]
    for index in range(users[-1] if users else 0, len(contents)):
        calls = [part for part in contents[index]["parts"] if _called(part)]
        if calls and "thoughtSignature" not in calls[0]:
            name = (_called(calls[0]) or {})["name"]
            yield (
                f"Function call `default_api:{name}`, position {index}, is missing a"
                " `thought_signature`."
            )
