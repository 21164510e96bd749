"""Whether messages were sent: their verdicts in the newest request on the open branch."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from chatapp.transcript.cut_line import newest_plan
from history.core.plan.verdict import Verdict
from history.core.words.wording import number
from history.models import Branch, ContextPlan, Conversation, Message, MessageMark
from history.services.errors import NotFound
from history.services.explain.map.lines import MessageLine, read_lines
from history.services.explain.map.rows import MessageRow, folded_rows
from history.services.explain.map.stretches import Stretch
from history.services.path.marks import Marks, marks_on
from history.services.path.reading import on_path
from history.services.wire.delivery import has_left
from history.wording.names import capitalised

MOST = 50  # The most messages of an answer to list; the inspector has the others.
LATER = _("Written after the latest request. The next one decides.")
NEVER = _("No request has been made yet. The first one decides.")
UNCHANGED = _("Sent unchanged.")
UNSENT = _("It would have been sent unchanged.")
FROM_NOW_ON = {
    str(MessageMark.Kind.PIN): _("Pinned: always sent, starting with your next message."),
    str(MessageMark.Kind.EXCLUSION): _("Excluded: left out, starting with your next message."),
    None: _("Back to what the settings decide, starting with your next message."),
}


@dataclass(frozen=True, slots=True)
class JudgedMessage:
    """A message with its verdict, which is None if the request is older than the message."""

    line: MessageLine
    tokens: str
    sentence: str
    verdict: Verdict | None = None
    upcoming: str = ""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts on some messages; `more` is how many messages are not listed.

    `turn` is the turn of the newest request, None before there is one. `is_unsent` if that request
    was never sent: then the verdicts say what was planned.
    """

    judged: list[JudgedMessage]
    turn: int | None
    more: int
    is_unsent: bool = False


def verdicts_of(conversation: Conversation, first: int, last: int) -> Verdicts:
    """Return the verdicts on messages from the first to the last position. Raise NotFound if there
    are none.
    """
    branch = conversation.branch
    messages = _messages(branch, first, min(last, first + MOST - 1)) if branch else []
    if branch is None or not messages:
        raise NotFound("message")
    record = newest_plan(conversation)
    is_unsent = record is not None and not has_left(record)
    end = messages[-1].position
    return Verdicts(
        judged=list(_judged(messages, branch, record, is_unsent=is_unsent)),
        turn=record.generation.turn if record else None,
        more=max(0, last - end) if len(messages) == MOST else 0,
        is_unsent=is_unsent,
    )


def _messages(branch: Branch, first: int, last: int) -> list[Message]:
    rows = Message.objects.filter(on_path(branch), position__range=(first, last))
    return list(rows.order_by("position"))


def _judged(
    messages: list[Message], branch: Branch, record: ContextPlan | None, *, is_unsent: bool
) -> Iterator[JudgedMessage]:
    first, end = messages[0].position, messages[-1].position
    lines = read_lines(branch, end, range(first, end + 1))
    rows = _rows(record, first, end) if record else {}
    marks, marks_then = marks_on(branch), Marks.from_dict(record.marks if record else {})
    for message in messages:
        line, row = lines[message.position], rows.get(message.position)
        undecided, unchanged = LATER if record else NEVER, UNSENT if is_unsent else UNCHANGED
        sentence = (row.reason or str(unchanged)) if row else str(undecided)
        yield JudgedMessage(
            line,
            tokens=_tokens(line.tokens, _sent(row, is_unsent=is_unsent) if row else line.tokens),
            sentence=capitalised(sentence),
            verdict=row.verdict if row else None,
            upcoming=_upcoming(message, marks_then, marks),
        )


def _rows(record: ContextPlan, first: int, end: int) -> dict[int, MessageRow]:
    """Return the messages that existed when the request was made, by position."""
    plan = record.core_plan
    end = min(end, plan.counts.transcript - 1)
    if end < first:
        return {}
    rows = folded_rows(record, plan, [Stretch(first, end, is_folded=False)])
    return {row.position: row for row in rows if isinstance(row, MessageRow)}


def _sent(row: MessageRow, *, is_unsent: bool) -> int | None:
    return 0 if is_unsent else row.sent


def _tokens(count: int, sent_count: int | None) -> str:
    whole = ngettext("{n} token", "{n} tokens", count).format(n=number(count))
    if sent_count is None or sent_count == count:
        return whole
    if not sent_count:
        return gettext("{tokens}, none sent").format(tokens=whole)
    return gettext("{tokens}, {sent} sent").format(tokens=whole, sent=number(sent_count))


def _upcoming(message: Message, marks_then: Marks, marks: Marks) -> str:
    """Describe a mark that was set after the newest request."""
    kind = marks.of(message)
    return "" if kind == marks_then.of(message) else str(FROM_NOW_ON[kind])
