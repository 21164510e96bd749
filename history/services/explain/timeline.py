"""The timeline of a generation: all its recorded phases on one scale."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from history.core.money.cost import UNKNOWN
from history.core.transcript.messages import Role
from history.core.words.wording import number
from history.models import ApprovalKind, ContextPlan, Generation, GenerationStatus, RequestOutcome
from history.services.answers.approval_log import NO_APPROVALS, Approval, ByCall, approvals_of
from history.services.answers.background import is_taken_up

CALLING = ("role", "position", "tool_calls")
ANSWERING = ("tool_call_id", "failed", "took_ms", "created")
MINUTE, SECOND = 60_000, 1_000  # A minute and a second, in milliseconds.
DECISIONS = {
    ApprovalKind.APPROVED: gettext_lazy("approved"),
    ApprovalKind.REFUSED: gettext_lazy("refused"),
    ApprovalKind.WITHDRAWN: gettext_lazy("not decided"),
}


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of an answer, in milliseconds. `start` counts from the time when the message was
    sent; it is None if it was not recorded.
    """

    name: str
    kind: str
    start: float | None = None
    length: float | None = None
    note: str = ""

    @property
    def words(self) -> str:
        return UNKNOWN if self.length is None else duration(self.length)

    @property
    def end(self) -> float:
        return (self.start or 0) + (self.length or 0)


# The title of some phases, which may be empty, and the phases.
Group: TypeAlias = tuple[str, tuple[Phase, ...]]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Groups of phases: one for the beginning, one for each step, and one for the end."""

    groups: tuple[Group, ...]

    @property
    def length(self) -> float:
        return max((phase.end for _, phases in self.groups for phase in phases), default=0)

    @property
    def words(self) -> str:
        return duration(self.length)


def duration(milliseconds: float) -> str:
    """Write a time as `6 ms`, `3.1 s`, or `2 min 5 s`."""
    if milliseconds < SECOND:
        return f"{milliseconds:.0f} ms" if milliseconds >= 1 else _("under 1 ms")
    if milliseconds < MINUTE:
        return f"{milliseconds / SECOND:.1f} s"
    minutes, rest = divmod(round(milliseconds / SECOND), 60)
    return f"{number(minutes)} min {rest} s"


def timeline_of(generation: Generation, steps: Sequence[ContextPlan]) -> Timeline:
    """Build the timeline. `steps` are the generation's steps in order, with their outcomes."""
    clock = _Clock(generation.created)
    rounds = _rounds(generation)
    approvals = approvals_of(generation) if rounds else NO_APPROVALS
    queue = clock.phase(_("waiting to begin"), "queue", generation.created, generation.started)
    groups: list[Group] = [("", (queue,))]
    for record in steps:
        answered = max((s.step for s in steps if s.head == record.head), default=0) == record.step
        calls = rounds.get(record.head + 1, []) if answered else []
        phases = (*clock.request(record), *clock.tools(calls, approvals))
        groups.append((_("step {number}").format(number=record.step), phases))
    last = clock.saving(generation, steps, rounds)
    rest = _rest([*(phase for _title, phases in groups for phase in phases), last])
    groups.append(("", (last, *rest)))
    return Timeline(tuple(groups))


def _rest(phases: Sequence[Phase]) -> Iterator[Phase]:
    """Yield the total time between the phases as one phase, if it is a millisecond or more."""
    reached = rest = 0.0
    for phase in sorted(phases, key=lambda each: each.start or 0):
        if phase.start is not None:
            rest += max(0.0, phase.start - reached)
            reached = max(reached, phase.end)
    if rest >= 1:
        yield Phase(_("in between: preparing and storing"), "rest", length=rest)


def _rounds(generation: Generation) -> dict[int, list[dict[str, Any]]]:
    """Return each message that calls tools with its results, by the position of the message."""
    rounds: dict[int, list[dict[str, Any]]] = {}
    newest: list[dict[str, Any]] = []
    for row in generation.messages.order_by("position").values(*CALLING, *ANSWERING):
        if row["role"] == Role.TOOL:
            newest.append(row)
        elif row["tool_calls"]:
            rounds[row["position"]] = newest = [row]
    return rounds


