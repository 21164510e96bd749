"""Stored conversations of any length, and generations that wait to be planned."""

from functools import partial
from itertools import pairwise
from uuid import uuid4

from django.utils import timezone

from agents.models import AgentTemplate
from bench.texts import ANSWER, FOUND, QUESTION, THOUGHT
from history.core.settings.spec import Value
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import Image, Reasoning, ReasoningForm
from history.models import Branch, Checkpoint, CheckpointState, Conversation, Generation, Message
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from history.services.path.appending import (
    NewMessage,
    append,
    assistant_message,
    result_message,
    user_message,
)

BATCH = 10_000
KEEP = 60  # The newest messages, which no checkpoint covers.
VISITOR = Actor(visitor="b" * 32)
PICTURE = Image("a" * 64, "b" * 64, "image/jpeg", "tram.jpg", 1_280, 960, 245_000, tokens=1_105)
NAMED = {"field": "reasoning_content"}
THINKING = Reasoning(ReasoningForm.TEXT, THOUGHT, "deepseek", NAMED, tokens=170)


def agent_with(name: str, **settings: Value) -> AgentTemplate:
    agent, _ = AgentTemplate.objects.update_or_create(
        slug=name.lower().replace(" ", "-"),
        defaults={
            "name": name,
            "system_prompt": "Be brief.",
            "tools": ["calculator"],
            "history_settings": {"context_window": 128_000, **settings},
        },
    )
    return agent


def waiting(
    agent: AgentTemplate, length: int, *, tools: bool = False, parts: bool = False
) -> Generation:
    """Make a generation that answers the last message of a conversation of this length."""
    conversation = filled(new_conversation(agent), length, tools=tools, parts=parts)
    ack = send(VISITOR, Send(text="And now?", client_msg_id=uuid4(), conversation=conversation.pk))
    return Generation.objects.select_related("branch").get(pk=ack.generation.pk)


def new_conversation(agent: AgentTemplate) -> Conversation:
    """Make a conversation with no messages yet."""
    conversation = Conversation.objects.create(
        agent=agent, active=timezone.now(), **VISITOR.ownership
    )
    conversation.branch = Branch.objects.create(conversation=conversation)
    conversation.save()
    return conversation


def filled(
    conversation: Conversation, length: int, *, tools: bool, parts: bool = False
) -> Conversation:
    """Add this many messages to the conversation."""
    assert conversation.branch
    done = 0
    while done < length:
        batch = min(BATCH, length - done)
        numbers = range(done, done + batch // 4)
        turns = _with_parts if parts else partial(_turns, tools=tools)
        drafts = [draft for number in numbers for draft in turns(number)]
        append(conversation.branch, drafts)
        done += batch
    return conversation


def summarised(generation: Generation, *, points: int = 4) -> None:
    """Add checkpoints over all but the newest messages."""
    branch = generation.branch
    end = Message.objects.filter(branch=branch).count() - KEEP
    bounds = [end * n // points // 4 * 4 for n in range(points + 1)]
    rows = Message.objects.filter(branch=branch)
    turns = dict(rows.filter(position__in=[b - 1 for b in bounds]).values_list("position", "turn"))
    Checkpoint.objects.bulk_create(
        Checkpoint(
            conversation_id=branch.conversation_id,
            branch=branch,
            first=first,
            last=following - 1,
            first_turn=turns.get(first - 1, 0) + 1,
            last_turn=turns[following - 1],
            summary="They spoke about trams, harbours and fares. " * 10,
            tokens=120,
            source_tokens=50 * (following - first),
            state=CheckpointState.READY,
        )
        for first, following in pairwise(bounds)
        if following > first
    )


def _turns(number: int, *, tools: bool) -> list[NewMessage]:
    """Make four messages: two plain turns, or one that uses a tool."""
    if not tools:
        return [user_message(QUESTION), assistant_message(ANSWER)] * 2
    call = ToolCall(f"call_{number}", "timetable", '{"from": "station", "to": "harbour"}')
    return [
        user_message(QUESTION),
        assistant_message("", [call]),
        result_message(call, FOUND, failed=False),
        assistant_message(ANSWER),
    ]


def _with_parts(number: int) -> list[NewMessage]:
    """Make two turns: each answer has reasoning, and every tenth message has a picture."""
    answer = assistant_message(ANSWER, parts=[THINKING])
    pictures = [[PICTURE] if turn % 5 == 0 else [] for turn in (2 * number, 2 * number + 1)]
    return [m for parts in pictures for m in (user_message(QUESTION, parts=parts), answer)]
