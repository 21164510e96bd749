"""An answer outlasts a database that goes away for a moment, before or after it has written."""

import asyncio
import uuid
from collections import Counter

import pytest
from django.db import OperationalError

from chatapp.databases import threads
from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import event_writer
from chatapp.llm import client
from chatapp.llm.mirror import provider
from history.models import Generation, GenerationEvent, GenerationStatus, RequestOutcome
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.chatapp.lone_generations import lone
from tests.factories import make_agent
from tests.provider import LITELLM_WARNS

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
SUM = "What is 6 * 7?"
WRITES = [
    "_claim",
    "started",
    "prepare_step",
    "log_batches",
    "settle",
    "store_calls",
    "call_cards",
    "store_result",
    "call_card",
    "end",
    "ended",
    "in_conversation",
]


class Fickle:
    """Does the database's work; the first time, the function named `refuses` fails: `is_late` if it
    is done before it fails.
    """

    def __init__(self, refuses, *, is_late):
        self.run, self.refuses, self.is_late = threads._run, refuses, is_late
        self.asked = Counter()

    def __call__(self, function, *args, **kwargs):
        name = getattr(function, "__name__", "")
        self.asked[name] += 1
        fails = name == self.refuses and self.asked[name] == 1
        if not fails or self.is_late:
            result = self.run(function, *args, **kwargs)
        if fails:
            raise OperationalError("the server closed the connection")
        return result


@pytest.fixture
async def queued(monkeypatch):
    monkeypatch.setattr(provider, "words_per_second", 1e9)
    monkeypatch.setattr(threads, "PAUSES", (0.001,))
    monkeypatch.setattr(event_writer, "FLUSH_SECONDS", 0.001)
    await in_database(make_agent, tools=["calculator"])
    message = Send(text=SUM, client_msg_id=uuid.uuid4(), agent="demo")
    yield (await in_database(send, Actor(visitor="ada"), message)).generation
    await client.close()
    await close_connections()


async def ran(generation):
    made = lone(generation)
    made.task = asyncio.create_task(made.run())
    await made.task


def stored_of(generation):
    """Return all that is stored of an answer, without times."""
    row = Generation.objects.get(pk=generation.pk)
    events = GenerationEvent.objects.filter(generation=row).order_by("seq")
    return {
        "status": (row.status, row.error),
        "messages": list(row.messages.order_by("position").values_list("role", "text")),
        "plans": list(row.plans.order_by("step").values_list("step", flat=True)),
        "outcomes": RequestOutcome.objects.filter(plan__generation=row).count(),
        "numbers": list(events.values_list("seq", flat=True)) == list(range(1, row.seq + 1)),
        "last event": events.last().kind,
    }


@pytest.mark.parametrize("is_late", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("refuses", WRITES)
async def test_an_answer_is_stored_once_whatever_the_database_refuses(
    queued, monkeypatch, refuses, is_late
):
    fickle = Fickle(refuses, is_late=is_late)
    monkeypatch.setattr(threads, "_run", fickle)
    await ran(queued)
    found = await in_database(stored_of, queued)

    assert fickle.asked[refuses] > 1
    assert found == {
        "status": (GenerationStatus.DONE, None),
        "messages": [("assistant", ""), ("tool", "42"), ("assistant", found["messages"][2][1])],
        "plans": [1, 2],
        "outcomes": 2,
        "numbers": True,
        "last event": "end",
    }


async def test_what_the_database_keeps_refusing_ends_the_answer(queued, monkeypatch):
    run = threads._run

    def refusing(function, *args, **kwargs):
        if function.__name__ == "store_calls":
            raise OperationalError("the statement took too long")
        return run(function, *args, **kwargs)

    monkeypatch.setattr(threads, "REFUSED_SECONDS", 0.05)
    monkeypatch.setattr(threads, "_run", refusing)
    await ran(queued)
    found = await in_database(stored_of, queued)

    assert (found["status"][0], found["status"][1]["kind"]) == (GenerationStatus.FAILED, "unstored")
