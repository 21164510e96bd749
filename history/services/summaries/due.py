"""Decide when a checkpoint is due, and which range it will stand for.

`history.services.summaries.writing` asks a model to write it, outside any transaction, after a
reply and never before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from history.core.settings.resolved import Settings
from history.core.summaries import checkpoints as core
from history.core.summaries.checkpoints import DueSummary
from history.core.summaries.prompts import Prompt, prompt_for, prompt_to_fold, within
from history.core.transcript.segments import Segments
from history.models import Branch, Checkpoint, CheckpointState, Conversation, Message
from history.services.summaries.target import SummaryTarget
from history.tokens import count_text


@dataclass(frozen=True, slots=True)
class PreparedSummary:
    """A summary that is to be written; when quoted, it must cost fewer than `bound` tokens.

    `parts` are the checkpoints that it will replace.
    """

    target: SummaryTarget
    row: Checkpoint
    prompt: Prompt
    max_tokens: int
    bound: int
    parts: tuple[int, ...] = ()


def next_summary(target: SummaryTarget) -> PreparedSummary | None:
    """Begin the summary that is due after a reply, if any; a chat has only one begun at a time."""
    if not target.is_wanted or (newest := newest_of(target.branch)) is None:
        return None
    if not is_rested(target.branch.conversation_id, target.settings):
        return None
    if due := target.due():
        return begin(target, due, newest)
    return next_fold(target)


def next_fold(target: SummaryTarget) -> PreparedSummary | None:
    """Begin to fold the older half of the summaries, if there are too many."""
    if (newest := newest_of(target.branch)) is None:
        return None
    parts = core.to_fold(target.points(), target.settings.value("max_checkpoints"))
    return _begin(_folding(target, parts), newest) if parts else None


def begin(target: SummaryTarget, due: DueSummary, newest: int) -> PreparedSummary | None:
    """Begin a summary that is due. Return None if one was begun since the checkpoint `newest`, if
    another is being made, or if the chat was deleted.
    """
    return _begin(_prepared(target, due), newest)


def _prepared(target: SummaryTarget, due: DueSummary) -> PreparedSummary:
    """Prepare a summary of as much as the summarising model can read at once."""
    room = target.room()
    fitting = within(due, room.source, count_text)
    read = [m for part in due.parts for m in part.messages if m.position <= fitting.last]
    pinned = _pinned(due.parts, target.marks.pins)
    tokens = sum(message.tokens for message in read if message.position not in pinned)
    row = _row(target, fitting.first, fitting.last, tokens)
    row.first_turn, row.last_turn = read[0].turn, read[-1].turn
    return PreparedSummary(target, row, prompt_for(fitting.parts), room.answer, tokens)


def _pinned(parts: Segments, pins: frozenset[int]) -> set[int]:
    """Return the positions of pinned segments, which a summary doesn't replace: they are sent."""
    pinned = (part for part in parts if any(m.position in pins for m in part.messages))
    return {message.position for part in pinned for message in part.messages}


def _folding(target: SummaryTarget, parts: Sequence[core.Checkpoint]) -> PreparedSummary:
    first, last = parts[0], parts[-1]
    row = _row(target, first.first, last.last, sum(part.source_tokens for part in parts))
    row.first_turn, row.last_turn = first.first_turn, last.last_turn
    bound = sum(part.tokens for part in parts)
    prompt = prompt_to_fold([part.summary for part in parts], bound)
    ids = tuple(part.id for part in parts)
    return PreparedSummary(target, row, prompt, target.room().answer, bound, ids)


def _row(target: SummaryTarget, first: int, last: int, source_tokens: int) -> Checkpoint:
    return Checkpoint(
        conversation_id=target.branch.conversation_id,
        branch=_owner(target.branch, last),
        first=first,
        last=last,
        excluded=sorted(p for p in target.marks.exclusions if first <= p <= last),
        chain=target.chain,
        model=target.summariser[:120],
        manual=target.manual,
        source_tokens=source_tokens,
    )


def _owner(branch: Branch, position: int) -> Branch:
    """Return the branch that owns the message; all branches that continue it share the summary."""
    owner = next(pk for pk, first, last in branch.spans() if first <= position <= last)
    return branch if owner == branch.pk else Branch.objects.get(pk=owner)


def _begin(prepared: PreparedSummary, newest: int) -> PreparedSummary | None:
    """Store the row, unless another summary is being made, or was begun after the path was read."""
    chat = prepared.row.conversation_id
    with transaction.atomic():
        if not hold(chat) or newest_of(prepared.target.branch) != newest:
            return None
        prepared.row.save()
    return prepared


def newest_of(branch: Branch) -> int | None:
    """Return the id of the conversation's newest checkpoint, or 0 if there is none.

    Return None while a checkpoint is being made. A path that is read now does not include this
    checkpoint yet, even if it is ready before the next one begins; so the same messages would be
    summarised, and paid for, twice.
    """
    rows = Checkpoint.objects.filter(conversation_id=branch.conversation_id).order_by("-pk")
    newest = rows.values_list("pk", flat=True).first() or 0
    # Check this last, to notice a checkpoint that was begun after `newest` was read.
    return None if is_making(branch.conversation_id) else newest


def is_making(conversation_id: UUID) -> bool:
    rows = Checkpoint.objects.filter(conversation_id=conversation_id)
    return rows.filter(state=CheckpointState.PENDING).exists()


def is_rested(conversation_id: UUID, settings: Settings) -> bool:
    """Return whether `summarize_every` messages have followed the last failure or undo."""
    rows = Checkpoint.objects.filter(conversation_id=conversation_id)
    ends = rows.filter(state__in=[CheckpointState.FAILED, CheckpointState.UNDONE])
    moments = [e.created if e.state == CheckpointState.FAILED else e.ended for e in ends]
    every = core.summarize_every(settings)
    messages = Message.objects.filter(conversation_id=conversation_id)
    newest = messages.order_by("-pk").values_list("created", flat=True)[:every]
    since = max((moment for moment in moments if moment), default=None)
    return since is None or sum(created > since for created in newest) >= every


def hold(conversation_id: UUID) -> bool:
    """Lock the conversation. Return False if it was deleted."""
    return bool(Conversation.objects.select_for_update().filter(pk=conversation_id))
