"""What the panel shows of one plan, or of a chat with no requests yet."""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.effective import remembered_by
from agents.models import AgentTemplate
from chatapp.inspector.advice import AdviceLine, advice_line
from chatapp.inspector.bars import Bars, bars
from chatapp.inspector.cascade import Cascade
from chatapp.inspector.conversation import ConversationPicture, conversation_picture
from chatapp.inspector.cost.costs import CostZone, cost_zone
from chatapp.inspector.cost.parts import with_costs
from chatapp.inspector.cost.strip import Strip, strip
from chatapp.inspector.forms import RecordQuery
from chatapp.inspector.map import InjectedText, MapRow, with_cache_line, with_texts
from chatapp.inspector.summaries import SummariesZone, summaries_of
from chatapp.inspector.timeline import TimelineBar, drawn
from chatapp.inspector.turns import RequestChoice, TurnLink, links, near
from chatapp.inspector.upcoming import upcoming
from chatapp.inspector.whatif.experiments import ExperimentBeside, experiments_of
from chatapp.inspector.whatif.form import WhatIfForm
from chatapp.inspector.whatif.taking import SettingsTaken, still_taken
from chatapp.inspector.why_nothing import why_nothing
from history.core.facts import Note
from history.core.stages.policies import policy_of
from history.models import ContextPlan, Conversation
from history.services.access import Actor, may_see_cost
from history.services.errors import NotFound
from history.services.explain.claims import NO_CLAIMS, Claims, claims_of
from history.services.explain.cost.costs import steps_of
from history.services.explain.cost.previous import common_with, request_before
from history.services.explain.cost.turn_figures import turn_figures
from history.services.explain.explanation import Explanation, explanation_of
from history.services.explain.lookup import (
    TurnRequest,
    attempts,
    last_turn,
    recorded_turns,
    shown_plan,
)
from history.services.explain.map.rows import MessageRow, map_rows
from history.services.explain.timeline import Timeline, timeline_of
from history.services.planning.unsent import unsent_next
from history.services.settings.answerer import answering, template_of
from history.services.settings.beginning import to_come
from history.services.settings.layers import resolve_settings
from history.wording.deciding.sources import sources_of
from history.wording.notes import WordedNote, worded
from history.wording.remembering import length_range, length_unit


@dataclass(frozen=True, slots=True)
class Panel:
    """One stored plan, with all data but the form's list of models.

    `attempts` are all requests for its turn; `upcoming` lists the settings that will differ for the
    next message, if the newest turn is shown; `taken` is what was applied to the chat and can be
    undone.
    """

    record: ContextPlan
    explanation: Explanation
    cascade: Cascade
    summaries: SummariesZone
    turns: list[TurnLink | None]
    strip: Strip
    attempts: Sequence[TurnRequest]
    rows: list[MapRow]
    cost: CostZone | None
    timeline: Timeline
    upcoming: Sequence[str] = ()
    advice: AdviceLine | None = None
    experiments: Sequence[ExperimentBeside] = ()
    taken: SettingsTaken | None = None

    @property
    def conversation(self) -> Conversation:
        return self.record.generation.conversation

    @property
    def bars(self) -> Bars:
        return bars(self.explanation.plan.window)

    @property
    def headline(self) -> str:
        return self.explanation.headline

    @property
    def warnings(self) -> tuple[WordedNote, ...]:
        """What must not be overlooked; other notes are with the settings."""
        return tuple(note for note in self.explanation.notes if note.is_warning)

    @property
    def picture(self) -> ConversationPicture:
        return conversation_picture(self.explanation.plan, has_left=self.explanation.has_left)

    @property
    def phases(self) -> list[tuple[str, list[TimelineBar]]]:
        return drawn(self.timeline)

    @property
    def what_if(self) -> WhatIfForm:
        """The what-if form, with nothing changed yet."""
        explanation = self.explanation
        return WhatIfForm(explanation.plan.settings, str(explanation.agent["model"]), {})

    @property
    def query(self) -> str:
        """The query that names this very record."""
        return f"generation={self.record.generation_id}&step={self.record.step}"

    @property
    def most(self) -> int:
        """The most expensive row, for the meters."""
        messages = [row.tokens for row in self.rows if isinstance(row, MessageRow)]
        injected = [row.row.tokens for row in self.rows if isinstance(row, InjectedText)]
        return max([*messages, *injected, 1])

    @property
    def answers(self) -> list[RequestChoice]:
        """The turn's generations, the oldest first."""
        found = list(dict.fromkeys(attempt.generation for attempt in self.attempts))
        return [
            RequestChoice(number, f"generation={pk}", pk == self.record.generation_id)
            for number, pk in enumerate(found, 1)
        ]

    @property
    def steps(self) -> list[RequestChoice]:
        own = [a for a in self.attempts if a.generation == self.record.generation_id]
        return [
            RequestChoice(
                a.step, f"generation={a.generation}&step={a.step}", a.step == self.record.step
            )
            for a in own
        ]

    @property
    def previous(self) -> int | None:
        return self._recorded(self.explanation.turn - 1)

    @property
    def next(self) -> int | None:
        return self._recorded(self.explanation.turn + 1)

    def _recorded(self, turn: int) -> int | None:
        recorded = {link.number for link in self.turns if link and link.is_recorded}
        return turn if turn in recorded else None


