"""Frames waiting for a socket are limited in bytes; slow viewers are warned, then disconnected."""

import asyncio
import json
import uuid

import pytest

from chatapp.live import viewers as module
from chatapp.live.viewers import BUDGET, QUEUE_LENGTH, TOO_SLOW, Viewer, ViewerGone, Viewers
from history.services.access import Actor
from tests.patience import PATIENCE

CONVERSATION, GENERATION = uuid.uuid4(), uuid.uuid4()
RELOAD = {"type": "reload", "conversation": str(CONVERSATION)}


@pytest.fixture
def all_viewers():
    return Viewers()


@pytest.fixture
def viewer(all_viewers):
    viewer = Viewer(Actor(visitor="ada"))
    all_viewers.join(viewer)
    all_viewers.follow(viewer, CONVERSATION)
    return viewer


def large(part):
    """Make a frame of this share of the limit."""
    return {"type": "event", "data": "x" * int(BUDGET * part)}


async def taken(viewer):
    return json.loads(await viewer.next())


@pytest.mark.parametrize(
    ("frame", "count"),
    [
        pytest.param(large(0.3), 4, id="bytes"),
        pytest.param({"type": "pong"}, QUEUE_LENGTH + 1, id="frames"),
    ],
)
async def test_a_viewer_that_does_not_keep_up_is_told_to_reload(viewer, frame, count):
    for _ in range(count):
        viewer.show(frame)

    assert await taken(viewer) == RELOAD
    assert await taken(viewer) == frame
    assert viewer.code == 0


async def test_a_viewer_that_does_not_even_take_the_reload_ends(viewer):
    for _ in range(7):
        viewer.show(large(0.3))

    assert viewer.code == TOO_SLOW
    assert await viewer.next() is None
    with pytest.raises(ViewerGone):
        await viewer.room()


async def test_a_viewer_that_has_caught_up_may_fall_behind_again(viewer):
    for _ in range(3):
        for _ in range(4):
            viewer.show(large(0.3))
        assert await taken(viewer) == RELOAD
        await viewer.next()

    assert viewer.code == 0


async def test_a_frame_of_any_size_may_wait_alone(viewer):
    viewer.show(large(3))

    assert await taken(viewer) == large(3)


async def test_there_is_room_again_once_most_was_taken(viewer):
    viewer.show(large(0.3))
    waiting = asyncio.create_task(viewer.room())
    await asyncio.sleep(0)
    assert not waiting.done()

    await viewer.next()

    await asyncio.wait_for(waiting, PATIENCE)


async def test_nothing_is_shown_after_the_end(viewer):
    viewer.show({"type": "pong"})
    viewer.end(4401)
    viewer.show({"type": "pong"})
    viewer.end(TOO_SLOW)

    assert await viewer.next() is None
    assert viewer.code == 4401


async def test_a_frame_for_many_viewers_is_encoded_once(all_viewers, viewer, monkeypatch):
    others = [Viewer(Actor(visitor=name)) for name in ("bob", "eve")]
    for other in others:
        all_viewers.follow(other, CONVERSATION)
    frame, made = {"type": "summary"}, []
    encoded = module.encoded
    monkeypatch.setattr(module, "encoded", lambda given: made.append(given) or encoded(given))

    all_viewers.show(CONVERSATION, frame)

    assert made == [frame]
    assert [await taken(each) for each in (viewer, *others)] == [frame] * 3


@pytest.mark.parametrize(
    ("own", "live", "shown"),
    [
        pytest.param(GENERATION, {"generation": str(GENERATION)}, [], id="of the same answer"),
        pytest.param(GENERATION, {"generation": "another"}, [RELOAD], id="of another answer"),
        pytest.param(GENERATION, {"type": "reload"}, [RELOAD], id="of the page"),
        pytest.param(None, {"generation": str(GENERATION)}, [RELOAD], id="after the log was read"),
    ],
)
async def test_what_happens_during_a_replay_is_missed_by_nobody(
    all_viewers, viewer, own, live, shown
):
    with viewer.replaying(own):
        all_viewers.show(CONVERSATION, live)
    viewer.show({"type": "pong"})

    assert [await taken(viewer) for _ in (*shown, 1)] == [*shown, {"type": "pong"}]