@dataclass(frozen=True, slots=True)
class _Clock:
    """Makes phases, whose `start` counts from the moment `zero`."""

    zero: datetime

    def phase(
        self, name: str, kind: str, start: datetime | None, end: datetime | None, note: str = ""
    ) -> Phase:
        if start is None or end is None:
            return Phase(name, kind, note=note)
        return Phase(name, kind, self._since(start), max(0.0, _ms(start, end)), note)

    def request(self, record: ContextPlan) -> Iterator[Phase]:
        """Yield planning, then the request: waiting until the first token, writing until the
        last.
        """
        start = self._since(record.created)
        yield Phase(
            _("choosing what to send"),
            "plan",
            max(0.0, start - record.milliseconds),
            record.milliseconds,
        )
        outcome: RequestOutcome | None = getattr(record, "outcome", None)
        if outcome is None:
            yield Phase(_("waiting for the first word"), "wait", note=_("no outcome is stored"))
            return
        first = outcome.first_token_ms
        tries = ngettext("{count} attempt", "{count} attempts", outcome.attempts)
        attempts = tries.format(count=outcome.attempts) if outcome.attempts > 1 else ""
        if first is None:
            none = _("no tokens received")
            why = _("read on by another process") if is_taken_up(record) else none
            note = ", ".join(filter(None, [why, attempts]))
            yield Phase(_("waiting for the model"), "wait", start, outcome.total_ms, note)
            return
        yield Phase(_("waiting for the first word"), "wait", start, first, attempts)
        yield Phase(
            _("writing the answer"), "decode", start + first, max(0.0, outcome.total_ms - first)
        )

    def tools(self, rows: Sequence[dict[str, Any]], approvals: ByCall) -> Iterator[Phase]:
        """Yield the phase of each call, from when it was stored or, after an approval, begun."""
        if not rows:
            return
        message, *results = rows
        by_id = {row["tool_call_id"]: row for row in results}
        for call in message["tool_calls"]:
            result, asking = by_id.get(call["id"]), approvals.get(call["id"])
            if asking:
                yield self.person(call["name"], asking)
            if asking and not asking.begun:
                continue
            start = asking.begun if asking and asking.begun else message["created"]
            yield self.tool(_("tool {name}").format(name=call["name"]), start, result)

    def tool(self, name: str, start: datetime, result: dict[str, Any] | None) -> Phase:
        """Return the phase of a call. Its length is the measured run time, because the result may
        be stored later, together with others of its round.
        """
        if result is None:
            return Phase(name, "tool", note=_("no result is stored"))
        note, length = _("failed") if result["failed"] else "", result["took_ms"]
        if length is None:  # The call was not run, or was stored before its time was measured.
            return self.phase(name, "tool", start, result["created"], note)
        return Phase(name, "tool", self._since(start), length, note)

    def person(self, name: str, asking: Approval) -> Phase:
        """Show how long a person took to decide, if anybody decided."""
        decision = asking.decision
        note = str(DECISIONS[ApprovalKind(decision.kind)]) if decision else _("not decided yet")
        end = decision.created if decision else None
        return self.phase(
            _("approval of {name}").format(name=name), "person", asking.asked, end, note
        )

    def saving(
        self,
        generation: Generation,
        steps: Sequence[ContextPlan],
        rounds: Mapping[int, Sequence[dict[str, Any]]],
    ) -> Phase:
        """Measure the time from the end of the last answer or result to the end of the generation.
        An interrupted generation has no such time, because another process recorded its end.
        """
        outcome = getattr(steps[-1], "outcome", None) if steps else None
        results = [row["created"] for _, *rows in rounds.values() for row in rows]
        start = max([outcome.created, *results]) if outcome else None
        is_own = generation.status != GenerationStatus.INTERRUPTED
        end = generation.ended if is_own else None
        return self.phase(_("saving the answer"), "save", start, end)

    def _since(self, moment: datetime) -> float:
        return _ms(self.zero, moment)


def _ms(start: datetime, end: datetime) -> float:
    return (end - start).total_seconds() * SECOND
