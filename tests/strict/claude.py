"""Claude's Messages API with extended thinking: signed blocks, alternating roles, no blank text."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from tests.strict.checks import first, is_signed, pieces_of, sign, unknown
from tests.strict.server import Headers, Pieces, Said

Block = Mapping[str, Any]
MOST = dict.fromkeys(("claude-opus-4-6", "claude-opus-5-5"), 128_000)  # Others: 64,000 tokens.
TAKES_SYSTEM = frozenset({"claude-opus-5-5"})  # Models that take later system messages.
THINKING = ("thinking", "redacted_thinking")
# Separates a newer model's signature from the block's bond: see bound_claude.py.
BOND = "~"
FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "max_tokens": int,
    "messages": list,
    "metadata": dict,
    "model": str,
    "output_config": dict,
    "stop_sequences": list,
    "stream": bool,
    "system": (str, list),
    "temperature": (int, float),
    "thinking": dict,
    "tool_choice": dict,
    "tools": list,
    "top_k": int,
    "top_p": (int, float),
}
BLOCKS = {
    "text": {"type", "text", "cache_control"},
    "image": {"type", "source", "cache_control"},
    "document": {"type", "source", "title", "context", "citations", "cache_control"},
    "tool_use": {"type", "id", "name", "input", "cache_control"},
    "tool_result": {"type", "tool_use_id", "content", "is_error", "cache_control"},
    "thinking": {"type", "thinking", "signature"},
    "redacted_thinking": {"type", "data"},
}


class Claude:
    """A stand-in for Claude, which signs each thought and its place; changed ones are refused."""

    model = "anthropic/claude-sonnet-4-5"
    media_type = "text/event-stream"
    life = b'event: ping\ndata: {"type": "ping"}\n\n'
    lookups: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def environment(self, url: str) -> dict[str, str]:
        return {"ANTHROPIC_API_KEY": "sk-strict", "ANTHROPIC_API_BASE": url}

    def refusal(self, path: str, body: Mapping[str, Any], headers: Headers) -> str:
        return first(self.refusals(path, body))

    def refusals(self, path: str, body: Mapping[str, Any]) -> Iterator[str]:
        return _refusals(path, body)

    def error(self, message: str) -> dict[str, Any]:
        return {"type": "error", "error": {"type": "invalid_request_error", "message": message}}

    def events(self, said: Said, number: int, body: Mapping[str, Any]) -> Iterator[bytes]:
        yield _event("message_start", message=self.start(number, body))
        for index, (block, deltas) in enumerate(self.blocks(said, number, body)):
            yield _event("content_block_start", index=index, content_block=block)
            for delta in deltas:
                yield _event("content_block_delta", index=index, delta=delta)
            yield _event("content_block_stop", index=index)
        reason = {"stop_reason": "tool_use" if said.calls else "end_turn", "stop_sequence": None}
        yield _event("message_delta", delta=reason, usage={"output_tokens": 5})
        yield _event("message_stop")

    def start(self, number: int, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the event that starts a message."""
        usage = {"input_tokens": 10, "output_tokens": 1}
        start = {"id": f"msg_{number}", "type": "message", "role": "assistant", "content": []}
        return {**start, "model": "claude", "usage": usage}

    def blocks(
        self, said: Said, number: int, body: Mapping[str, Any]
    ) -> Iterator[tuple[Block, list[Block]]]:
        """Yield each block at its beginning, with the events that fill it."""
        return _blocks(said, number, thinks=_thinks(body))


def _event(kind: str, **fields: Any) -> bytes:
    data = json.dumps({"type": kind, **fields}, ensure_ascii=False)
    return f"event: {kind}\ndata: {data}\n\n".encode()