@dataclass(frozen=True, slots=True)
class SettingsOnly:
    """The settings that a message sent now would have; there is no plan to show.

    `claims` are what the file of an imported chat says instead.
    """

    agent: AgentTemplate
    cascade: Cascade
    sentence: str
    unsent: tuple[Note, ...] = ()
    claims: Claims = NO_CLAIMS

    @property
    def policy(self) -> str:
        return str(self.cascade.resolved.value("policy"))

    @property
    def length(self) -> str:
        return length_range(self.cascade.resolved)

    @property
    def length_unit(self) -> str:
        return length_unit(self.cascade.resolved)

    @property
    def sources(self) -> tuple[str, ...]:
        return sources_of(self.cascade.resolved)

    @property
    def remembers(self) -> str:
        return remembered_by(self.agent, self.cascade.resolved)

    @property
    def notes(self) -> tuple[WordedNote, ...]:
        return worded((*policy_of(self.cascade.resolved).notes, *self.unsent))


def panel_of(
    actor: Actor, conversation: Conversation, wanted: RecordQuery, query: str | None = None
) -> Panel:
    """Build the panel; `query` is the open chat's. Raise NotFound without a record."""
    record = shown_plan(conversation, wanted.turn, wanted.generation, wanted.step)
    last = last_turn(conversation)
    explanation = explanation_of(record, last)
    numbers = near(explanation.turn, max(last, explanation.turn))
    plan, steps = explanation.plan, steps_of(record.generation)
    common = common_with(record, plan, request_before(record)) if explanation.has_left else None
    cost = cost_zone(record, plan, steps, common) if may_see_cost(actor, conversation) else None
    mapped = map_rows(record, plan)
    costly = with_costs(mapped, cost.inputs) if cost and cost.is_paid else mapped
    rows = with_texts(costly, actor, record)
    return Panel(
        record=record,
        explanation=explanation,
        cascade=Cascade(plan.settings, template_of(record), actor),
        summaries=summaries_of(conversation, plan),
        turns=list(links(numbers, explanation.turn, recorded_turns(conversation, numbers))),
        strip=strip(explanation.turn, turn_figures(record)),
        attempts=attempts(record),
        rows=with_cache_line(list(rows), common),
        cost=cost,
        timeline=timeline_of(record.generation, steps),
        upcoming=upcoming(actor, conversation, explanation, query),
        advice=advice_line(actor, conversation, explanation, query) if cost else None,
        experiments=experiments_of(record, with_money=cost is not None),
        taken=still_taken(actor, conversation) if explanation.turn >= last else None,
    )


def panel_or_settings(
    actor: Actor, conversation: Conversation, wanted: RecordQuery, query: str | None
) -> Panel | SettingsOnly:
    """Build the panel; without a record, show the next message's settings and say why."""
    try:
        return panel_of(actor, conversation, wanted, query)
    except NotFound:
        agent = answering(conversation)
        resolved = resolve_settings(agent, actor, query or "", conversation)
        unsent = unsent_next(agent, conversation.model, resolved)
        claims = claims_of(conversation, wanted.turn)
        cascade = Cascade(resolved, agent, actor)
        return SettingsOnly(agent, cascade, why_nothing(wanted), unsent, claims)


def settings_of(actor: Actor, agent: AgentTemplate, query: str) -> SettingsOnly:
    """Show the settings of a chat that has not begun."""
    cascade = Cascade(resolve_settings(agent, actor, query, to_come(query)), agent, actor)
    unsent = unsent_next(agent, "", cascade.resolved)
    return SettingsOnly(agent, cascade, why_nothing(RecordQuery()), unsent)
