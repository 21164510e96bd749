"""The same planner with other settings: nothing is sent and nothing is stored."""

from collections.abc import Mapping
from dataclasses import replace

from agents.snapshot import snapshot
from history.core.kinds import Value
from history.core.layers import parse
from history.core.plan import Plan
from history.core.resolution import (
    Candidate,
    LayerName,
    Outcome,
    Resolved,
    SettingError,
    Settings,
)
from history.core.settings import BY_NAME
from history.models import Branch, ContextPlan, Conversation, Generation
from history.services.access import Actor
from history.services.errors import NotFound
from history.services.explain.explanation import Explanation
from history.services.explain.lookup import last_turn
from history.services.layers import resolve_settings
from history.services.marks import Marks, marks_on
from history.services.planning import Turn, project_turn, turn_of


def what_if_now(conversation: Conversation, values: Mapping[str, str], source: str) -> Explanation:
    """The open branch as it stands, with the settings that a message sent now would have."""
    if conversation.branch is None:
        raise NotFound("plan")
    agent = snapshot(conversation.agent)
    newest = last_turn(conversation)
    turn = Turn(
        branch=conversation.branch,
        number=newest,
        agent=dict(agent),
        settings=overridden(_present_settings(conversation), values, source),
        prompt=agent["system_prompt"],
        marks=marks_on(conversation.branch),
        processors=agent["processors"],
    )
    return Explanation(plan=_plan(turn), agent=agent, turn=newest, turns=newest)


def what_if_then(record: ContextPlan, values: Mapping[str, str], source: str) -> Explanation:
    """A request of the past, planned anew. With no values it is the recorded plan."""
    last = last_turn(record.generation.conversation)
    turn = turn_of(record.generation)
    through = Branch(  # Never saved.
        conversation_id=record.branch.conversation_id,
        lineage=record.branch.fork_lineage(record.head),
    )
    recorded = Plan.from_dict(record.plan)
    plan = _plan(
        replace(
            turn,
            branch=through,
            settings=overridden(turn.settings, values, source),
            marks=Marks.from_dict(record.marks),
            checkpoints=tuple(record.checkpoints),
            settled=recorded.settled,
            factor=recorded.factor,
            percent=recorded.percent,
        )
    )
    agent = record.generation.snapshot["agent"]
    return Explanation(plan, agent, record.generation.turn, last, record.step)


def overridden(settings: Settings, values: Mapping[str, str], source: str) -> Settings:
    """With these values above every layer; all else stays. Raises `SettingError`."""
    named = {name: _override(settings, name, raw, source) for name, raw in values.items()}
    return Settings({**settings.resolved, **named})


def _override(settings: Settings, name: str, raw: str, source: str) -> Resolved:
    if name not in BY_NAME:
        raise SettingError(f"{name}: no such setting; there are {', '.join(BY_NAME)}")
    value = parse(BY_NAME[name], LayerName.ENVIRONMENT, raw)  # Text, as there.
    winner = Candidate(LayerName.ENVIRONMENT, source, raw, value, Outcome.WINNER)
    others = tuple(_outranked(candidate, value) for candidate in settings[name].candidates)
    return Resolved(name, (winner, *others), locked=False)


def _outranked(candidate: Candidate, value: Value) -> Candidate:
    """What was locked, refused or invalid stays that."""
    if candidate.outcome not in {Outcome.WINNER, Outcome.OUTRANKED}:
        return candidate
    reason = "same value, lower rank" if candidate.value == value else "lower rank"
    return replace(candidate, outcome=Outcome.OUTRANKED, reason=reason)


def _present_settings(conversation: Conversation) -> Settings:
    """Of the owner, at the address that the newest message was sent from."""
    newest = Generation.objects.filter(conversation=conversation).order_by("created").last()
    query = newest.snapshot["query"] if newest else ""
    actor = Actor(conversation.owner, conversation.visitor)
    return resolve_settings(conversation.agent, actor, query, conversation)


def _plan(turn: Turn) -> Plan:
    _, projection, _ = project_turn(turn)
    return projection.plan
