"""Create a staff user with one long conversation, so that the inspector has something to show.

Every turn is a real one: sent, planned, answered by the offline model, its tools called.
"""

import asyncio
import secrets
import uuid
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.urls import reverse
from django.utils.http import urlencode

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import supervisor
from chatapp.llm import client
from chatapp.llm.mirror import provider
from chatapp.server.origins import public_address
from history.models import Conversation
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send

STAFF = "demo"
TITLE = "Planning a long journey"
TURNS = 300
QUESTIONS = (
    "We need two nights in stop {n}. What do you remember of our plans?",
    "What is {n} * 85 + 120?",
    "Remember that stop {n} is by the sea.",
    "What time is it?",
    "Can you still see where we started?",
    "What is ({n} + 12) / 4?",
)


class Command(BaseCommand):
    help = "Create a staff user and a conversation of 300 turns with tool calls."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--turns", type=int, default=TURNS)
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("load_demo_agents", stdout=self.stdout)
        user, password = staff()
        there = Conversation.objects.filter(owner=user, title=TITLE).first()
        found = there.pk if there else asyncio.run(converse(Actor(user=user), options["turns"]))
        address = public_address(options["host"], options["port"])
        chat = f"/chat/{found}?debug=true"
        self.stdout.write(
            f"\n  The conversation: {address}{chat}\n"
            f"  While Vitrine runs (make run), sign in as {STAFF} at"
            f" {address}{reverse('login')}?{urlencode({'next': chat})}\n"
            f"  {password}\n"
        )


def staff() -> tuple[User, str]:
    """Return the user, with a sentence on the password."""
    change = f"change it with manage.py changepassword {STAFF}."
    if user := User.objects.filter(username=STAFF).first():
        return user, f"The password was shown when {STAFF} was created; {change}"
    password = secrets.token_urlsafe(12)
    user = User.objects.create_superuser(STAFF, password=password)
    return user, f"Password: {password} (won't be shown again; {change})"


async def converse(actor: Actor, turns: int) -> uuid.UUID | None:
    """Hold the conversation as fast as the offline model can answer."""
    provider.words_per_second = 1e9
    conversation = None
    for number in range(1, turns + 1):
        asked = QUESTIONS[number % len(QUESTIONS)].format(n=number)
        text = "My name is Ada, and we start in Lisbon." if number == 1 else asked
        command = Send(
            text=text, client_msg_id=uuid.uuid4(), conversation=conversation, agent="demo"
        )
        ack = await in_database(send, actor, command)
        conversation = ack.conversation.pk
        await supervisor.begin(ack.generation)
    rows = Conversation.objects.filter(owner=actor.user)
    await in_database(lambda: rows.filter(pk=ack.conversation.pk).update(title=TITLE))
    await client.close()
    await close_connections()
    return conversation
