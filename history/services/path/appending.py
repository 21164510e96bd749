"""Add a message to the path: prepare its calls to be stored, and give it a place and its sums."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import (
    File,
    Image,
    Part,
    Reasoning,
    attached,
    attached_tokens,
    part_as_dict,
)
from history.core.transcript.path_hash import START, path_hash
from history.core.words.json_text import as_object
from history.models import Branch, Generation, Message, MessageHash
from history.models.file_answer import FileAnswer
from history.services.inserting import insert_all
from history.services.path.queries import newest_in
from history.tokens import count_message, count_text, count_tool_call

LONGEST_ID = 200  # The most characters of a call's id; PostgreSQL refuses longer ones.
CACHE_LIFE = timedelta(minutes=5)  # How long providers cache a prefix that nobody uses.


@dataclass(frozen=True, slots=True)
class ImportDetails:
    """What an imported file says about a message and the `answer` that begins with it; whether the
    message is `withheld` from every model; and the names of its `missing` files.
    """

    created: datetime
    model: str = ""
    withheld: bool = False
    answer: FileAnswer | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message without a position yet. Its tokens are counted when it is made."""

    role: Role
    text: str
    tokens: int
    calls: tuple[ToolCall, ...] = ()
    parts: tuple[Part, ...] = ()
    call_id: str = ""
    tool_name: str = ""
    failed: bool = False
    took_ms: int | None = None
    agent: str = ""
    client_msg_id: UUID | None = None
    imported: ImportDetails | None = None

    @property
    def size(self) -> int:
        """The size in UTF-8 bytes of its text and of the texts of its files."""
        texts = [part.text for part in self.parts if isinstance(part, File)]
        return sum(len(text.encode()) for text in (self.text, *texts))


def user_message(
    text: str, client_msg_id: UUID | None = None, parts: Sequence[Part] = ()
) -> NewMessage:
    tokens = count_message("user", text, ()) + attached_tokens(parts)
    return NewMessage(Role.USER, text, tokens, parts=tuple(parts), client_msg_id=client_msg_id)


def assistant_message(
    text: str, calls: Sequence[ToolCall] = (), agent: str = "", parts: Sequence[Part] = ()
) -> NewMessage:
    counted = tuple(
        replace(call, tokens=count_tool_call(call.name, call.arguments)) for call in calls
    )
    tokens = count_message("assistant", text, counted) + attached_tokens(parts)
    counted_parts = tuple(_counted(part) for part in parts)
    return NewMessage(Role.ASSISTANT, text, tokens, calls=counted, parts=counted_parts, agent=agent)


def _counted(part: Part) -> Part:
    """Count the tokens of reasoning for which the provider reported none."""
    if isinstance(part, Reasoning) and part.text and not part.tokens:
        return replace(part, tokens=count_text(part.text))
    return part


def result_message(
    call: ToolCall,
    text: str,
    *,
    failed: bool = True,
    took_ms: int | None = None,
    parts: Sequence[Part] = (),
) -> NewMessage:
    tokens = count_message("tool", text, ()) + attached_tokens(parts)
    return NewMessage(
        Role.TOOL,
        text,
        tokens,
        parts=tuple(parts),
        call_id=call.id,
        tool_name=call.name,
        failed=failed,
        took_ms=took_ms,
    )


def head_of(branch: Branch) -> Message | None:
    """Return the newest message on the path."""
    for span in branch.spans():
        if newest := newest_in(span):
            return newest
    return None


def append(
    branch: Branch,
    new_messages: Sequence[NewMessage],
    generation: Generation | None = None,
    head: Message | None = None,
) -> list[Message]:
    """Write messages at the end of the path, after `head` if the caller knows the newest message.

    Call this inside the transaction that holds the conversation.
    """
    head = head or head_of(branch)
    messages = []
    for new in new_messages:
        head = _placed(new, branch, head, generation)
        messages.append(head)
    insert_all(messages)
    insert_all([message.path_hash for message in messages])
    return messages


