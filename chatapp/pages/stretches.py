"""The stretches of a transcript that the chat's page loads: the newest, older ones, and parts of
gaps.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

from chatapp.transcript.branches import switchers
from chatapp.transcript.bubbles import Answer, Bubble, bubbles
from chatapp.transcript.cut_line import CutLine, Gauge, cut_of, gauge_of, newest_plan, panel_query
from chatapp.transcript.joining import linked
from chatapp.transcript.summary_line import undoable_summary
from history.models import Branch, Conversation, Generation, Message
from history.services.answers.approval_log import approvals_in
from history.services.errors import NotFound
from history.services.explain.filtered_calls import removed_calls
from history.services.path.marks import marks_on
from history.services.path.reading import (
    following_messages,
    message_at,
    newest_messages,
    user_message_of,
)
from history.services.wire.delivery import has_left

MESSAGES = 80  # The most messages of a stretch, which make about forty bubbles.


@dataclass(frozen=True, slots=True)
class UnloadedStretch:
    """Messages that the page still lacks: from position `since` to just below `before`."""

    since: int
    before: int

    @property
    def count(self) -> int:
        return self.before - self.since


@dataclass(frozen=True, slots=True)
class TranscriptPage:
    """A stretch of the path; messages above and below it may be missing on the page."""

    conversation: Conversation
    bubbles: list[Bubble] = field(default_factory=list)
    above: UnloadedStretch | None = None
    below: UnloadedStretch | None = None
    head: int = -1
    cut: CutLine | None = None
    gauge: Gauge | None = None

    @property
    def joined(self) -> Iterator[Bubble]:
        """The bubbles; each continued answer begins where the one above it was broken off."""
        return linked(self.bubbles)

    @property
    def active(self) -> UUID | None:
        """The generation that is being written now, if there is one."""
        return next((g.pk for g in self._open if g.is_active), None)

    @property
    def waiting(self) -> Generation | None:
        """The generation that waits for a person's decision, if there is one."""
        return next((g for g in self._open if g.is_waiting), None)

    @property
    def _open(self) -> Iterator[Generation]:
        for bubble in reversed(self.bubbles):
            if isinstance(bubble, Answer) and bubble.generation and bubble.is_open:
                yield bubble.generation

    @property
    def cut_at(self) -> int | None:
        """The position of the bubble below the cut line, where the window starts; None if that
        bubble is not in this stretch.
        """
        if self.cut is None or not self.bubbles or self.bubbles[0].position > self.cut.before:
            return None
        return next((b.position for b in self.bubbles if b.last >= self.cut.before), None)


def transcript_of(
    conversation: Conversation, query: str, before: int | None = None
) -> TranscriptPage:
    """Read the open branch's newest stretch, or the one that ends below position `before`."""
    branch = conversation.branch
    if branch is None:
        return TranscriptPage(conversation)
    messages = newest_messages(branch, before, MESSAGES)
    return _stretch(conversation, branch, messages, query)


def transcript_around(
    conversation: Conversation, query: str, position: int, missing: UnloadedStretch
) -> TranscriptPage:
    """Read a stretch of the messages that the page lacks, beginning a turn before that of
    `position`.

    Raise NotFound if the open branch has no such message.
    """
    branch = conversation.branch
    message = message_at(branch, position) if branch else None
    if branch is None or message is None:
        raise NotFound("message")
    began = user_message_of(branch, max(message.turn - 1, 1))
    first = max(began.position if began else 0, missing.since)
    messages = following_messages(branch, first, missing.before, MESSAGES)
    return _stretch(conversation, branch, messages, query, missing)


def _stretch(
    conversation: Conversation,
    branch: Branch,
    messages: list[Message],
    query: str,
    missing: UnloadedStretch | None = None,
) -> TranscriptPage:
    record = newest_plan(conversation)
    plan = record.core_plan if record else None
    url = panel_query(query)
    first = messages[0].position if messages else 0
    head = messages[-1].position if messages else -1
    since, before = (missing.since, missing.before) if missing else (0, head + 1)
    return TranscriptPage(
        conversation=conversation,
        bubbles=_bubbles(conversation, branch, messages),
        above=UnloadedStretch(since, first) if first > since else None,
        below=UnloadedStretch(head + 1, before) if before > head + 1 else None,
        head=head,
        cut=(
            cut_of(plan, url, removed_calls(record), undoable_summary(record))
            if plan and record
            else None
        ),
        gauge=gauge_of(plan, url, has_left=has_left(record)) if plan and record else None,
    )


def _bubbles(conversation: Conversation, branch: Branch, messages: list[Message]) -> list[Bubble]:
    choices = switchers(conversation, branch)
    silent = silent_in(branch, messages)
    return bubbles(messages, silent, choices, marks_on(branch), approvals_in(messages))


def silent_in(branch: Branch, messages: list[Message]) -> list[Generation]:
    """Find the newest generation without a message in each turn: it waits, or failed at once.

    A generation is never older than its question; this bound lets an index skip earlier turns.
    """
    if not messages:
        return []
    owners = {branch.pk, *(owner for owner, _, _ in branch.spans())}
    rows = Generation.objects.filter(
        conversation=branch.conversation_id,
        created__gte=messages[0].created,
        turn__range=(messages[0].turn, messages[-1].turn),
        messages__isnull=True,
    )
    own = [row for row in rows.order_by("created") if row.branch_id in owners]
    return list({row.turn: row for row in own}.values())
