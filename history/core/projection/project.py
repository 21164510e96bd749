"""Compute what is sent from a transcript and settings, with the plan that says why.

Ten stages change one draft, in a fixed order; docs/engine.md shows the draft before and after each
stage. Messages are first grouped into segments; every stage then works on whole segments.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from history.core.draft.budget import Budget, budget_of
from history.core.draft.draft import Draft
from history.core.draft.rulings import Ruling, fold, start_of_turn
from history.core.plan.injected import Injected
from history.core.plan.plan import Plan
from history.core.plan.verdict import PRESERVE, Verdict
from history.core.projection import entries
from history.core.projection.binding import explained, judged, unbind
from history.core.projection.opening import put_opening, reserve
from history.core.projection.request import ProjectionRequest
from history.core.settings.steps import least_items
from history.core.stages import marks, pruners
from history.core.stages.chain import run_chain
from history.core.stages.fit import BudgetStage
from history.core.stages.history_window import HistoryWindow
from history.core.stages.parts import priced, without_images
from history.core.stages.policies import keeps, policy_of
from history.core.stages.rewriting import quote_arguments
from history.core.summaries import checkpoints
from history.core.summaries.checkpoints import Checkpoint, not_past
from history.core.transcript.messages import Message, Role, Transcript
from history.core.transcript.reasoning import left_out
from history.core.transcript.segments import Segments
from history.core.words.errors import Outgrown
from history.core.words.facts import Note, Rule, fact, note

NO_SYSTEM = Ruling(Verdict.TRIMMED, PRESERVE, PRESERVE, (fact(Rule.SYSTEM_NOT_KEPT),))


@dataclass(frozen=True, slots=True)
class Projection:
    """The result. `messages` are the transcript's messages in the form in which they are sent.

    `injected` are the texts sent besides them, including the summaries that apply.
    """

    plan: Plan
    messages: tuple[Message, ...]
    injected: tuple[Injected, ...] = ()


def project(
    transcript: Transcript, request: ProjectionRequest, parts: Segments | None = None
) -> Projection:
    """Project a transcript. Raise `CannotPlan` if no valid request fits, and `NeedsMore` if unread
    messages may be needed.

    `parts` is the result of `grouped` for this transcript, if the caller has it already.
    """
    try:
        return _Work(transcript, request, parts).projection()
    except Outgrown:  # Then decide anew, as for the first request of a generation.
        return _Work(transcript, replace(request, settled=None), parts).projection()


def staged(transcript: Transcript, request: ProjectionRequest) -> Iterator[tuple[str, Draft]]:
    """Yield the name of each stage, and the draft as the stage left it; the next stage changes the
    same draft. Raise as `project` does, and `Outgrown` where `project` would decide anew.
    """
    work = _Work(transcript, request, None)
    for name, stage in work.stages.items():
        stage()
        yield name, work.draft


class _Work:
    """The work on one projection, stage by stage. `notes` are the plan's notes so far on the
    request as a whole; `fit` is set by the stage "budget", and holds the budget.
    """

    fit: BudgetStage

    def __init__(
        self, transcript: Transcript, request: ProjectionRequest, parts: Segments | None
    ) -> None:
        self.settings = request.settings
        self.draft = Draft(transcript, request.settled, parts)
        self.reasoning, counted = judged(self.draft, request)
        self.draft.live = priced(counted, request.image_price)
        self.policy = policy_of(request.settings)
        self.notes: list[Note] = [*request.notes, *self.policy.notes, *self._thinking_off()]
        self.request = request = self._with_past(request)
        # Summaries come first: they reduce every budget, also that of the marks.
        self.injected = (*request.injected, *map(_summary, request.summaries))
        self.reserve = reserve(self.draft, request)

    def _with_past(self, request: ProjectionRequest) -> ProjectionRequest:
        """Drop summaries that reach into the current turn, which must be sent itself."""
        if not (points := request.summaries) or points[-1].last < (
            first := self.draft.first_current
        ):
            return request
        self.notes += [not_past(point) for point in points if point.last >= first]
        past = tuple(point for point in points if point.last < first)
        return replace(request, checkpoints=past)

    @property
    def stages(self) -> Mapping[str, Callable[[], None]]:
        """The stages in their order, by name."""
        return {
            "pairs": self._repair_pairs,
            "exclusions": self._exclude,
            "pins": self._pin,
            "summaries": self._summarise,
            "policy": self._apply_policy,
            "history window": self._apply_window,
            "processors": self._run_processors,
            "budget": self._prune,
            "shortening": self._shorten,
            "validity": self._complete,
        }

    def projection(self) -> Projection:
        for stage in self.stages.values():
            stage()
        return self._finished()

    def _repair_pairs(self) -> None:
        """Replace images and arguments that the provider would not accept; the draft has already
        removed unpaired messages.
        """
        if not self.request.takes_images:
            without_images(self.draft, self.request.count)
        quote_arguments(self.draft, self.request.count)

    def _exclude(self) -> None:
        marks.withhold(self.draft)
        marks.exclude(self.draft, self.request.exclusions)

    def _pin(self) -> None:
        """Hold preserved system messages and pins through every later stage."""
        request, draft = self.request, self.draft
        if self.settings.value(PRESERVE):
            marks.hold_system(draft, self._budget(), request.count)
        self.notes += marks.pin(draft, request.pins, self.settings, self._budget())

    def _summarise(self) -> None:
        checkpoints.cover(self.draft, self.request.summaries)

    def _apply_policy(self) -> None:
        draft, policy = self.draft, self.policy
        cold = [part for part in draft.live if part.messages[0].cold]
        users = (part for part in cold if part.messages[0].role is Role.USER)
        cold_turn = max((part.turn for part in users), default=0)
        first_turn = policy.first_turn(draft.last_turn, cold_turn)
        could_be = policy.first_turn(draft.last_turn, draft.last_unread_turn)
        draft.require(reaches=could_be <= first_turn)  # A pause in unread turns may move the start.
        start = start_of_turn(draft.transcript, first_turn, draft.end)
        if first_turn:
            reasons = (keeps(policy, first_turn, draft.last_turn),)
            draft.cut(start, Ruling(Verdict.TRIMMED, "policy", policy.setting, reasons))
        if not self.settings.value(PRESERVE):
            system = [part for part in draft.live if part.messages[0].role is Role.SYSTEM]
            draft.take_out(system, NO_SYSTEM)

    def _apply_window(self) -> None:
        if size := self.settings.value("max_items"):
            stride = self.settings.value("length_stride")
            HistoryWindow(size, stride, least_items(self.settings)).apply(self.draft)

    def _run_processors(self) -> None:
        """Run the chain of processors. The current turn is sent whole, whatever they make of it."""
        run_chain(self.draft, self.request.levels, self.request.count, self.settings)

    def _prune(self) -> None:
        """Cut to the budget that is left after the held messages."""
        self.fit = BudgetStage(self.draft, self.settings, self._budget(), self.request.count)
        self.fit.prune()

    def _shorten(self) -> None:
        self.fit.shorten()

    def _complete(self) -> None:
        """Make the request valid, whatever messages the stages left in it."""
        draft, fit = self.draft, self.fit
        draft.repair(thinks_first=self.reasoning.taking.minds_loop)
        self.notes += pruners.notes(
            fit.pruned, draft.tokens, self.settings, fit.budget, waits=self.request.waits
        )
        put_opening(draft, self.injected, self.request.count)
        was_off = self.reasoning.taking.foreign_loop
        tools = None if self.request.rebound else self.request.tool_schema_digest
        self.reasoning = unbind(draft, self.reasoning, self.injected, tools)
        self.notes += () if was_off else self._thinking_off()

    def _budget(self) -> Budget:
        held_tokens = sum(part.tokens for part in self.draft.held)
        request = self.request
        texts = sum(text.tokens for text in self.injected) + self.reserve
        rest = texts + request.tool_schema_tokens + held_tokens
        return budget_of(self.settings, rest, request.factor, request.percent)

    def _finished(self) -> Projection:
        draft, request, budget = self.draft, self.request, self.fit.budget
        prompts = tuple(text.turn for text in self.injected if text.place == "past")
        history = fold(draft.rows(), draft.last_turn, prompts)
        schemas = request.tool_schema_tokens
        tools = entries.schemas_entry(schemas, request.tool_schema_digest)
        plan = Plan(
            entries=entries.all_entries(history, self.injected, tools, draft.last_turn),
            settings=self.settings,
            window=entries.window_sums(
                history, self.injected, schemas, self.settings, request.factor
            ),
            counts=entries.counts(history, draft.last_turn),
            counter=request.counter,
            notes=(*self.notes, *entries.loss_notes(history, request)),
            settled=draft.settled,
            budget=max(0, budget.soft),
            limit=max(0, budget.hard),
            opening=self.reserve,
            factor=request.factor,
            percent=request.percent,
            reasoning=self.reasoning,
            reasoning_unsent=self._reasoning_unsent(),
            image_rule=request.image_rule,
            new_prompts=prompts,
        )
        plan = explained(plan, draft.transcript, request.behind)
        return Projection(plan, draft.messages(), self.injected)

    def _thinking_off(self) -> tuple[Note, ...]:
        taking, effort = self.reasoning.taking, self.settings.value("reasoning_effort")
        is_off = taking.thinks and taking.foreign_loop
        return (note(Rule.THINKING_OFF, effort=effort),) if is_off else ()

    def _reasoning_unsent(self) -> dict[str, int]:
        messages = {m.position: m for m in self.draft.messages() if not m.label}
        originals = (item for item in self.draft.transcript if isinstance(item, Message))
        return left_out(self.reasoning, originals, messages)


def _summary(point: Checkpoint) -> Injected:
    covers = (point.first, point.last)
    return Injected(point.label, Role.USER, point.quoted, point.tokens, covers=covers)