def _placed(
    new: NewMessage, branch: Branch, head: Message | None, generation: Generation | None
) -> Message:
    position = head.position + 1 if head else 0
    message = Message(
        conversation_id=branch.conversation_id,
        branch=branch,
        generation=generation,
        position=position,
        turn=(head.turn if head else 0) + (new.role is Role.USER),
        segment=_segment(new, head, position),
        role=new.role,
        text=new.text,
        has_text=bool(new.text.strip()),
        parts=[part_as_dict(part) for part in new.parts],
        tool_calls=[_stored_call(call) for call in new.calls],
        tool_call_id=new.call_id,
        tool_name=new.tool_name,
        failed=new.failed,
        took_ms=new.took_ms,
        agent=new.agent,
        tokens=new.tokens,
        tokens_through=(head.tokens_through if head else 0) + new.tokens,
        results_through=(head.results_through if head else 0) + (new.role is Role.TOOL),
        images_through=(head.images_through if head else 0) + _count(new.parts, Image),
        files_through=(head.files_through if head else 0) + _count(new.parts, File),
        client_msg_id=new.client_msg_id,
        cold=_is_cold(head, new),
        **_provenance(new.imported),
    )
    message.path_hash = _hashed(message, new, head)
    return message


def _hashed(message: Message, new: NewMessage, head: Message | None) -> MessageHash:
    before = head.path_hash.hash if head else START
    digests = [part.supplied for part in attached(new.parts)]
    hash_ = path_hash(before, new.role, new.text, new.calls, digests)
    return MessageHash(message=message, conversation_id=message.conversation_id, hash=hash_)


def _count(parts: Sequence[Part], kind: type[Image] | type[File]) -> int:
    return sum(isinstance(part, kind) for part in parts)


def _segment(new: NewMessage, head: Message | None, position: int) -> int:
    joins = new.role is Role.TOOL and head and (head.role == Role.TOOL or head.tool_calls)
    return head.segment if joins and head else position


def _is_cold(head: Message | None, new: NewMessage) -> bool:
    """Return whether the provider's cache expired before the new message. Messages of the same
    batch follow each other at once, unless a file says when they were written.
    """
    if new.imported:
        return head is not None and new.imported.created - head.created > CACHE_LIFE
    if head is None or head.pk is None:
        return False
    return timezone.now() - head.created > CACHE_LIFE


def _provenance(imported: ImportDetails | None) -> dict[str, Any]:
    """Return the column values that only an imported message has."""
    if imported is None:
        return {}
    columns = {name: getattr(imported, name) for name in ("created", "model", "withheld")}
    answer = imported.answer.as_dict() if imported.answer else None
    missing = list(imported.missing) or None
    return {"imported": True, "file_answer": answer, "missing": missing, **columns}


def _stored_call(call: ToolCall) -> dict[str, object]:
    return {
        "id": call.id,
        "name": call.name,
        "arguments": call.arguments,
        "tokens": call.tokens,
        **({"fields": dict(call.fields)} if call.fields else {}),
    }


def storable_calls(
    conversation_id: UUID, calls: Sequence[ToolCall], prefix: str
) -> tuple[ToolCall, ...]:
    """Give each call an id that is new in its conversation, limit its size, and make its arguments
    an object.

    Some providers number calls from the start in every answer, but a pair is known only by its id.
    Arguments that are not a JSON object are quoted inside one, because providers would reject the
    transcript. The provider's own id is kept among the call's fields.
    """
    ids = [call.id for call in calls]
    rows = Message.objects.filter(conversation_id=conversation_id, tool_call_id__in=ids)
    seen = set(rows.values_list("tool_call_id", flat=True))
    return tuple(
        _storable_call(call, f"{prefix}_{number}" if _is_refused(call.id, seen) else call.id)
        for number, call in enumerate(calls)
    )


def _is_refused(id_: str, seen: Set[str]) -> bool:
    return id_ in seen or len(id_) > LONGEST_ID


def _storable_call(call: ToolCall, id_: str) -> ToolCall:
    fields = call.fields if id_ == call.id else {**call.fields, "id": call.id}
    return replace(call, id=id_, arguments=as_object(call.arguments), fields=fields)