def _blocks(said: Said, number: int, *, thinks: bool) -> Iterator[tuple[Block, list[Block]]]:
    if said.hidden and thinks:
        yield {"type": "redacted_thinking", "data": _sealed(said.hidden)}, []
    if said.thinking and thinks:
        yield _thought(said.thinking, "")
    if said.text:
        texts: list[Block] = [{"type": "text_delta", "text": text} for text in said.text]
        yield {"type": "text", "text": ""}, texts
    if said.again and thinks:
        yield _thought(said.again, "".join(said.text))
    for place, call in enumerate(said.calls):
        block = {
            "type": "tool_use",
            "id": f"toolu_{number}_{place}",
            "name": call.name,
            "input": {},
        }
        halves = pieces_of(call.arguments)
        parts: list[Block] = [{"type": "input_json_delta", "partial_json": h} for h in halves]
        yield block, parts


def _thought(pieces: Pieces, before: str) -> tuple[Block, list[Block]]:
    deltas: list[Block] = [{"type": "thinking_delta", "thinking": text} for text in pieces]
    signature = sign([before, "".join(pieces)], 300)
    signed = {"type": "signature_delta", "signature": signature}
    return {"type": "thinking", "thinking": "", "signature": ""}, [*deltas, signed]


def _sealed(text: str) -> str:
    return f"{text.encode().hex()}.{sign(text, 32)}"


def _thinks(body: Mapping[str, Any]) -> bool:
    return body.get("thinking", {}).get("type") in {"enabled", "adaptive"}


def _refusals(path: str, body: Mapping[str, Any]) -> Iterator[str]:
    if path != "/v1/messages":
        yield f"unknown path {path}"
    yield from unknown(body, FIELDS, "")
    for name, kind in FIELDS.items():
        if name in body and not isinstance(body[name], kind):
            yield f"{name}: Input should be valid"
    if "max_tokens" not in body:
        yield "max_tokens: Field required"
    elif body["max_tokens"] > (most := MOST.get(body["model"], 64_000)):
        yield (
            f"max_tokens: {body['max_tokens']} > {most}, which is the maximum allowed number of"
            " output tokens"
        )
    yield from _thinking_refusals(body)
    yield from _marks_refusals(body)
    takes_system = body["model"] in TAKES_SYSTEM
    yield from _system_refusals(body["messages"]) if takes_system else ()
    spoken = [m for m in body["messages"] if m["role"] != "system" or not takes_system]
    yield from _role_refusals(spoken)
    for index, message in enumerate(body["messages"]):
        yield from unknown(message, {"role", "content"}, f"messages.{index}.")
        before = ""
        for place, block in enumerate(content_of(message)):
            yield from _block_refusals(block, f"messages.{index}.content.{place}", before)
            before += block["text"] if block["type"] == "text" else ""
    yield from _pair_refusals(body["messages"])
    yield from _id_refusals(body["messages"])


def _thinking_refusals(body: Mapping[str, Any]) -> Iterator[str]:
    """Require a budget for thinking from 1,024 to below `max_tokens`, no temperature but 1, and a
    tool loop that begins with thinking.
    """
    if not _thinks(body):
        return
    adaptive = body["thinking"]["type"] == "adaptive"
    budget = body["thinking"].get("budget_tokens", 0 if adaptive else 1024)
    if budget < 1024 and not adaptive:
        yield "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
    if budget >= body["max_tokens"]:
        yield "`max_tokens` must be greater than `thinking.budget_tokens`."
    if body.get("temperature", 1) != 1:
        yield "`temperature` may only be set to 1 when thinking is enabled."
    loop = _tool_loop(body["messages"])
    if loop and content_of(loop[0])[0]["type"] not in THINKING:
        found = content_of(loop[0])[0]["type"]
        yield (
            f"messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
            f" `{found}`. When `thinking` is enabled, a final `assistant` message must start with"
            " a thinking block (preceeding the lastmost set of `tool_use` and `tool_result`"
            " blocks)."
        )


def _tool_loop(messages: Sequence[Block]) -> Sequence[Block]:
    """Return the assistant's messages of the tool loop that the last message continues, if any."""
    loop: list[Block] = []
    spoken = (message for message in messages if message["role"] != "system")
    for message in reversed(list(spoken)):
        if message["role"] == "assistant":
            loop.insert(0, message)
        elif not any(block["type"] == "tool_result" for block in content_of(message)):
            break
    return loop


