"""OpenAI's Responses API: items instead of messages, and reasoning that only OpenAI can read.

Nothing is stored at the provider, so reasoning items contain their text, encrypted. One without
what it led to is refused.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tests.strict.checks import first, is_signed, pieces_of, sign, unknown
from tests.strict.openai_chat import image_refusals
from tests.strict.server import Headers, Said

Item = Mapping[str, Any]
Events = list[tuple[str, Mapping[str, Any]]]
BOND = "~"  # Separates the signature from the bond: see bound_responses.py.
FIELDS = frozenset(
    {
        *("model", "input", "instructions", "tools", "tool_choice", "store", "stream", "include"),
        *("reasoning", "max_output_tokens", "temperature"),
    }
)
ITEMS: Mapping[str, frozenset[str]] = {
    "message": frozenset({"type", "role", "content"}),
    "reasoning": frozenset({"type", "id", "summary", "encrypted_content"}),
    "function_call": frozenset({"type", "call_id", "name", "arguments"}),
    "function_call_output": frozenset({"type", "call_id", "output"}),
}
CONTENT = {"assistant": {"output_text"}, "user": {"input_text", "input_image"}}
LED_TO = frozenset({"reasoning", "function_call", "message"})
USAGE = {
    "input_tokens": 10,
    "output_tokens": 5,
    "total_tokens": 15,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens_details": {"reasoning_tokens": 3},
}


class OpenAIResponses:
    """A stand-in for OpenAI's models that bind nothing. They think even if no effort is set."""

    model = "openai/responses/gpt-5.4"
    media_type = "text/event-stream"
    life = b": keep-alive\n\n"
    lookups: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def environment(self, url: str) -> dict[str, str]:
        return {"OPENAI_API_KEY": "sk-strict", "OPENAI_API_BASE": f"{url}/v1"}

    def refusal(self, path: str, body: Mapping[str, Any], headers: Headers) -> str:
        if not path.endswith("/responses"):
            return f"unknown path {path}"
        return first(refusals(body))

    def events(self, said: Said, number: int, body: Mapping[str, Any]) -> Iterator[bytes]:
        response = {"id": f"resp_{number}", "object": "response", "model": body["model"]}
        response |= {"background": body.get("background", False)}
        yield _event("response.created", response={**response, "status": "in_progress"})
        output = []
        for index, (item, events) in enumerate(self.items(said, number, body)):
            begun = {**item, **BEGUN[item["type"]]}
            yield _event("response.output_item.added", output_index=index, item=begun)
            for kind, fields in events:
                yield _event(f"response.{kind}", output_index=index, item_id=item["id"], **fields)
            yield _event("response.output_item.done", output_index=index, item=item)
            output.append(item)
        whole = {**response, "status": "completed", "output": output, "usage": USAGE}
        yield _event("response.completed", response={**whole, **self.report(body)})

    def report(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a response says about its request; models that bind nothing say nothing."""
        return {}

    def items(
        self, said: Said, number: int, body: Mapping[str, Any]
    ) -> Iterator[tuple[Item, Events]]:
        """Yield each item of the answer, with the events that stream it."""
        thinks = body.get("reasoning", {}).get("effort") != "none"
        if said.hidden and thinks:
            yield _thought(f"rs_{number}_0", ())
        if said.thinking and thinks:
            yield _thought(f"rs_{number}_1", said.thinking)
        if said.text:
            text = {"type": "output_text", "text": "".join(said.text), "annotations": []}
            message = {"type": "message", "id": f"msg_{number}", "role": "assistant"}
            deltas: Events = [("output_text.delta", {"delta": piece}) for piece in said.text]
            yield {**message, "content": [text]}, deltas
        if said.again and thinks:
            yield _thought(f"rs_{number}_2", said.again)
        for place, call in enumerate(said.calls):
            ids = {"id": f"fc_{number}_{place}", "call_id": call.id or f"call_{number}_{place}"}
            item = {"type": "function_call", **ids, "name": call.name, "arguments": call.arguments}
            halves = pieces_of(call.arguments)
            yield item, [("function_call_arguments.delta", {"delta": half}) for half in halves]

    def kept(self, method: str, path: str) -> Iterator[bytes] | dict[str, Any] | None:
        """Return what a request about an earlier response gets; None if it is not there."""
        return None

    def error(self, message: str) -> dict[str, Any]:
        return {"error": {"message": message, "type": "invalid_request_error", "code": None}}


BEGUN: Mapping[str, Mapping[str, Any]] = {  # What is still missing when an item begins.
    "reasoning": {"summary": [], "encrypted_content": ""},
    "message": {"content": []},
    "function_call": {"arguments": ""},
}


def _thought(id_: str, pieces: Sequence[str]) -> tuple[Item, Events]:
    """Return a reasoning item. Its summary has one part, or none if there are no pieces."""
    kind, events = "reasoning_summary_text.delta", Events()
    if pieces:
        events.append(("reasoning_summary_part.added", {"summary_index": 0}))
    events += [(kind, {"summary_index": 0, "delta": piece}) for piece in pieces]
    summary = [{"type": "summary_text", "text": "".join(pieces)}] if pieces else []
    sealed = sign([id_, summary], 300)
    item = {"type": "reasoning", "id": id_, "summary": summary, "encrypted_content": sealed}
    return item, events


def _event(kind: str, **fields: Any) -> bytes:
    data = json.dumps({"type": kind, **fields}, ensure_ascii=False)
    return f"event: {kind}\ndata: {data}\n\n".encode()


def refusals(body: Mapping[str, Any]) -> Iterator[str]:
    yield from unknown(body, FIELDS, "")
    if not body.get("input"):
        yield "Missing required parameter: 'input'."
        return
    if "temperature" in body and body.get("reasoning", {}).get("effort") != "none":
        yield "Unsupported parameter: 'temperature' is not supported with this model."
    for index, item in enumerate(body["input"]):
        if item.get("type") not in ITEMS:
            yield f"Invalid value for 'input[{index}].type'"
            return
        yield from unknown(item, ITEMS[item["type"]], f"input[{index}].")
        yield from CHECKS[item["type"]](item, f"input[{index}]")
    yield from pair_refusals(body["input"])
    yield from _alone(body)


def _message(item: Item, where: str) -> Iterator[str]:
    allowed = CONTENT.get(item["role"], {"input_text"})
    for part in item["content"]:
        if part["type"] not in allowed:
            yield f"Invalid value: '{part['type']}' in {where}.content"
        elif part["type"] == "input_image":
            yield from image_refusals({"url": part["image_url"]}, where)
    if item["role"] == "assistant" and not any(part.get("text") for part in item["content"]):
        yield f"Invalid {where}.content: empty"


def _reasoning(item: Item, where: str) -> Iterator[str]:
    if not item.get("encrypted_content"):
        yield f"Item with id '{item.get('id')}' not found. Items are not persisted."
        return
    seal, _, _ = item["encrypted_content"].partition(BOND)
    if not is_signed([item.get("id"), item.get("summary")], seal, 300):
        yield f"The encrypted content for {where} could not be verified."


def _call(item: Item, where: str) -> Iterator[str]:
    if len(item["call_id"]) > 64:
        yield f"Invalid '{where}.call_id': string too long, with a maximum length of 64."
    if not isinstance(item["arguments"], str):
        yield f"Invalid type for '{where}.arguments'"


def _output(item: Item, where: str) -> Iterator[str]:
    for part in item["output"] if isinstance(item["output"], list) else ():
        if part["type"] not in {"input_text", "input_image"}:
            yield f"Invalid value: '{part['type']}' in {where}.output"


CHECKS = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _call,
    "function_call_output": _output,
}


def pair_refusals(items: Sequence[Item]) -> Iterator[str]:
    """Require an output for each call, and a call before each output."""
    open_ids: set[str] = set()
    for item in items:
        if item["type"] == "function_call":
            open_ids.add(item["call_id"])
        elif item["type"] == "function_call_output":
            if item["call_id"] not in open_ids:
                yield f"No tool call found for function call output with {item['call_id']}."
            open_ids.discard(item["call_id"])
    for id_ in sorted(open_ids):
        yield f"No tool output found for function call {id_}."


def _alone(body: Mapping[str, Any]) -> Iterator[str]:
    """Require that each reasoning item is followed by what the model said or did after it."""
    items = body["input"]
    for item, after in zip(items, [*items[1:], {}], strict=True):
        own = after.get("type") in LED_TO and after.get("role", "assistant") == "assistant"
        if item["type"] == "reasoning" and not own:
            yield (
                f"Item '{item.get('id')}' of type 'reasoning' was provided without its required"
                " following item."
            )
