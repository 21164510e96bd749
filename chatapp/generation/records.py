"""Store each step of a generation: its plan, its calls and their results.

Every function here runs in a database thread.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from agents.mcp import Offer
from agents.mcp.models import PREFIX
from agents.models import AgentTemplate
from agents.tools import TOOLS, ToolResult, refused
from chatapp.generation import events
from chatapp.generation.reading.thoughts import stored_size
from chatapp.generation.usage import charge_pictures
from chatapp.llm.media import llm_request
from chatapp.llm.providers.background import goes_on
from chatapp.llm.request import LlmRequest
from chatapp.uploads.results import images_of, keep_with
from history.core.plan.plan import Plan
from history.core.projection.invariants import InvariantBroken
from history.core.transcript.bond import Bond
from history.core.transcript.messages import Role, ToolCall
from history.core.words.storable import storable
from history.models import ContextPlan, Generation, GenerationStatus, Message
from history.services.answers import background
from history.services.answers.delegating import hand_over
from history.services.answers.lifecycle import ended_as, store_messages
from history.services.answers.so_far import Reply, pieces_so_far, reply_so_far, thought_ms
from history.services.explain.raw.request import CannotRebuild, rebuilt, turn_then
from history.services.path.appending import assistant_message, result_message, storable_calls
from history.services.planning.planning import PlannedStep, plan_step, store_plan
from history.services.planning.planning import logger as history_logger
from history.services.planning.projecting import project_turn


@dataclass(frozen=True, slots=True)
class CallsToApprove:
    """The places of a round's calls that need approval, and the note for the last one's result."""

    places: Set[int]
    note: str


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """A planned request: its stored record, the event that announces it, and what to send. `bond`
    is what the answer's reasoning will be bound to, if anything. `age`: so many seconds ago the
    request was sent.
    """

    record: ContextPlan
    event: dict[str, Any]
    request: LlmRequest
    bond: Bond | None = None
    age: float = 0.0


def prepare_step(generation: Generation, step: int, percent: int = 100) -> PreparedStep:
    """Plan a request and store the plan, so that what the model is sent is known from here on.

    `percent` is how much of the budget to use. Raise `CannotPlan`.
    """
    planned = plan_step(generation, step, percent)
    parts = replace(planned.parts, background=_goes_on(planned))
    request = llm_request(parts)
    record = store_plan(planned, request.body())
    agent = generation.snapshot_at(step).agent.slug
    for line in log_lines(planned.projection.plan, agent):
        history_logger.debug(line)
    return PreparedStep(record, events.planned(generation, record), request, planned.bond)


def _goes_on(planned: PlannedStep) -> bool:
    """Return whether the provider is to go on with the answer if this process is gone."""
    return goes_on(planned.parts.model) and background.stands_alone(planned.record.generation)


def store_calls(
    generation: Generation,
    step: int,
    reply: Reply,
    calls: Sequence[ToolCall],
    questions: CallsToApprove,
) -> tuple[ToolCall, ...]:
    """Put the model's request for tools onto the path, and return the calls as stored."""
    prefix = f"call_{generation.pk.hex[:12]}_{step}"
    stored_calls = storable_calls(generation.conversation_id, calls, prefix)
    agent = generation.snapshot_at().agent.slug
    new = assistant_message(storable(reply.text), stored_calls, agent, reply.reasoning)
    asking = [stored_calls[place] for place in sorted(questions.places)]
    store_messages(generation, [new], (asking, questions.note))
    return stored_calls


def store_result(generation: Generation, step: int, call: ToolCall, result: ToolResult) -> None:
    """Put a tool's result onto the path. A hand-over applies from the next step on."""
    text = storable(result.text)
    if result.hands_to:
        hand_over(generation, step, call, text, result.hands_to)
        return
    charge_pictures(generation.conversation, result.pictures)
    images = images_of(result.pictures, call.name)
    new = result_message(call, text, failed=result.failed, took_ms=result.took_ms, parts=images)
    keep_with(result.pictures, call.name, lambda: store_messages(generation, [new])[0])


