"""What a request is planned from, and its projection."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from agents.context import ContextTexts
from agents.effective import Output
from agents.mcp import NO_OFFER, Offer
from agents.snapshot import AgentSnapshot
from agents.tools import schemas
from history.core.money.cache import slides
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.neutral_request import lasting, openai_messages
from history.core.plan.plan import digest
from history.core.projection.invariants import check
from history.core.projection.project import Projection
from history.core.projection.request import ProjectionRequest
from history.core.settings.resolved import Settings
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import chain_hash
from history.core.transcript.messages import Transcript
from history.core.words.facts import Note
from history.models import Branch
from history.services.path.marks import NO_MARKS, Marks
from history.services.path.transcripts import Path, path_of, project_path
from history.services.planning.abilities import model_facts
from history.services.planning.behind import plan_behind
from history.services.planning.called import RequestParts
from history.services.planning.context_texts import context_now, injected_texts
from history.services.planning.output import OutputRequest, asked_of
from history.services.planning.prompts import RunningStep, project_kept
from history.services.planning.unsent import not_taken
from history.services.summaries.due import is_rested
from history.tokens import REPLY_PRIMING, count_text, count_tools, counter_name


@dataclass(frozen=True, slots=True)
class PlanInput:
    """The input of a projection: a path, and what the agent and the settings say about it.

    `number` is the path's newest turn; `is_upcoming`: a message that is not written yet will follow
    it. `prompts` are the system prompts of a past request, None means that they are to be chosen.
    `settled` and `percent` are as in `ProjectionRequest`; `checkpoints` names those that applied to
    a past plan, None means all that apply now; `context` holds a generation's texts, None means
    today's; `offer` the MCP tools. `withheld` is as in `model_facts`. `running` is the step of an
    answer that is being planned, None for all other plans.
    """

    branch: Branch
    number: int
    agent: AgentSnapshot
    settings: Settings
    prompt: str
    continues: bool = False
    marks: Marks = NO_MARKS
    checkpoints: tuple[int, ...] | None = None
    settled: int | None = None
    factor: float = 1.0
    percent: int = 100
    processors: Mapping[str, Any] = field(default_factory=dict)
    context: ContextTexts | None = None
    offer: Offer = NO_OFFER
    withheld: str | None = None
    prompts: tuple[Injected, ...] | None = None
    running: RunningStep | None = None
    is_upcoming: bool = False

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools' schemas, in OpenAI's format."""
        own = schemas(self.agent.tools) + self.offer.schemas()
        return own + [tool.schema for tool in (*self.agent.asks, *self.agent.transfers)]

    @property
    def tools_digest(self) -> str:
        return digest(json.dumps(self.tools, sort_keys=True)) if self.tools else ""

    @property
    def asked(self) -> OutputRequest:
        return asked_of(Output.of_agent(self.agent), self.settings)

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on tools, agents and parameters that are left out."""
        unsent = not_taken(Output.of_agent(self.agent), self.agent.temperature, self.settings)
        return (*self.offer.notes, *self.agent.notes, *unsent)


def project_turn(turn: PlanInput) -> tuple[Path, Projection, RequestParts]:
    """Project the path as it is; also return the parts of the request. Store nothing."""
    path, request = request_of(turn)
    transcript, projection = _projected(turn, path, request)
    check(transcript, projection)
    tools, demand = turn.tools, turn.asked
    parts = RequestParts(
        model=turn.agent.model,
        messages=openai_messages(projection.messages, projection.injected),
        tools=tools,
        temperature=turn.agent.temperature,
        max_tokens=demand.max_tokens,
        reasoning_effort=demand.effort,
        slides=slides(projection.plan) and not tools,  # The next round reads the end again.
        lasting=lasting(projection.messages, projection.injected),
    )
    return path, projection, parts


def _projected(
    turn: PlanInput, path: Path, request: ProjectionRequest
) -> tuple[Transcript, Projection]:
    if turn.prompts is None:
        # The last request may be of this turn, if an answer goes on or a message will follow.
        has_read = turn.is_upcoming or turn.continues
        place = turn.number + has_read
        return project_kept(path, request, turn.agent, place, turn.running)
    rest = [text for text in request.injected if text.label != SYSTEM_PROMPT]
    return project_path(path, replace(request, injected=(*turn.prompts, *rest)))


def request_of(turn: PlanInput) -> tuple[Path, ProjectionRequest]:
    """Return the path as it is, and the request for its projection."""
    tools, chain, model = turn.tools, chain_hash(turn.processors), turn.agent.model
    path = path_of(turn.number, turn.branch, turn.marks, chain, turn.checkpoints)
    context = turn.context or context_now(turn.agent, turn.branch, turn.number)
    demand = turn.asked
    request = ProjectionRequest(
        settings=demand.settings,
        injected=injected_texts(turn.prompt, context, continues=turn.continues),
        notes=context.notes + turn.notes + path.notes,
        tool_schema_tokens=count_tools(tools) + REPLY_PRIMING,
        tool_schema_digest=turn.tools_digest,
        counter=counter_name(model),
        levels=parse_levels(turn.processors),
        pins=turn.marks.pins,
        exclusions=turn.marks.exclusions,
        checkpoints=path.checkpoints,
        settled=turn.settled,
        factor=turn.factor,
        percent=turn.percent,
        count=count_text,
        waits=_waits(turn),
        behind=partial(plan_behind, turn.branch),
        **model_facts(demand.effort, model, turn.factor, turn.withheld),
    )
    return path, request


def _waits(turn: PlanInput) -> bool:
    """Whether a due summary must wait; looked up only if a plan would say that one is due."""
    by_budget = turn.settings.value("pruner") == "summarize"
    return by_budget and not is_rested(turn.branch.conversation_id, turn.settings)
