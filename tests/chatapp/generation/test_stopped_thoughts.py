"""If an answer is stopped where a tag may be beginning, that beginning is kept as text."""

import asyncio
from uuid import uuid4

import pytest

from chatapp.databases.threads import close_connections, in_database
from chatapp.llm import client
from history.models import GenerationStatus, Message
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.chatapp.lone_generations import lone
from tests.factories import make_agent
from tests.patience import eventually
from tests.provider import LITELLM_WARNS, Reply

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
ADA = Actor(visitor="a" * 32)


async def test_every_byte_before_stop_is_stored(provider):
    provider.script(Reply(["<think>Hm, seven.</thi"], hang_after=1))
    await in_database(make_agent, model="openai/local")
    command = Send(text="Think", client_msg_id=uuid4(), agent="demo")
    made = lone((await in_database(send, ADA, command)).generation)
    made.task = asyncio.create_task(made.run())
    await thought_so_far(made, "Hm, seven.")

    made.cancel(GenerationStatus.STOPPED)
    await made.task

    answer = await in_database(Message.objects.get, role="assistant")
    assert [part["text"] for part in answer.parts] == ["Hm, seven.</thi"]
    await client.close()
    await close_connections()


async def thought_so_far(runner, text):
    """Wait until exactly this thought was shown; what follows may be a tag, and is held back."""

    def is_so():
        events = runner.stream.events
        return [event.data["text"] for event in events if event.kind == "thinking"] == [text]

    assert await asyncio.to_thread(eventually, is_so)
