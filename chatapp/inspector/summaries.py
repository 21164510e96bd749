"""The panel's zone on summaries: what became of each, how short it is, or why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chatapp.inspector.zone import ShownRecord, Zone
from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.core.settings.resolved import Settings
from history.core.summaries import checkpoints as core
from history.core.summaries.checkpoints import summarize_every
from history.core.words.wording import number
from history.models import Checkpoint, CheckpointState, SummaryWire
from history.services.explain.claims import SummaryClaim, claimed_summaries
from history.services.summaries.actions import applying, checkpoints_of
from history.services.summaries.numbers import SummaryNumbers
from history.wording.names import CHECKPOINT, capitalised, injected_text, messages

SHOWN = 30
STATES = {
    CheckpointState.READY: gettext_lazy("not used here"),
    CheckpointState.PENDING: gettext_lazy("being written"),
    CheckpointState.UNDONE: gettext_lazy("undone"),
    CheckpointState.FAILED: gettext_lazy("failed"),
}


@dataclass(frozen=True, slots=True)
class SummariesZone:
    """The data of the zone on summaries: `sentence` sums them up, and `rows` begins with the
    newest. `claimed` are summaries that only an imported chat's file mentions. `undoable` is the
    newest summary that the next request contains, if the reader may undo it; `applied` are all
    that it contains.
    """

    sentence: str
    rows: "tuple[SummaryRow, ...]"
    claimed: Sequence[SummaryClaim] = ()
    undoable: int | None = None
    applied: Sequence[core.Checkpoint] = ()


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A row for a summary. `wire` is the address of its recorded request; empty if not recorded."""

    name: str
    state: str
    sentence: str
    wire: str


@dataclass(frozen=True, slots=True)
class SentSummaries:
    """The labels of the summaries in the request shown, and of those in the next request."""

    current: frozenset[str]
    upcoming: frozenset[str]

    def where(self, label: str) -> str:
        """Say which of the two requests include the summary; empty if neither does."""
        if label in self.current & self.upcoming:
            return _("in use")
        if label in self.current:
            return _("in this request")
        return _("starting with the next message") if label in self.upcoming else ""

    def __str__(self) -> str:
        count = number(len(self.current))
        if self.current == self.upcoming:
            return _("{count} in use").format(count=count)
        if not self.upcoming:
            sentence = _("{count} in this request; the next message is sent without summaries")
            return sentence.format(count=count)
        return _("{count} in this request, {upcoming} starting with the next message").format(
            count=count, upcoming=number(len(self.upcoming))
        )


def summaries_zone(panel: ShownRecord) -> SummariesZone:
    """List the conversation's newest summaries. Which of them the shown request and the next one
    contain differs if a summary was made or undone meanwhile.
    """
    conversation, plan = panel.conversation, panel.plan
    points = list(checkpoints_of(conversation)[:SHOWN])
    applied = applying(conversation) if points else ()
    summaries = SentSummaries(_labels_in(plan), frozenset(point.label for point in applied))
    recorded = set(SummaryWire.objects.filter(summary__in=points).values_list("summary", flat=True))
    numbers = SummaryNumbers(conversation.pk)
    rows = tuple(_row(row, summaries, numbers, is_recorded=row.pk in recorded) for row in points)
    sentence = _sentence(points, summaries, plan.settings)
    is_own = panel.actor.owns(conversation) and conversation.asked_by_id is None
    undoable = applied[-1].id if applied and is_own else None
    return SummariesZone(sentence, rows, claimed_summaries(conversation), undoable, applied)


def _labels_in(plan: Plan) -> frozenset[str]:
    labels = (entry.label for entry in plan.entries if entry.verdict is Verdict.INJECTED)
    return frozenset(label for label in labels if label.startswith(CHECKPOINT))


def _sentence(points: list[Checkpoint], summaries: SentSummaries, settings: Settings) -> str:
    if points and points[0].state == CheckpointState.FAILED:
        if not _is_on(settings):
            return points[0].outcome
        return _("{failure} It will be retried after {count} more messages.").format(
            failure=points[0].outcome, count=number(summarize_every(settings))
        )
    if summaries.current or summaries.upcoming:
        return str(summaries)
    if not _is_on(settings):
        return _("Summaries are off")
    if settings.value("policy") == "none":
        return _("None, because History policy none sends no summaries")
    return _("None yet: the first is written after {count} messages").format(
        count=number(settings.value("trigger_at"))
    )


def _is_on(settings: Settings) -> bool:
    return bool(settings.value("summarize")) or settings.value("pruner") == "summarize"


def _row(
    row: Checkpoint, summaries: SentSummaries, numbers: SummaryNumbers, *, is_recorded: bool
) -> SummaryRow:
    label = f"{CHECKPOINT}{row.pk}"
    states = [summaries.where(label), "" if label in summaries.upcoming else _became(row, numbers)]
    state = ", ".join(filter(None, states))
    address = reverse("summary_wire", args=[row.conversation_id, row.pk]) if is_recorded else ""
    return SummaryRow(injected_text(numbers.label(label)), state, _what(row), address)


def _became(row: Checkpoint, numbers: SummaryNumbers) -> str:
    """Say what became of a summary that the next message's request will not include."""
    if row.state == CheckpointState.FOLDED and row.folded_into_id:
        return _("merged into summary {number}").format(number=numbers.of(row.folded_into_id))
    return str(STATES[CheckpointState(row.state)])


def _what(row: Checkpoint) -> str:
    where = capitalised(messages(row.first, row.last))
    if row.state == CheckpointState.FAILED:
        return f"{where}. {row.outcome}"
    if row.state == CheckpointState.PENDING:
        return where
    return _("{messages}: {before} tokens reduced to {count}").format(
        messages=where, count=number(row.tokens), before=number(row.source_tokens)
    )


def summary_changes(panel: ShownRecord, now: Settings) -> tuple[str, ...]:
    """Say which summaries the next request will be the first to contain, and which messages will no
    longer be summarised. `now` are the settings for it.
    """
    zone, labels = panel.of(SUMMARIES), _labels_in(panel.plan)
    applied = zone.applied if zone and now.value("policy") != "none" else ()
    if labels == {point.label for point in applied}:
        return ()
    ids = [int(label.removeprefix(CHECKPOINT)) for label in labels]
    before = Checkpoint.objects.filter(pk__in=ids).order_by("first")
    covered = max((row.last for row in before), default=-1)
    covers = max((point.last for point in applied), default=-1)
    new = (_begun(point, covered) for point in applied if point.label not in labels)
    return (*new, *(_ended(row) for row in before if row.last > covers))


def _begun(point: core.Checkpoint, covered: int) -> str:
    """Word a summary that is new; summaries already replaced the messages up to `covered`."""
    text = _("A summary instead of {messages}")
    if point.last <= covered:
        text = _("Another summary of {messages}")
    return text.format(messages=messages(point.first, point.last))


def _ended(row: Checkpoint) -> str:
    text = _("No longer a summary of {messages}")
    return text.format(messages=messages(row.first, row.last))


HINT = gettext_lazy("sent in place of older messages")
SUMMARIES = Zone("summaries", gettext_lazy("Summaries"), HINT, summaries_zone)
