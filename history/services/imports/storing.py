"""Store a file's chat in a single transaction, together with the record that it is done."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from agents.models import AgentTemplate
from history.core.words.storable import storable
from history.models import (
    Attachment,
    Branch,
    Conversation,
    FileRecord,
    Import,
    ImportEntry,
    Media,
    Message,
    MessageMark,
)
from history.services.access import Actor, visible_conversations
from history.services.answers.chats.shelving import MOST_PINNED, PINNED
from history.services.answers.chats.titles import title_of
from history.services.errors import NotFound
from history.services.imports.building import Built, BuiltBranch, Looked
from history.services.imports.chats import ImportedChat
from history.services.imports.digests import digest_of
from history.services.imports.lifecycle import hold, hold_all
from history.services.imports.twins import already_here, source_of, title_beside_twin
from history.services.media import keeping
from history.services.path.appending import append
from history.services.texts import LONGEST_TITLE

MOST_TOLD = 200  # The most skipped things that the entry of a chat lists.


def note_known(
    job: Import, number: int, chat: ImportedChat, here: Conversation, percent: int
) -> ImportEntry:
    with transaction.atomic():
        hold(job, number, percent)
        return ImportEntry.objects.create(
            job=job,
            number=number,
            outcome=ImportEntry.Outcome.KNOWN,
            title=here.title,
            source=source_of(chat),
            digest=digest_of(chat),
            conversation=here,
        )


def store(job: Import, number: int, built: Built, percent: int) -> ImportEntry:
    """Store the chat and its entry, or nothing; if the chat exists here by now, only record that.
    Call this outside any transaction. Raise Gone.
    """
    files = [file for line in built.lines for placed in line.messages for file in placed.files]
    pictures = [picture for _, own in files for picture in own]
    with keeping.writing(pictures) as rows:
        hold_all(job)
        if here := already_here(job, built.chat):
            return note_known(job, number, built.chat, here, percent)
        hold(job, number, percent)
        media = {row.digest: row for row in keeping.store(rows)}
        conversation = _begun(job, built)
        messages = _stored(conversation, built, media)
        _mark(conversation, built.chat, messages)
        _record(conversation, built.chat, messages)
        return ImportEntry.objects.create(
            job=job,
            number=number,
            outcome=ImportEntry.Outcome.STORED,
            title=conversation.title,
            source=source_of(built.chat),
            digest=digest_of(built.chat),
            messages=len(messages),
            conversation=conversation,
            skipped=[skipped.as_dict() for skipped in built.skipped[:MOST_TOLD]],
        )


def _begun(job: Import, built: Built) -> Conversation:
    texts = [placed.new for line in built.lines for placed in line.messages]
    first = next((new.text for new in texts if new.role == "user"), "")
    title = storable(" ".join(built.chat.title.split()))[:LONGEST_TITLE] or title_of(first)
    times = [new.imported.created for new in texts if new.imported]
    conversation = Conversation.objects.create(
        **Actor(job.owner, job.visitor).ownership,
        agent=_agent(job, built.chat.agent),
        title=title_beside_twin(job, built.chat, title),
        imported=job.format,
        history_settings=built.settings,
        active=max(times),
        pinned_at=timezone.now() if _may_be_pinned(job, built.chat) else None,
        archived_at=timezone.now() if built.chat.is_archived else None,
    )
    Conversation.objects.filter(pk=conversation.pk).update(created=min(times))
    return conversation


def _may_be_pinned(job: Import, chat: ImportedChat) -> bool:
    """Return whether the chat is pinned in the file, and its owner may pin another chat here."""
    if not chat.is_pinned:
        return False
    mine = visible_conversations(Actor(job.owner, job.visitor))
    return mine.filter(PINNED).count() < MOST_PINNED


def _agent(job: Import, name: str) -> AgentTemplate:
    """Return the agent with this name or slug, or else the one chosen for the import."""
    agents = AgentTemplate.objects.filter(enabled=True)
    agent = name and (agents.filter(slug=name).first() or agents.filter(name=name).first())
    agent = agent or AgentTemplate.objects.filter(slug=job.agent).first()
    if not agent:
        raise NotFound("agent")
    return agent


def _stored(
    conversation: Conversation, built: Built, media: dict[str, Media]
) -> dict[str, Message]:
    """Store the branches one after another. Return the messages by their ids in the file."""
    branches: list[Branch] = []
    messages: list[list[Message]] = []
    by_id: dict[str, Message] = {}
    for line in built.lines:
        branch = _branch(conversation, line, branches)
        head = _at(built.lines, messages, line.of, line.through)
        rows = append(branch, [placed.new for placed in line.messages], head=head)
        branches.append(branch)
        messages.append(rows)
        for placed, row in zip(line.messages, rows, strict=True):
            by_id[placed.id] = row
            _attach(row, placed.files, media)
    conversation.branch = branches[built.current]
    conversation.save(update_fields=["branch"])
    return by_id


def _at(
    lines: Sequence[BuiltBranch], messages: Sequence[list[Message]], of: int | None, place: int
) -> Message | None:
    """Return the message at a place of a line's path, which may belong to an earlier line."""
    while of is not None and place <= lines[of].through:
        of = lines[of].of
    if of is None or place < 0:
        return None
    return messages[of][place - lines[of].through - 1]


def _branch(conversation: Conversation, line: BuiltBranch, branches: Sequence[Branch]) -> Branch:
    lineage = branches[line.of].fork_lineage(line.through) if line.of is not None else []
    return Branch.objects.create(conversation=conversation, lineage=lineage)


def _attach(message: Message, files: Sequence[Looked], media: dict[str, Media]) -> None:
    for file, pictures in files:
        attachment = Attachment.objects.create(
            conversation_id=message.conversation_id,
            message=message,
            supplied=file.digest,
            name=file.name,
            type=file.type,
            size=file.size,
            pages=file.pages,
            notes=list(file.notes),
        )
        attachment.media.set([media[picture.digest] for picture in pictures])


def _mark(conversation: Conversation, chat: ImportedChat, messages: dict[str, Message]) -> None:
    """Set a Vitrine export's marks, except those that are not on a segment's first message."""
    kinds = set(MessageMark.Kind.values)
    heads = {id_: message for id_, message in messages.items() if id_ in chat.marks}
    MessageMark.objects.bulk_create(
        MessageMark(conversation=conversation, message=message, kind=chat.marks[id_])
        for id_, message in heads.items()
        if chat.marks[id_] in kinds and message.segment == message.position
    )


def _record(conversation: Conversation, chat: ImportedChat, messages: dict[str, Message]) -> None:
    """Store what the file says about requests and summaries, as the file's own claim."""
    FileRecord.objects.bulk_create(
        (
            FileRecord(
                conversation=conversation,
                message=messages[record.message],
                kind=record.kind,
                packed=record.packed,
            )
            for record in chat.records
            if record.message in messages
        ),
        batch_size=100,
    )
