"""Compute what is sent from a transcript and settings, with the plan that says why.

The stages, in order: pairs, exclusions and pins, checkpoints, policy, history window, processors,
budget, placeholders and the clamp, validity. Group, then choose: every stage works on segments.
"""

from dataclasses import dataclass, replace
from typing import Any

from history.core.draft.budget import Budget, budget_of
from history.core.draft.draft import Draft
from history.core.draft.rulings import Ruling, fold, start_of_turn
from history.core.draft.turn_sizes import tail_sums
from history.core.facts import Note, Rule, fact, note
from history.core.messages import Message, Role, Transcript
from history.core.plan.injected import Injected
from history.core.plan.plan import Entry, Plan
from history.core.plan.verdict import PRESERVE, Verdict
from history.core.projection import entries
from history.core.projection.opening import put_opening, reserve
from history.core.projection.request import ProjectionRequest
from history.core.reasoning import ReasoningRule, left_out, rule_of, with_reasoning
from history.core.segments import Segments
from history.core.stages import marks, pruners
from history.core.stages.fit import BudgetStage
from history.core.stages.history_window import HistoryWindow
from history.core.stages.parts import priced, without_images
from history.core.stages.policies import keeps, policy_of
from history.core.stages.processor import ProcessorContext
from history.core.stages.processors import ChainLink
from history.core.stages.rewriting import quote_arguments
from history.core.summaries import checkpoints
from history.core.summaries.checkpoints import Checkpoint, not_past

NO_SYSTEM = Ruling(Verdict.TRIMMED, PRESERVE, PRESERVE, (fact(Rule.SYSTEM_NOT_KEPT),))


@dataclass(frozen=True, slots=True)
class Projection:
    """`messages` is what is sent of the transcript: in order, repaired, without injected texts.

    `injected` is what else is sent, with the summaries that apply.
    """

    plan: Plan
    messages: tuple[Message, ...]
    injected: tuple[Injected, ...] = ()


def project(
    transcript: Transcript, request: ProjectionRequest, parts: Segments | None = None
) -> Projection:
    """Raise `NeedsMore` if unread messages may have to be sent, and `CannotPlan`.

    `parts` is the result of `grouped` for this transcript, if the caller has it already.
    """
    return _Work(transcript, request, parts).projection()


