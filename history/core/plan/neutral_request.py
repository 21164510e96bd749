"""The neutral request in OpenAI's chat format, and its hash.

It differs from that format in three ways: an assistant message also has its `reasoning`, a call has
the provider's own `fields`, and an image or a file has its digest instead of its bytes. The code
that calls a provider gives all of them the form that this provider accepts.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from history.core.plan.injected import Injected, Place, with_past
from history.core.transcript.messages import Message, ToolCall
from history.core.transcript.parts import File, Image, Omitted, in_text, part_as_dict, reasoning_in

# The text of the message to which images are moved from tool results, see `chatapp.llm.images`.
RETURNED = "[Pictures that the tools above returned]"
MEDIA = "media:"  # A prefix that marks a digest in place of the address of an image or a file.


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
    """Merge the projection's messages with injected texts, each of which has its place."""
    sent_messages = list(messages)
    last = sent_messages[-1].turn if sent_messages else 0
    turn = next((n for n, m in enumerate(sent_messages) if m.turn == last), 0)
    past, current = sent_messages[:turn], sent_messages[turn:]
    return [
        *_texts(injected, "start"),
        *with_past(past, [t for t in injected if t.turn <= last], attrgetter("turn")),
        *_texts(injected, "turn"),
        *with_past(current, [t for t in injected if t.turn > last], attrgetter("turn")),
        *_texts(injected, "end"),
    ]


def lasting(messages: Iterable[Message], injected: Sequence[Injected] = ()) -> int | None:
    """Count the messages before the texts that only this turn sends; None without such texts."""
    own = _texts(injected, "turn")
    return in_order(messages, injected).index(own[0]) if own else None


def canonical(body: object) -> str:
    """Return a request as canonical JSON: with sorted keys, without whitespace, in ASCII."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)


def request_hash(body: object) -> str:
    """Return the SHA-256 of the request's canonical JSON, in hexadecimal."""
    return hashlib.sha256(canonical(body).encode()).hexdigest()


def _texts(injected: Sequence[Injected], place: Place) -> list[Injected]:
    return [extra for extra in injected if extra.place == place]


def _text(item: Message | Injected) -> dict[str, object]:
    return {"role": str(item.role), "content": item.text}


def _message(message: Message) -> dict[str, object]:
    content = _content(message)
    record: dict[str, object] = {"role": str(message.role), "content": content}
    if message.tool_calls:
        # Some providers refuse a text that is blank.
        is_blank = isinstance(content, str) and not content.strip()
        calls = [_call(call) for call in message.tool_calls]
        record |= {"content": None if is_blank else content, "tool_calls": calls}
    elif message.tool_call_id is not None:
        record["tool_call_id"] = message.tool_call_id
    thoughts = [part_as_dict(part) for part in reasoning_in(message.parts)]
    return {**record, "reasoning": thoughts} if thoughts else record


def _content(message: Message) -> str | list[dict[str, object]]:
    """Return the text with each attachment at its place, which by default is before the text.

    The result is a plain text unless an image or a file is sent by its digest. Attachments come
    first by default, so that the prefix before an edited text stays the same.
    """
    pieces = list(_pieces(message))
    if all(isinstance(piece, str) for piece in pieces):
        return "\n\n".join(map(str, pieces))
    parts: list[dict[str, object]] = []
    for is_text, run in groupby(pieces, lambda piece: isinstance(piece, str)):
        if not is_text:
            parts += [piece for piece in run if isinstance(piece, dict)]
        elif (text := "\n\n".join(map(str, run))).strip():
            parts.append({"type": "text", "text": text})
    return parts


def _pieces(message: Message) -> Iterator[str | dict[str, object]]:
    """Split the text at its attachments, and drop the line break at each of them."""
    start, beside = 0, in_text(message.parts)
    for part in beside:
        if part.at > start:
            yield message.text[start : part.at]
            start = part.at + message.text.startswith("\n", part.at)
        yield part.text if isinstance(part, Omitted) else _attached(part)
    if start < len(message.text) or not beside:
        yield message.text[start:]


def _attached(part: Image | File) -> str | dict[str, object]:
    address = f"{MEDIA}{part.digest}"
    if isinstance(part, Image):
        return {"type": "image_url", "image_url": {"url": address}}
    return part.quoted if part.text else {"type": "file", "file": {"file_id": address}}


def _call(call: ToolCall) -> dict[str, object]:
    function = {"name": call.name, "arguments": call.arguments}
    record: dict[str, object] = {"id": call.id, "type": "function", "function": function}
    return {**record, "fields": dict(call.fields)} if call.fields else record
