"""Events of a generation in another process are shown in order, however the bus delivers them."""

import asyncio
import json
import random

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from chatapp.live.elsewhere import Elsewhere, hear
from chatapp.live.viewers import Viewer, encoded, event_frame, viewers
from history.models import Generation
from history.services.answers import lifecycle as stored
from history.services.answers.lifecycle import Event
from tests.factories import actor_for, make_conversation
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = [Event(n, "delta", {"text": f"w{n} "}) for n in range(1, 31)]


@pytest.fixture
def generation():
    conversation = make_conversation()
    return Generation.objects.create(
        conversation=conversation,
        branch=conversation.branch,
        turn=1,
        status="running",
        owner="b",
        snapshot={},
    )


@pytest.fixture
def viewer(generation):
    viewer = Viewer(actor_for(generation.conversation))
    viewers.join(viewer)
    viewers.follow(viewer, generation.conversation_id)
    yield viewer
    viewers.leave(viewer)


@pytest.fixture
async def elsewhere(generation, viewer):
    """Follow the conversation from its first event on, as a tab of this process would."""
    followed = Elsewhere()
    followed.follow(generation.conversation_id)
    await followed.known(generation.conversation_id)
    yield followed
    followed.unfollow(generation.conversation_id)


def tell(elsewhere, generation, event):
    text = encoded(event_frame(generation.conversation_id, generation.pk, event))
    elsewhere.hear(generation.conversation_id, generation.pk, event.seq, text)


async def numbers(viewer, count):
    return [json.loads(await viewer.next())["seq"] for _ in range(count)]


@pytest.mark.parametrize("seed", range(5))
async def test_notices_that_come_twice_or_out_of_order_are_shown_once_in_order(
    elsewhere, generation, viewer, seed
):
    told = EVENTS * 2
    random.Random(seed).shuffle(told)
    for event in told:
        tell(elsewhere, generation, event)

    async with asyncio.timeout(PATIENCE):
        assert await numbers(viewer, len(EVENTS)) == [event.seq for event in EVENTS]


async def test_what_the_bus_lost_is_read_from_the_log(elsewhere, generation, viewer):
    await sync_to_async(stored.log_end)(generation, EVENTS[:-1])
    tell(elsewhere, generation, EVENTS[-1])

    async with asyncio.timeout(PATIENCE):
        assert await numbers(viewer, len(EVENTS)) == [event.seq for event in EVENTS]


async def test_what_a_tab_was_shown_from_the_log_is_old_when_the_bus_brings_it(
    elsewhere, generation, viewer
):
    await sync_to_async(stored.log_end)(generation, EVENTS[:5])
    await elsewhere.reach(generation.conversation_id, generation.pk)
    for event in EVENTS[:6]:
        tell(elsewhere, generation, event)

    async with asyncio.timeout(PATIENCE):
        assert await numbers(viewer, 6) == [1, 2, 3, 4, 5, 6]


async def test_a_log_that_comes_later_than_its_notice_is_waited_for(elsewhere, generation, viewer):
    tell(elsewhere, generation, EVENTS[2])
    await sync_to_async(stored.log_end)(generation, EVENTS[:2])

    async with asyncio.timeout(PATIENCE):
        assert await numbers(viewer, 3) == [1, 2, 3]


async def test_one_who_comes_later_gets_what_the_log_lacks_still(elsewhere, generation):
    for event in EVENTS:
        tell(elsewhere, generation, event)
    rest = elsewhere.after(generation.conversation_id, generation.pk, 27)

    assert [json.loads(text)["seq"] for text in rest] == [28, 29, 30]
    assert elsewhere.after(generation.conversation_id, generation.pk, 30) == []


async def test_one_who_has_seen_more_than_the_log_has_is_waited_for(elsewhere, generation):
    """The tab saw those events in another process, and must not get them again."""
    await sync_to_async(stored.log_end)(generation, EVENTS[:19])
    await elsewhere.reach(generation.conversation_id, generation.pk)

    assert elsewhere.after(generation.conversation_id, generation.pk, 21) is None
    await sync_to_async(stored.log_end)(generation, EVENTS[19:21])
    await elsewhere.reach(generation.conversation_id, generation.pk)
    assert elsewhere.after(generation.conversation_id, generation.pk, 21) == []


async def test_a_frame_that_is_nobodys_event_is_shown_as_it_is(generation, viewer):
    frame = {"type": "summary", "conversation": str(generation.conversation_id)}
    hear(f"conversation:{generation.conversation_id}", f"- 0 {encoded(frame)}")

    assert json.loads(await viewer.next()) == frame


@pytest.mark.parametrize(
    ("last", "told"), [("delta", ["reload"]), ("end", []), ("waiting", [])], ids=str
)
async def test_an_end_that_nobody_told_makes_tabs_load_the_page(generation, viewer, last, told):
    looking = Elsewhere()
    looking.follow(generation.conversation_id)
    await looking.known(generation.conversation_id)
    event = Event(1, last, {"text": "So"})
    await sync_to_async(stored.log_end)(generation, [event])
    rows = Generation.objects.filter(pk=generation.pk)
    for status in ("running", "done", "done", "done"):
        await sync_to_async(rows.update)(status=status, ended=timezone.now())
        await looking._look(lambda _generation: False)
    looking.unfollow(generation.conversation_id)

    viewer.show({"type": "last"})
    kinds = []
    while not kinds or kinds[-1] != "last":
        kinds.append(json.loads(await viewer.next())["type"])
    assert kinds == ["event", *told, "last"]