class _Work:
    """One projection, stage by stage; `notes` collects what the plan says about it as a whole."""

    def __init__(
        self, transcript: Transcript, request: ProjectionRequest, parts: Segments | None
    ) -> None:
        self.settings = request.settings
        self.draft = Draft(transcript, request.settled, parts)
        self.reasoning = self._reasoning(request)
        counted = with_reasoning(self.draft.live, self.reasoning)
        self.draft.live = priced(counted, request.image_price)
        self.policy = policy_of(request.settings)
        self.notes: list[Note] = [*request.notes, *self.policy.notes, *self._thinking_off()]
        self.request = request = self._with_past(request)
        # Every budget is what the summaries leave, that of the marks as well.
        self.injected = (*request.injected, *map(_summary, request.summaries))
        self.reserve = reserve(self.draft, request)
        self.is_judged = False  # A processor looked at single messages.

    def _with_past(self, request: ProjectionRequest) -> ProjectionRequest:
        """Drop summaries that reach into the current turn, because they would swallow it."""
        if not (points := request.summaries) or points[-1].last < (
            first := self.draft.first_current
        ):
            return request
        self.notes += [not_past(point) for point in points if point.last >= first]
        past = tuple(point for point in points if point.last < first)
        return replace(request, checkpoints=past)

    def projection(self) -> Projection:
        if not self.request.takes_images:
            without_images(self.draft, self.request.count)
        quote_arguments(self.draft, self.request.count)
        self._mark()
        checkpoints.cover(self.draft, self.request.summaries)
        self._apply_policy()
        self._apply_window()
        self._apply_processors()
        budget = self._budget()
        pruned = BudgetStage(self.draft, self.settings, budget, self.request.count).apply()
        self.draft.repair(thinks_first=self.reasoning.taking.minds_loop)
        self.notes += pruners.notes(
            pruned, self.draft.tokens, self.settings, budget, waits=self.request.waits
        )
        put_opening(self.draft, self.injected, self.request.count)
        return self._finished(budget)

    def _mark(self) -> None:
        """Exclude messages; hold preserved system messages and pins through every stage."""
        request, draft = self.request, self.draft
        marks.withhold(draft)
        marks.exclude(draft, request.exclusions)
        if self.settings.value(PRESERVE):
            marks.hold_system(draft, self._budget(), request.count)
        self.notes += marks.pin(draft, request.pins, self.settings, self._budget())

    def _apply_policy(self) -> None:
        draft, policy = self.draft, self.policy
        cold = [part for part in draft.live if part.messages[0].cold]
        users = (part for part in cold if part.messages[0].role is Role.USER)
        cold_turn = max((part.turn for part in users), default=0)
        first_turn = policy.first_turn(draft.last_turn, cold_turn)
        could_be = policy.first_turn(draft.last_turn, draft.last_unread_turn)
        draft.require(reaches=could_be <= first_turn)  # A gap that was not read may move the start.
        start = start_of_turn(draft.transcript, first_turn, draft.end)
        if first_turn:
            reasons = (keeps(policy, first_turn, draft.last_turn),)
            draft.cut(start, Ruling(Verdict.TRIMMED, "policy", policy.setting, reasons))
        if not self.settings.value(PRESERVE):
            system = [part for part in draft.live if part.messages[0].role is Role.SYSTEM]
            draft.take_out(system, NO_SYSTEM)

    def _apply_window(self) -> None:
        if size := self.settings.value("max_items"):
            HistoryWindow(size, self.settings.value("length_stride")).apply(self.draft)

    def _apply_processors(self) -> None:
        """Run the chain. The current turn is sent whole, whatever a processor makes of it."""
        draft = self.draft
        flow = ProcessorContext(
            self.request.count,
            draft.first_current,
            draft.tokens_before,
            self.settings.value("token_stride"),
        )
        for link in self.request.levels:
            self._apply(link, flow)

    def _apply(self, link: ChainLink, flow: ProcessorContext) -> None:
        draft, scope = self.draft, link.processor.scope
        draft.require(reaches=scope != "all")
        settled = draft.past
        past = tuple(part for part in settled if not draft.is_current(part))
        after = link.processor.apply(settled, flow)
        kept = tuple(part for part in after if not draft.is_current(part))
        if scope == "newest":
            draft.require(reaches=len(kept) < len(past))
            if len(kept) < len(past):
                draft.require(reaches=not self.is_judged)  # The earlier part is separate.
                start = kept[0].position if kept else draft.first_current
                sums = tail_sums(settled, len(after))
                ruling = _filtered(link, stride=flow.token_stride, **sums)
                draft.cut(start, ruling, spared=Verdict.FILTERED)
        else:
            draft.become(
                (*draft.islands, *kept, *draft.current), lambda message, now: _removed(link, now)
            )
            self.is_judged = True

    def _budget(self) -> Budget:
        held = sum(part.tokens for part in self.draft.held)
        request = self.request
        texts = sum(text.tokens for text in self.injected) + self.reserve
        rest = texts + request.tool_schema_tokens + held
        return budget_of(self.settings, rest, request.factor, request.percent)

    def _finished(self, budget: Budget) -> Projection:
        draft, request = self.draft, self.request
        history = fold(draft.rows(), draft.last_turn)
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
            notes=(*self.notes, *self._losses(history)),
            settled=draft.settled,
            budget=max(0, budget.soft),
            limit=max(0, budget.hard),
            opening=self.reserve,
            factor=request.factor,
            percent=request.percent,
            reasoning=self.reasoning,
            reasoning_unsent=self._reasoning_unsent(),
            image_rule=request.image_rule,
        )
        return Projection(plan, draft.messages(), self.injected)

    def _reasoning(self, request: ProjectionRequest) -> ReasoningRule:
        draft, keep = self.draft, int(self.settings.value("reasoning_keep"))
        loop = () if request.ends_with_user else draft.current or draft.live
        return rule_of(request.taking, keep, draft.last_turn, loop)

    def _thinking_off(self) -> tuple[Note, ...]:
        taking, effort = self.reasoning.taking, self.settings.value("reasoning_effort")
        is_off = taking.thinks and taking.foreign_loop
        return (note(Rule.THINKING_OFF, effort=effort),) if is_off else ()

    def _reasoning_unsent(self) -> dict[str, int]:
        sent = {m.position: m for m in self.draft.messages() if not m.label}
        stored = (item for item in self.draft.transcript if isinstance(item, Message))
        return left_out(self.reasoning, stored, sent)

    def _losses(self, history: tuple[Entry, ...]) -> tuple[Note, ...]:
        """Report losses. Without summaries there is nothing to lose."""
        if not (self.request.summaries or entries.wants_summaries(self.settings)):
            return ()
        links = self.request.levels
        return entries.loss_notes(
            history, {link.name for link in links if link.processor.scope == "newest"}
        )


def _summary(point: Checkpoint) -> Injected:
    covers = (point.first, point.last)
    return Injected(point.label, Role.USER, point.quoted, point.tokens, covers=covers)


def _filtered(link: ChainLink, **sums: Any) -> Ruling:
    reason = link.processor.reason.having(processor=link.name, level=link.level, **sums)
    return Ruling(Verdict.FILTERED, link.name, "processors", (reason,), link.level)


def _removed(link: ChainLink, now: Message | None) -> Ruling:
    """Return the ruling on a message that a processor removed, or removed calls from."""
    filtered = _filtered(link)
    return replace(filtered, verdict=Verdict.ALTERED) if now else filtered
