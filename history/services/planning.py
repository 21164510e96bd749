"""One request to a model: read what may be sent, project it, and store the plan before it goes.

Reads only the part of the transcript that the policy can send; what lies before it is known from
the running sums of its neighbours.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

from agents.tools import schemas
from history.core.invariants import check
from history.core.messages import Role, Transcript, Unread
from history.core.plan import PLANNER_VERSION
from history.core.policies import horizon
from history.core.projection import (
    SYSTEM_PROMPT,
    Injected,
    Projection,
    ProjectionRequest,
    project,
)
from history.core.resolution import Settings
from history.core.wire import openai_messages, request_hash
from history.models import Branch, ContextPlan, Generation, Message
from history.services.appending import head_of
from history.services.reading import on_path
from history.services.texts import store_text, stored_text
from history.tokens import REPLY_PRIMING, count_message, count_tools, counter_name

logger = logging.getLogger("history")

CONTINUE_INSTRUCTION = (
    "Continue your answer exactly where it ended. Do not repeat anything and do not comment on it."
)


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A stored plan and the parts of the request it describes."""

    record: ContextPlan
    projection: Projection
    parts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """What a projection is made for: a path, and what the agent and the settings say of it."""

    branch: Branch
    agent: dict[str, Any]
    settings: Settings
    prompt: str
    continues: bool = False


def plan_step(
    generation: Generation, step: int, make_body: Callable[[dict[str, Any]], dict[str, Any]]
) -> PlannedStep:
    """Plan one request and store the plan. `make_body` makes the canonical request of its parts."""
    started = perf_counter()
    turn = turn_of(generation)
    projection, parts = project_turn(turn)
    body = make_body(parts)
    head = projection.plan.counts.transcript - 1
    record = ContextPlan(
        generation=generation,
        step=step,
        branch=turn.branch,
        head=max(head, 0),
        plan=projection.plan.as_dict(),
        parameters={key: body.get(key) for key in ("model", "temperature", "max_tokens")},
        texts=_texts(turn, body),
        request_hash=request_hash(body),
        version=PLANNER_VERSION,
        milliseconds=round((perf_counter() - started) * 1000, 2),
    )
    record.save()
    return PlannedStep(record, projection, parts)


def turn_of(generation: Generation) -> Turn:
    agent = generation.snapshot["agent"]
    return Turn(
        branch=generation.branch,
        agent=agent,
        settings=Settings.from_dict(generation.snapshot["settings"]),
        prompt=stored_text(agent["system_prompt"]),
        continues=generation.kind == Generation.Kind.CONTINUE,
    )


def project_turn(turn: Turn) -> tuple[Projection, dict[str, Any]]:
    """The projection of the path as it stands, and the parts of the request. Stores nothing."""
    transcript = read_transcript(turn.branch, turn.settings)
    tools = schemas(turn.agent["tools"])
    injected = _injected(turn)
    request = ProjectionRequest(
        settings=turn.settings,
        injected=injected,
        tool_schema_tokens=count_tools(tools) + REPLY_PRIMING,
        counter=counter_name(turn.agent["model"]),
    )
    projection = project(transcript, request)
    check(transcript, projection)
    return projection, {
        "model": turn.agent["model"],
        "messages": openai_messages(projection.messages, injected),
        "tools": tools,
        "temperature": turn.agent["temperature"],
        "max_tokens": turn.agent["output_limit"],
    }


def read_transcript(branch: Branch, settings: Settings) -> Transcript:
    """The path: whole messages from the policy's horizon on, unread runs before it."""
    head = head_of(branch)
    if head is None:
        return ()
    tail = _tail(branch, horizon(settings, head.turn))
    start = tail[0].position
    if start == 0:
        return tuple(row.as_core() for row in tail)
    kept = _system_messages(branch, start) if settings.value("preserve_system_messages") else []
    return (*_before(branch, kept, tail[0]), *(row.as_core() for row in tail))


def _tail(branch: Branch, first_turn: int) -> list[Message]:
    """The messages from a turn on; the newest stretch of the path nearly always holds them all."""
    found: list[Message] = []
    for span in branch.spans():
        # Turn first: by position alone SQLite walks the whole branch, 25 ms at 100,000 messages.
        rows = Message.objects.on_span(span).filter(turn__gte=first_turn)
        rows = rows.order_by("turn", "position")
        found = [*rows, *found]
        if found and found[0].position > span[1]:
            break
    return found


def _system_messages(branch: Branch, before: int) -> list[Message]:
    rows = Message.objects.filter(on_path(branch, before - 1), role=Role.SYSTEM)
    return list(rows.order_by("position"))


def _before(branch: Branch, kept: list[Message], start: Message) -> Transcript:
    """What lies before the window: kept system messages, and the unread runs between them."""
    first_turns = _turns_at(branch, [0, *(row.position + 1 for row in kept)])
    parts: list[Any] = []
    position, tokens = 0, 0
    for row in [*kept, start]:
        if row.position > position:
            last_turn = row.turn - (row.role == Role.USER)
            before = row.tokens_through - row.tokens
            parts.append(
                Unread(
                    first=position,
                    last=row.position - 1,
                    first_turn=first_turns[position],
                    last_turn=last_turn,
                    tokens=before - tokens,
                )
            )
        if row is not start:
            parts.append(row.as_core())
        position, tokens = row.position + 1, row.tokens_through
    return tuple(parts)


def _turns_at(branch: Branch, positions: list[int]) -> dict[int, int]:
    rows = Message.objects.filter(on_path(branch), position__in=positions)
    return dict(rows.values_list("position", "turn"))


def _injected(turn: Turn) -> tuple[Injected, ...]:
    """What is sent but is no message of the transcript."""
    parts = []
    if turn.prompt:
        parts.append(_inject(SYSTEM_PROMPT, Role.SYSTEM, turn.prompt, "start"))
    if turn.continues:
        parts.append(_inject("continue instruction", Role.USER, CONTINUE_INSTRUCTION, "end"))
    return tuple(parts)


def _inject(label: str, role: Role, text: str, place: Literal["start", "end"]) -> Injected:
    return Injected(label, role, text, count_message(role, text, ()), place)


def _texts(turn: Turn, body: dict[str, Any]) -> dict[str, str]:
    """The hashes under which everything is found that the transcript does not hold."""
    texts = {"system_prompt": turn.agent["system_prompt"]}
    if body.get("tools"):
        texts["tools"] = store_text(json.dumps(body["tools"], sort_keys=True))
    if turn.continues:
        texts["continue"] = store_text(CONTINUE_INSTRUCTION)
    return texts
