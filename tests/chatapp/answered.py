"""Send a message and answer it, without a page."""

import asyncio
from uuid import UUID, uuid4

from django.contrib.auth.models import User

from chatapp.databases.threads import close_connections, in_database
from chatapp.llm import client as models
from history.models import Conversation
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.chatapp.lone_generations import lone


async def answered(user: User, text: str, *files: UUID) -> Conversation:
    """Send a message as this user, and wait for the answer; return the conversation."""
    said = Send(text=text, client_msg_id=uuid4(), agent="demo", attachments=files)
    ack = await in_database(send, Actor(user), said)
    made = lone(ack.generation)
    made.task = asyncio.create_task(made.run())
    await made.task
    await models.close()
    await close_connections()
    return ack.conversation
