"""Make conversations that are due for a summary, and their summaries after an answer."""

from asgiref.sync import async_to_sync, sync_to_async

from history.models import Checkpoint
from history.services.path.appending import append, assistant_message, user_message
from history.services.planning.planning import plan_input
from history.services.planning.projecting import project_turn
from history.services.summaries.due import next_summary
from history.services.summaries.target import SummaryTarget, target_of
from history.services.summaries.writing import make
from tests.factories import (
    add_plan,
    begin_turn,
    branch_of,
    end_turn,
    make_agent,
    make_conversation,
)
from tests.history.services import summarisers

QUICK = {"policy": "all", "summarize": True, "trigger_at": 10, "keep_recent": 2}
LONG = "Something that was said at some length, so that a summary is worth it. " * 3


def chat(count, processors=(), **values):
    """Make a conversation of this many messages, whose newest turn has just been answered."""
    agent = make_agent(history_settings={**QUICK, **values}, processors=list(processors))
    conversation = make_conversation(agent)
    say(conversation, count - 2)
    return conversation, reply(conversation)


def say(conversation, count):
    drafts = [user_message(LONG), assistant_message(LONG)] * (count // 2)
    append(branch_of(conversation), drafts)


def reply(conversation, query=""):
    generation = begin_turn(conversation, LONG, query)
    add_plan(generation)
    end_turn(generation, LONG)
    return generation


async def aside(function, *args):
    return await sync_to_async(function)(*args)


def after(generation, summarise=summarisers.prose):
    """Make all summaries that are due after an answer; return their rows."""
    made = []
    while job := next_summary(target_of(generation)):
        made.append(async_to_sync(make)(job, summarise, aside))
        if made[-1].state != "ready":
            break
    return made


def ends_after(monkeypatch, look, pending):
    """Let a pending summary end right after the code has looked at a path without it."""
    found = getattr(SummaryTarget, look)

    def look_and_then_it_ends(target):
        seen = found(target)
        Checkpoint.objects.filter(pk=pending.pk).update(state="ready", summary="Short.", tokens=5)
        return seen

    monkeypatch.setattr(SummaryTarget, look, look_and_then_it_ends)


def ranges(rows):
    return [(row.first, row.last) for row in rows]


def sent(generation):
    _, projection, _ = project_turn(plan_input(generation))
    plan = projection.plan
    history = (e for e in plan.entries if e.positions)
    return "".join(str(e.verdict) * e.count for e in history)