def _marks_refusals(body: Mapping[str, Any]) -> Iterator[str]:
    found = len(re.findall(r'"cache_control"', json.dumps(body)))
    if found > 4:
        yield f"A maximum of 4 blocks with cache_control may be provided. Found {found}."


def _role_refusals(messages: Sequence[Block]) -> Iterator[str]:
    expected = "user"
    for index, message in enumerate(messages):
        if message["role"] != expected:
            yield f"messages.{index}: roles must alternate between user and assistant"
        expected = "assistant" if message["role"] == "user" else "user"
        if not content_of(message):
            yield f"messages.{index}: all messages must have non-empty content"
    if not messages:
        yield "messages: at least one message is required"


def _system_refusals(messages: Sequence[Block]) -> Iterator[str]:
    """Require that each system message follows a user message, and is last or precedes an
    assistant's message.
    """
    for index, message in enumerate(messages):
        roles = [each["role"] for each in messages[max(0, index - 1) : index + 2]]
        if message["role"] == "system" and roles not in (
            ["user", "system"],
            ["user", "system", "assistant"],
        ):
            yield (
                f"messages.{index}: a `system` message must follow a `user` message, and be the"
                " last one or precede an `assistant` message"
            )


def content_of(message: Block) -> Sequence[Block]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _block_refusals(block: Block, where: str, before: str = "") -> Iterator[str]:
    """Yield the faults of a block. `before` is the text before it in the same message, which its
    signature covers, too.
    """
    kind = block["type"]
    if kind not in BLOCKS:
        yield f"{where}: Input tag '{kind}' is not one of the expected tags"
        return
    yield from unknown(block, BLOCKS[kind], f"{where}.{kind}.")
    if kind == "text" and not block["text"].strip():
        yield f"{where}: text content blocks must contain non-whitespace text"
    signed = [before, block.get("thinking")]
    seal, _, _ = block.get("signature", "").partition(BOND)
    if kind == "thinking" and not is_signed(signed, seal, 300):
        yield f"{where}: Invalid `signature` in `thinking` block"
    if kind == "redacted_thinking" and not _is_sealed(block.get("data", "")):
        yield f"{where}: Invalid `data` in `redacted_thinking` block"
    if kind == "image" and block["source"].get("type") not in {"base64", "url", "file"}:
        yield f"{where}.source: Input should be valid"
    if kind == "tool_result":
        for place, inner in enumerate(content_of({"content": block.get("content") or []})):
            yield from _block_refusals(inner, f"{where}.tool_result.content.{place}")


def _is_sealed(data: str) -> bool:
    text, _, signature = data.partition(BOND)[0].partition(".")
    return is_signed(bytes.fromhex(text).decode(), signature, 32)


def _pair_refusals(messages: Sequence[Block]) -> Iterator[str]:
    wanted: list[str] = []
    for index, message in enumerate(messages):
        blocks = content_of(message)
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if missing := set(wanted) - set(results):
            yield (
                f"messages.{index - 1}: `tool_use` ids were found without `tool_result` blocks"
                f" immediately after: {', '.join(sorted(missing))}"
            )
        if strangers := set(results) - set(wanted):
            yield f"messages.{index}: unexpected `tool_use_id` found: {', '.join(strangers)}"
        wanted = [block["id"] for block in blocks if block["type"] == "tool_use"]
    if wanted:
        yield "the last message's `tool_use` ids have no `tool_result`"


def _id_refusals(messages: Sequence[Block]) -> Iterator[str]:
    seen: set[str] = set()
    for index, message in enumerate(messages):
        for block in content_of(message):
            call = block.get("id") if block["type"] == "tool_use" else None
            if call in seen:
                yield f"messages.{index}: `tool_use` ids must be unique"
            if call is not None and not re.fullmatch(r"[a-zA-Z0-9_-]+", call):
                yield f"messages.{index}: tool_use.id: String should match '^[a-zA-Z0-9_-]+$'"
            seen |= {call} if call else set()
        kinds = [block["type"] in THINKING for block in content_of(message)]
        if any(kinds) and not kinds[0]:
            yield f"messages.{index}: thinking blocks must come first"
