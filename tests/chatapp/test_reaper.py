"""When a laptop wakes, its clock jumps; the reaper must not take running answers for dead."""

import asyncio
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import supervisor
from chatapp.live.viewers import Viewer, encoded, reload_frame, viewers
from chatapp.llm import client
from chatapp.llm.mirror import provider
from chatapp.process import lifespan
from history.models import Generation, GenerationStatus
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.factories import make_agent
from tests.patience import PATIENCE, eventually
from tests.provider import LITELLM_WARNS

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
LONG_AGO = timezone.now() - timedelta(hours=8)


@pytest.fixture
async def sent(monkeypatch):
    """Return a function that sends a message with a slow answer; stop all answers at the end."""
    monkeypatch.setattr(provider, "words_per_second", 1)
    monkeypatch.setattr(lifespan, "REAP_SECONDS", 0.05)
    await in_database(make_agent)

    async def sent(visitor):
        message = Send(text="Hello", client_msg_id=uuid.uuid4(), agent="demo")
        return (await in_database(send, Actor(visitor=visitor), message)).generation

    yield sent
    await supervisor.interrupt_all()
    await client.close()
    await close_connections()


def running_since_long_ago(*ids):
    """Date these generations back by eight hours, as if the clock had jumped."""
    changed = {"status": GenerationStatus.RUNNING, "heartbeat_at": LONG_AGO, "created": LONG_AGO}
    Generation.objects.filter(pk__in=ids).update(**changed)


def status(generation):
    return Generation.objects.get(pk=generation.pk).status


def wait_for(generation, wanted):
    assert eventually(lambda: status(generation) == wanted)


async def test_the_reaper_leaves_out_what_runs_here(sent):
    alive, dead = await sent("ada"), await sent("bob")
    supervisor.start(alive)
    await in_database(wait_for, alive, "running")

    await in_database(running_since_long_ago, alive.pk, dead.pk)
    reaper = asyncio.create_task(lifespan._reap_for_ever())
    await in_database(wait_for, dead, "interrupted")
    reaper.cancel()

    assert await in_database(status, alive) == "running"


async def test_tabs_are_told_of_what_is_interrupted(sent):
    dead, viewer = await sent("bob"), Viewer(Actor(visitor="bob"))
    viewers.follow(viewer, dead.conversation_id)
    await in_database(running_since_long_ago, dead.pk)
    reaper = asyncio.create_task(lifespan._reap_for_ever())
    told = await asyncio.wait_for(viewer.next(), PATIENCE)
    reaper.cancel()
    viewers.unfollow(viewer)

    assert told == encoded(reload_frame(dead.conversation_id))
