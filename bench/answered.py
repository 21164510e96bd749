"""Stored conversations whose turns have records of their requests, as long chats have."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from uuid import uuid4

from agents.models import AgentTemplate
from bench.conversations import VISITOR, filled, new_conversation
from bench.texts import ANSWER
from chatapp.generation.records import prepare_step
from history.models import (
    CallFigures,
    ContextPlan,
    Conversation,
    Generation,
    GenerationStatus,
    RequestOutcome,
)
from history.services.answers.commands import Send
from history.services.answers.lifecycle import end
from history.services.answers.sending import send
from history.services.answers.so_far import Reply
from history.services.wire.figures import planned, reported, store_outcome

FIRST = 20  # The first messages, whose turns have no records of requests.
BATCH = 2_000  # Records written at once.
USAGE = {"prompt": 3_000, "completion": 100, "cache_read": 800}
COST = {"total": "0.0012"}


def make_records(agent: AgentTemplate, length: int) -> tuple[ContextPlan, ContextPlan]:
    """Make a conversation of about this length; return the records of a middle and the last turn.

    The app itself makes these two records and an early one. All others are copies, each of which
    belongs to a turn of its own.
    """
    conversation = filled(new_conversation(agent), FIRST, tools=False)
    records = [_answer(conversation)]
    for before, upto in pairwise((FIRST, length // 2, length)):
        filled(conversation, upto - before, tools=False)
        _copy(records[-1], turns=range(before // 2 + 3, upto // 2))
        records.append(_answer(conversation))
    return records[1], records[2]


def _answer(conversation: Conversation) -> ContextPlan:
    """Run one turn, from the question to the end of its answer."""
    ack = send(VISITOR, Send(text="And now?", client_msg_id=uuid4(), conversation=conversation.pk))
    generation = Generation.objects.select_related("branch").get(pk=ack.generation.pk)
    record = prepare_step(generation, 1).record
    counted = record.core_plan.window.counted  # Keeps the model's measured token factor at 1.
    store_outcome(record, {"usage": {**USAGE, "prompt": counted}, "total_ms": 900.0})
    end(generation, GenerationStatus.DONE, Reply(ANSWER))
    return record


def _copy(like: ContextPlan, turns: range) -> None:
    for start in range(turns.start, turns.stop, BATCH):
        numbers = turns[start - turns.start : start - turns.start + BATCH]
        generations = Generation.objects.bulk_create(_generations(like.generation, numbers))
        plans = ContextPlan.objects.bulk_create(_plans(like, generations))
        RequestOutcome.objects.bulk_create(
            RequestOutcome(plan=plan, usage=USAGE, cost=COST, total_ms=900.0) for plan in plans
        )
        CallFigures.objects.bulk_create(_figures(plans))


def _generations(like: Generation, turns: range) -> Iterator[Generation]:
    for turn in turns:
        yield Generation(
            conversation_id=like.conversation_id,
            branch_id=like.branch_id,
            turn=turn,
            status=GenerationStatus.DONE,
            snapshot=like.snapshot,
        )


def _plans(like: ContextPlan, generations: Sequence[Generation]) -> Iterator[ContextPlan]:
    for generation in generations:
        head = 2 * generation.turn - 2
        yield ContextPlan(
            generation=generation,
            step=1,
            branch_id=like.branch_id,
            head=head,
            plan={**like.plan, "settled": head + 1},
            parameters=like.parameters,
            texts=like.texts,
            request_hash=like.request_hash,
            version=like.version,
            milliseconds=like.milliseconds,
        )


def _figures(plans: Sequence[ContextPlan]) -> Iterator[CallFigures]:
    for plan in plans:
        yield CallFigures(
            plan=plan,
            conversation_id=plan.generation.conversation_id,
            model=plan.parameters["model"],
            agent=plan.generation.snapshot["agent"]["slug"],
            created=plan.created,
            **planned(plan.core_plan),
            **reported(USAGE, COST),
        )