def is_delegated(generation: Generation) -> bool:
    """Return whether another agent, and not a person, asked for this answer."""
    return generation.conversation.asked_by_id is not None


def still_has(slug: str, name: str, offer: Offer) -> bool:
    """Whether the agent may still use the tool today, not only when the message was sent. It may
    use an MCP server's tool as long as it may use the server.
    """
    agent = AgentTemplate.objects.filter(slug=slug).first()
    offered = offer.find(name)
    entry = f"{PREFIX}{offered.server}" if offered else name
    return agent is not None and entry in agent.tools and bool(offered or name in TOOLS)


@dataclass(frozen=True, slots=True)
class UnfinishedStep:
    """A step whose answer its provider goes on with as `response`. `seen` is what viewers have of
    it, in `pieces`; `thought_ms` is how long the model thought, None if it may think still.
    """

    prepared: PreparedStep
    response: str
    seen: Reply
    pieces: Sequence[str]
    thought_ms: int | None


def unfinished_step(generation: Generation) -> UnfinishedStep | None:
    """Read the step that an earlier process of this generation did not finish, if there is one."""
    response = background.unfinished(generation)
    if response is None:
        return None
    record = response.plan
    age = (timezone.now() - record.created).total_seconds()
    request, bond = _request_then(record)
    prepared = PreparedStep(record, {}, request, bond, age)
    seen, pieces = reply_so_far(generation), pieces_so_far(generation)
    return UnfinishedStep(prepared, response.response, seen, pieces, thought_ms(generation))


def _request_then(record: ContextPlan) -> tuple[LlmRequest, Bond | None]:
    """Rebuild a request that was sent before, and what its answer's reasoning is bound to. Without
    this bond the reasoning is kept, but not sent again.
    """
    model = record.parameters["model"]
    try:
        then = turn_then(record)
        _, projection, parts = project_turn(then)
        matches = rebuilt(record, lambda parts: llm_request(parts).body()).matches
    except (CannotRebuild, ValueError, LookupError, InvariantBroken):
        return LlmRequest(model, []), None
    bond = PlannedStep(record, then, projection, parts).bond
    return LlmRequest(model, []), bond if matches else None


@dataclass(frozen=True, slots=True)
class Progress:
    """The counts that a resumed generation has reached. `bytes` is the size of its texts and its
    providers' fields.
    """

    step: int
    rounds: int
    percent: int
    bytes: int


def progress_of(generation: Generation) -> Progress:
    newest = generation.plans.order_by("-step").first()
    messages = generation.messages.filter(role=Role.ASSISTANT).only("text", "parts", "tool_calls")
    return Progress(
        step=newest.step if newest else 0,
        rounds=len(messages),
        percent=newest.plan.get("percent", 100) if newest else 100,
        bytes=sum(map(_size, messages)),
    )


def _size(message: Message) -> int:
    texts = [message.text, *(part.get("text", "") for part in message.parts)]
    fields = [each.get("fields", {}) for each in (*message.parts, *message.tool_calls)]
    return stored_size(texts, fields)


def store_unanswered(
    generation: Generation, calls: Sequence[ToolCall], status: GenerationStatus
) -> None:
    """Put a result onto the path for each call that will never have one of its own."""
    result = refused(f"no result: {ended_as(status)} before the tool was done.")
    new_messages = [result_message(call, result.text, failed=True) for call in calls]
    store_messages(generation, new_messages)


def log_lines(plan: Plan, agent: str) -> tuple[str, ...]:
    """Return log lines: the settings in force, and what was trimmed, but never a message's text."""
    counts = plan.counts
    policy, length = plan.settings.value("policy"), plan.settings.value("length")
    first = (
        f"[History] Agent {agent} history settings: "
        f'{{policy: "{policy}", length: {length}, messageCount: {counts.transcript}}}'
    )
    if not counts.trimmed:
        return (first,)
    return (first, f"[History] Trimmed messages from {counts.transcript} to {counts.sent}")
