"""A process that lost an answer in the background ends neither that answer nor its record."""

import asyncio

import pytest

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import supervisor
from chatapp.llm import client
from chatapp.llm.providers import background
from history.models import Generation, GenerationStatus, RequestOutcome
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.chatapp.generation.thirty_rounds import ADA
from tests.chatapp.lone_generations import lone
from tests.factories import make_agent
from tests.patience import eventually
from tests.provider import LITELLM_WARNS
from tests.strict.background import BackgroundResponses
from tests.strict.server import Said, StrictProvider

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
WORDS = ["One, ", "two, ", "three, ", "four."]


@pytest.fixture
async def openai(monkeypatch, settings):
    settings.BACKGROUND_ANSWERS = True
    with StrictProvider(BackgroundResponses()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        yield provider
        provider.family.gate.set()
        await client.close()
    await close_connections()


async def begun(openai):
    """Return a runner in the middle of an answer, whose first pieces are stored."""
    openai.script(Said(text=WORDS))
    openai.family.gate.clear()
    await in_database(make_agent, model=openai.family.model)
    asked = Send(text="Count", client_msg_id="0" * 32, agent="demo")
    generation = (await in_database(send, ADA, asked)).generation
    made = lone(generation)
    made.task = asyncio.create_task(made.run())
    await asyncio.to_thread(eventually, generation.events.filter(kind="delta").exists)
    return made


async def test_a_process_that_was_taken_for_dead_leaves_the_answer_to_the_other_one(openai):
    made = await begun(openai)
    rows = Generation.objects.filter(pk=made.generation.pk)
    await in_database(lambda: rows.update(owner="another"))
    made.stream.emit("thought", ms=1)  # The next event that it tries to store.
    await made.task
    await background.settled()

    assert (await in_database(rows.get)).status == GenerationStatus.RUNNING
    assert not await in_database(RequestOutcome.objects.exists)
    assert openai.later == []


async def test_a_process_that_ends_leaves_the_answer_queued(openai):
    made = await begun(openai)
    made.cancel(GenerationStatus.INTERRUPTED)
    await made.task

    kept = await in_database(Generation.objects.get)
    assert (kept.status, kept.owner) == (GenerationStatus.QUEUED, "")
    assert kept.seq == await in_database(kept.events.count)
    assert openai.later == []

    openai.family.gate.set()
    again = lone(kept)
    await again.run()
    await background.settled()

    kept = await in_database(Generation.objects.get)
    assert kept.status == GenerationStatus.DONE
    assert (await in_database(kept.messages.get)).text == "".join(WORDS)
    assert len(openai.received) == 1


async def test_a_stop_before_anybody_took_it_up_ends_it_at_the_provider(openai):
    made = await begun(openai)
    made.cancel(GenerationStatus.INTERRUPTED)
    await made.task
    kept = await in_database(Generation.objects.get)

    await supervisor.stop(kept)
    await background.settled()

    kept = await in_database(Generation.objects.get)
    assert kept.status == GenerationStatus.STOPPED
    assert (await in_database(kept.messages.get)).text == "One, two, "
    assert openai.family.cancelled == {"resp_1"}
    assert openai.family.responses == {}
