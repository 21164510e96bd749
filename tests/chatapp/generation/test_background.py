"""Whatever happens to the process of an answer in the background, it has one end and one reader."""

import asyncio

import pytest

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import deleting, supervisor
from chatapp.llm import client
from chatapp.llm.providers import background
from chatapp.process.resolving import resolve, tell
from history.models import (
    BackgroundResponse,
    Generation,
    GenerationStatus,
    RequestOutcome,
    Wire,
)
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.chatapp.generation.thirty_rounds import ADA
from tests.chatapp.lone_generations import lone
from tests.factories import make_agent
from tests.patience import eventually
from tests.provider import LITELLM_WARNS, Call
from tests.strict.background import BackgroundResponses
from tests.strict.server import Said, StrictProvider

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
WORDS = ["One, ", "two, ", "three, ", "four."]
SEEN, WHOLE = "".join(WORDS[:2]), "".join(WORDS)
CALLS = [Call("calculator", '{"expression": "1 + 1"}')]


@pytest.fixture
async def openai(monkeypatch, settings):
    settings.BACKGROUND_ANSWERS = True
    with StrictProvider(BackgroundResponses()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        provider.family.gate.clear()
        yield provider
        provider.family.gate.set()
        await client.close()
    await close_connections()


async def asked(openai, *said):
    openai.script(*said)
    await in_database(make_agent, model=openai.family.model, tools=["calculator"])
    question = Send(text="Count", client_msg_id="0" * 32, agent="demo")
    return (await in_database(send, ADA, question)).generation


def begin(generation):
    made = lone(generation)
    made.task = asyncio.create_task(made.run())
    return made


async def begun(openai, *said):
    """Return a runner in the middle of an answer, whose first pieces are stored."""
    generation = await asked(openai, *(said or [Said(text=WORDS)]))
    made = begin(generation)
    await asyncio.to_thread(eventually, generation.events.filter(kind="delta").exists)
    return made


async def left(openai, *said):
    """Return the generation of an answer that its process has left to another one."""
    made = await begun(openai, *said)
    made.cancel(GenerationStatus.INTERRUPTED)
    await made.task
    return await kept()


async def kept():
    await background.settled()
    return await in_database(Generation.objects.select_related("conversation").get)


async def text_of(generation):
    message = await in_database(generation.messages.order_by("position").last)
    return message.text if message else ""


@pytest.mark.parametrize("calls", [(), CALLS], ids=["text", "calls"])
@pytest.mark.parametrize("wakes_late", [False, True], ids=["in the middle", "at the end"])
async def test_a_process_taken_for_dead_leaves_all_to_the_other_one(openai, calls, wakes_late):
    made = await begun(openai, Said(text=WORDS, calls=calls))
    rows = Generation.objects.filter(pk=made.generation.pk)
    await in_database(lambda: rows.update(owner="another"))
    if wakes_late:
        openai.family.gate.set()
    else:
        made.stream.emit("thought", ms=1)  # The next event that it tries to store.
    await made.task

    generation = await kept()
    assert (generation.status, generation.owner) == (GenerationStatus.RUNNING, "another")
    assert not await in_database(RequestOutcome.objects.exists)
    assert not await in_database(generation.messages.exists)
    assert openai.later == []


async def test_what_one_process_leaves_another_one_completes(openai):
    generation = await left(openai)

    assert (generation.status, generation.owner) == (GenerationStatus.QUEUED, "")
    assert generation.seq == await in_database(generation.events.count)
    assert openai.later == []

    openai.family.gate.set()
    await begin(generation).task

    generation = await kept()
    assert generation.status == GenerationStatus.DONE
    assert await text_of(generation) == WHOLE
    assert len(openai.received) == 1
    assert openai.family.responses == {}


async def test_the_responses_of_earlier_steps_are_deleted_too(openai):
    openai.family.gate.set()
    generation = await asked(openai, Said(text=["So. "], calls=CALLS), Said(text=WORDS))
    made = begin(generation)
    openai.family.gate.clear()
    shown = generation.events.filter(kind="delta", payload__text__startswith="One")
    await asyncio.to_thread(eventually, shown.exists)
    made.cancel(GenerationStatus.INTERRUPTED)
    await made.task
    openai.family.gate.set()
    await begin(await kept()).task

    assert (await kept()).status == GenerationStatus.DONE
    assert openai.family.responses == {}


async def test_of_two_that_find_it_left_behind_one_queues_it(openai):
    made = await begun(openai)
    found = [await kept(), await kept()]
    await in_database(lambda: Generation.objects.update(owner="gone"))
    for each in found:
        each.owner = "gone"

    first, second = [await in_database(resolve, [each]) for each in found]

    assert (len(first.queued), second.queued, second.interrupted) == (1, [], [])
    assert (await kept()).status == GenerationStatus.QUEUED
    made.task.cancel()
    await asyncio.wait([made.task])


async def test_one_left_in_order_is_not_counted_twice(openai):
    generation = await left(openai)

    await in_database(resolve, [generation])

    assert (await in_database(BackgroundResponse.objects.get)).taken_up == 1


async def test_one_that_is_taken_up_no_more_ends_at_the_provider_too(openai):
    generation = await left(openai)
    await in_database(lambda: BackgroundResponse.objects.update(taken_up=3))

    await tell(await in_database(resolve, [generation]))

    generation = await kept()
    assert generation.status == GenerationStatus.INTERRUPTED
    assert await text_of(generation) == SEEN
    assert openai.family.cancelled == {"resp_1"}


async def stop(generation):
    await supervisor.stop(generation)


async def delete(generation):
    await deleting.delete(ADA, generation.conversation_id)


async def stop_while_it_is_claimed(generation):
    made = begin(generation)
    await asyncio.sleep(0)
    made.cancel(GenerationStatus.STOPPED)
    await made.task


async def stop_while_it_is_read_on(generation):
    made = begin(generation)
    running = Generation.objects.filter(status=GenerationStatus.RUNNING)
    await asyncio.to_thread(eventually, running.exists)
    made.cancel(GenerationStatus.STOPPED)
    await made.task


@pytest.mark.parametrize("end", [stop, delete, stop_while_it_is_claimed, stop_while_it_is_read_on])
async def test_who_ends_it_before_it_is_read_on_ends_it_at_the_provider(openai, end):
    generation = await left(openai)

    await end(generation)
    await background.settled()

    assert openai.family.cancelled == {"resp_1"}
    assert openai.family.responses == {}
    for generation in await in_database(lambda: list(Generation.objects.all())):
        assert generation.status == GenerationStatus.STOPPED
        assert await text_of(generation) == SEEN


async def end_while_it_is_claimed(made):
    await asyncio.sleep(0)
    made.cancel(GenerationStatus.INTERRUPTED)


async def end_while_it_is_read_on(made):
    running = Generation.objects.filter(status=GenerationStatus.RUNNING)
    await asyncio.to_thread(eventually, running.exists)
    made.cancel(GenerationStatus.INTERRUPTED)


@pytest.mark.parametrize("end", [end_while_it_is_claimed, end_while_it_is_read_on])
async def test_a_second_end_in_order_leaves_it_again(openai, end):
    made = begin(await left(openai))

    await end(made)
    await made.task

    assert (await kept()).status == GenerationStatus.QUEUED
    openai.family.gate.set()
    await begin(await kept()).task
    assert await text_of(await kept()) == WHOLE


async def test_a_stop_counts_more_than_the_end_of_the_process(openai):
    made = await begun(openai)
    made.cancel(GenerationStatus.STOPPED)
    made.cancel(GenerationStatus.INTERRUPTED)
    await made.task

    assert (await kept()).status == GenerationStatus.STOPPED
    assert openai.family.cancelled == {"resp_1"}


async def test_a_connection_cut_before_any_word_is_read_again(openai):
    openai.family.gate.set()
    openai.family.cuts, openai.family.cut_after = 1, 0
    await begin(await asked(openai, Said(text=WORDS))).task

    generation = await kept()
    assert generation.status == GenerationStatus.DONE
    assert await text_of(generation) == WHOLE
    assert (await in_database(RequestOutcome.objects.get)).attempts == 1
    assert await in_database(Wire.objects.count) == 1
    assert len(openai.received) == 1


async def test_a_task_that_nobody_could_go_on_with_is_not_asked_in_the_background(openai):
    openai.family.gate.set()
    generation = await asked(openai, Said(text=WORDS))
    await in_database(lambda: Generation.objects.update(kind=Generation.Kind.CONTINUE))
    generation.kind = Generation.Kind.CONTINUE
    await begin(generation).task

    assert "background" not in openai.received[0].body
    assert openai.received[0].body["store"] is False
