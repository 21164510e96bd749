"""The request as providers read it (OpenAI's chat format), and its hash."""

import hashlib
import json
from collections.abc import Iterable, Sequence

from history.core.messages import Message, ToolCall
from history.core.plan.injected import Injected, Place


def openai_messages(
    messages: Iterable[Message], injected: Sequence[Injected] = ()
) -> list[dict[str, object]]:
    return [
        _text(item) if isinstance(item, Injected) else _message(item)
        for item in in_order(messages, injected)
    ]


def in_order(
    messages: Iterable[Message], injected: Sequence[Injected] = ()
) -> list[Message | Injected]:
    """Merge the projection's messages with the injected texts, each at its place."""
    sent = list(messages)
    turn = next((n for n, m in enumerate(sent) if m.turn == sent[-1].turn), 0)
    return [
        *_texts(injected, "start"),
        *sent[:turn],
        *_texts(injected, "turn"),
        *sent[turn:],
        *_texts(injected, "end"),
    ]


def lasting(messages: Iterable[Message], injected: Sequence[Injected] = ()) -> int | None:
    """Count the messages before the turn's own texts, which the next turn will not send again. None
    if there are no such texts.
    """
    own = _texts(injected, "turn")
    return in_order(messages, injected).index(own[0]) if own else None


def canonical(body: object) -> str:
    """Return a request's one JSON text: sorted keys, no blanks, ASCII only."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)


def request_hash(body: object) -> str:
    """Return the canonical text's SHA-256, in hexadecimal."""
    return hashlib.sha256(canonical(body).encode()).hexdigest()


def _texts(injected: Sequence[Injected], place: Place) -> list[Injected]:
    return [extra for extra in injected if extra.place == place]


def _text(item: Message | Injected) -> dict[str, object]:
    return {"role": str(item.role), "content": item.text}


def _message(message: Message) -> dict[str, object]:
    if message.tool_calls:
        text = message.text if message.text.strip() else None  # Some providers refuse blank text.
        calls = [_call(call) for call in message.tool_calls]
        return {**_text(message), "content": text, "tool_calls": calls}
    if message.tool_call_id is not None:
        return {**_text(message), "tool_call_id": message.tool_call_id}
    return _text(message)


def _call(call: ToolCall) -> dict[str, object]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}
