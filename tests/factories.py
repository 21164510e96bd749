"""Database rows for tests, made by the app's own services."""

from collections.abc import Sequence
from itertools import chain, repeat
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import Permission, User
from django.utils import timezone

from agents.models import AgentTemplate
from history.core.transcript.parts import Part
from history.models import (
    Branch,
    Checkpoint,
    ContextPlan,
    Conversation,
    Generation,
    GenerationStatus,
    RequestOutcome,
)
from history.services.access import Actor
from history.services.path.appending import append, assistant_message, user_message
from history.services.planning.planning import PlannedStep, plan_step, store_plan
from history.services.settings.layers import draft_for, frozen
from history.services.wire.figures import store_figures
from tests.many_turns import repeat_last_turn

MANY = 400  # Beyond this number of turns, rows are copied.


def make_agent(slug: str = "demo", **fields: Any) -> AgentTemplate:
    made = {"name": slug.title(), "model": "demo/mirror", "system_prompt": "Be brief.", **fields}
    return AgentTemplate.objects.create(slug=slug, **made)


def make_conversation(
    agent: AgentTemplate | None = None, owner: User | None = None, visitor: str = "", **fields: Any
) -> Conversation:
    """Make a conversation of `owner` or of `visitor`; if neither is given, of a new visitor."""
    conversation = Conversation.objects.create(
        agent=agent or make_agent(),
        owner=owner,
        visitor="" if owner else visitor or uuid4().hex,
        active=timezone.now(),
        **fields,
    )
    conversation.branch = Branch.objects.create(conversation=conversation)
    conversation.save(update_fields=["branch"])
    return conversation


def make_reader(name: str, *others: str) -> User:
    """Make a staff user who may read everybody's chats; `others` are further permissions' code
    names.
    """
    user = User.objects.create_user(name, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["read_all", *others]))
    return user


def actor_for(conversation: Conversation) -> Actor:
    return Actor(conversation.owner, conversation.visitor)


def branch_of(conversation: Conversation) -> Branch:
    assert conversation.branch
    return conversation.branch


def add_turns(conversation: Conversation, count: int) -> None:
    """Add this many plain questions and answers at once, without generations.

    Beyond `MANY` turns, the rows are copies of the newest turn.
    """
    pair = [user_message("A question"), assistant_message("An answer")]
    append(branch_of(conversation), list(chain.from_iterable(repeat(pair, min(count, MANY)))))
    if count > MANY:
        repeat_last_turn(branch_of(conversation), count - MANY)


def make_summary(
    conversation: Conversation, *, branch: Branch | None = None, **fields: Any
) -> Checkpoint:
    """Make a summary of the first two turns, each of a question and an answer."""
    made = {"first": 0, "last": 3, "first_turn": 1, "last_turn": 2, "summary": "They met."}
    made |= {"tokens": 5, "source_tokens": 40, "state": "ready", **fields}
    where = branch or branch_of(conversation)
    return Checkpoint.objects.create(conversation=conversation, branch=where, **made)


def begin_turn(
    conversation: Conversation,
    text: str = "A question",
    query: str = "",
    parts: Sequence[Part] = (),
) -> Generation:
    """Add a user message and a running generation that answers it."""
    (message,) = append(branch_of(conversation), [user_message(text, parts=parts)])
    actor = actor_for(conversation)
    return Generation.objects.create(
        conversation=conversation,
        branch=branch_of(conversation),
        turn=message.turn,
        status=GenerationStatus.RUNNING,
        snapshot=frozen(draft_for(conversation, conversation.agent, actor, query)),
    )


def store_step(generation: Generation, step: int = 1, percent: int = 100) -> PlannedStep:
    """Plan a generation's request, and store the plan with the request's parts as its body."""
    planned = plan_step(generation, step, percent)
    store_plan(planned, vars(planned.parts))
    return planned


def add_plan(generation: Generation, step: int = 1, **outcome: Any) -> ContextPlan:
    """Store the plan of a generation's request, and its outcome if there are fields for one."""
    record = store_step(generation, step).record
    if outcome:
        answered = RequestOutcome(plan=record, **{"total_ms": 1.0, **outcome})
        answered.save()
        store_figures(record, answered)
    return record


def end_turn(generation: Generation, text: str = "An answer") -> None:
    append(generation.branch, [assistant_message(text)], generation)
    Generation.objects.filter(pk=generation.pk).update(status=GenerationStatus.DONE)


def add_turn(
    conversation: Conversation, text: str = "A question", answer: str = "An answer", query: str = ""
) -> ContextPlan:
    """Add a complete turn, with the plan of its request."""
    generation = begin_turn(conversation, text, query)
    record = add_plan(generation, usage={"prompt": 50, "completion": 5})
    end_turn(generation, answer)
    return record
