"""Advice is made in the background, one chat at a time, never while an answer is written."""

import asyncio
import threading
from contextlib import suppress

import pytest

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import advising
from history.core.money.cost import UNPRICED
from history.models import Advice, Conversation, Generation
from tests.factories import add_turns, begin_turn, end_turn, make_agent, make_conversation
from tests.history.services.whatif.conftest import PRICED
from tests.patience import PATIENCE, eventually

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quick(catalogue, monkeypatch):
    catalogue.prices = lambda model: PRICED.get(model, UNPRICED)
    monkeypatch.setattr(advising, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(advising, "_waiting", {})
    monkeypatch.setattr(advising, "_some", asyncio.Event())


def answered(turns):
    settings = {"policy": "lastN", "length": 3}
    agent = make_agent(f"a{turns}", model="large/model", history_settings=settings)
    conversation = make_conversation(agent)
    add_turns(conversation, turns - 1)
    generation = begin_turn(conversation)
    end_turn(generation)
    return Generation.objects.get(pk=generation.pk)


async def stored():
    """Wait for stored advice, and return the rows."""
    return await in_database(eventually, lambda: list(Advice.objects.all()))


async def test_a_chat_is_compared_once_nobody_is_answered_any_more():
    short, due = await in_database(lambda: (answered(5), answered(25)))
    busy = [True]
    for generation in (short, due, due):
        advising.after(generation)

    watching = asyncio.create_task(advising.watch(lambda: busy[0]))
    await asyncio.sleep(0.1)
    while_busy = await in_database(Advice.objects.count)
    busy[0] = False
    rows = await stored()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching

    assert while_busy == 0
    assert [(row.conversation_id, row.turn) for row in rows] == [(due.conversation_id, 25)]
    await close_connections()


async def test_a_chat_that_is_gone_or_fails_keeps_no_other_waiting(monkeypatch):
    gone, broken, due = await in_database(lambda: [answered(turns) for turns in (21, 22, 23)])
    await in_database(Conversation.objects.filter(pk=gone.conversation_id).delete)
    compare = advising.advise

    def fails_once(conversation, check):
        if conversation.pk == broken.conversation_id:
            raise RuntimeError("broken")
        return compare(conversation, check)

    monkeypatch.setattr(advising, "advise", fails_once)
    for generation in (gone, broken, due):
        advising.after(generation)

    watching = asyncio.create_task(advising.watch(lambda: False))
    rows = await stored()
    watching.cancel()

    assert [row.conversation_id for row in rows] == [due.conversation_id]
    await close_connections()


async def until(is_so):
    assert await asyncio.to_thread(eventually, is_so)


@pytest.fixture
def third_request(monkeypatch):
    """Return a function that takes an event, which a comparison calls before its third request."""
    compare, asked = advising.advise, []

    def happens(event):
        def compared(chat, check):
            def counted():
                asked.append(chat)
                if len(asked) == 3:
                    event()
                check()

            return compare(chat, counted)

        monkeypatch.setattr(advising, "advise", compared)
        return asked

    return happens


async def test_an_answer_that_begins_ends_the_comparison_which_starts_over_later(third_request):
    due = await in_database(answered, 25)
    running = []
    asked = third_request(lambda: running.append("an answer"))
    advising.after(due)

    watching = asyncio.create_task(advising.watch(lambda: bool(running)))
    await until(lambda: running and due.conversation_id in advising._waiting)
    assert len(asked) == 3
    assert await in_database(Advice.objects.count) == 0

    running.clear()
    assert [row.turn for row in await stored()] == [25]
    watching.cancel()
    await close_connections()


async def test_the_end_of_the_process_ends_the_comparison(third_request):
    due = await in_database(answered, 25)
    reached, ended = threading.Event(), threading.Event()

    def wait_for_the_end():
        reached.set()
        ended.wait(PATIENCE)

    asked = third_request(wait_for_the_end)
    advising.after(due)
    watching = asyncio.create_task(advising.watch(lambda: False))
    await asyncio.to_thread(reached.wait, PATIENCE)

    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    ended.set()
    await close_connections()  # This waits for all threads.

    assert len(asked) == 3
    assert await in_database(Advice.objects.count) == 0
    await close_connections()
