"""`manage.py demo_data`: a staff user with two conversations. One is long, so that the inspector
has something to show; the inspector has advice on the settings of the other.

Every turn is real: it is sent, planned and answered by the offline model, whose calls of tools are
run.
"""

import asyncio
import secrets
import uuid
from collections.abc import Mapping
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
from history.services.settings.layers import save_settings
from history.services.whatif.advising import advise

STAFF = "demo"
TITLE = "Planning a long journey"
TURNS = 300
PORTS = (
    "Vitrine runs on another port? The same number here gives its addresses: make demo PORT=8311"
)
ADVISED_TITLE = "A chat with advice"
ADVISED_TURNS = 60
# Each tool result that is omitted changes a cached prefix, so that keeping them is cheaper.
ADVISED_SETTINGS = {"policy": "all", "tool_results_keep": 16}
QUESTIONS = (
    "We need two nights in stop {n}. What do you remember of our plans?",
    "What is {n} * 85 + 120?",
    "Remember that stop {n} is by the sea.",
    "What time is it?",
    "Can you still see where we started?",
    "What is ({n} + 12) / 4?",
)


class Command(BaseCommand):
    help = "Create a staff user, a conversation of 300 turns with tool calls, and one with advice."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--turns", type=int, default=TURNS)
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("load_demo_agents", stdout=self.stdout)
        user, password = staff()
        conversation, advised = asyncio.run(both(Actor(user=user), options["turns"]))
        address = public_address(options["host"], options["port"])
        chat = f"/chat/{conversation}?debug=true"
        self.stdout.write(
            f"\n  The conversation: {address}{chat}\n"
            f"  One with advice: {address}/chat/{advised}?debug=true\n"
            f"  While Vitrine runs (make run), sign in as {STAFF} at"
            f" {address}{reverse('login')}?{urlencode({'next': chat})}\n"
            f"  {password}\n"
            f"  {PORTS}\n"
        )


def staff() -> tuple[User, str]:
    """Return the staff user, created if missing, with a sentence on the password."""
    change = f"change it with manage.py changepassword {STAFF}."
    if user := User.objects.filter(username=STAFF).first():
        return user, f"The password was shown when {STAFF} was created; {change}"
    password = secrets.token_urlsafe(12)
    user = User.objects.create_superuser(STAFF, password=password)
    return user, f"Password: {password} (won't be shown again; {change})"


async def both(actor: Actor, turns: int) -> tuple[uuid.UUID | None, uuid.UUID | None]:
    """Hold the conversations that don't exist yet, as fast as the offline model answers."""
    provider.words_per_second = 1e9
    conversation = await converse(actor, TITLE, turns)
    advised = await converse(actor, ADVISED_TITLE, ADVISED_TURNS, ADVISED_SETTINGS)
    await client.close()
    await close_connections()
    return conversation, advised


async def converse(
    actor: Actor, title: str, turns: int, settings: Mapping[str, Any] | None = None
) -> uuid.UUID | None:
    """Hold a conversation, and compare its settings with others. Return an existing one
    unchanged.
    """
    rows = Conversation.objects.filter(owner=actor.user)
    if there := await in_database(rows.filter(title=title).first):
        return there.pk
    conversation = None
    for number in range(1, turns + 1):
        ack = await in_database(send, actor, command(number, conversation))
        if conversation is None and settings:
            await in_database(save_settings, actor, ack.conversation.pk, settings)
        conversation = ack.conversation.pk
        await supervisor.begin(ack.generation)
    await in_database(lambda: rows.filter(pk=ack.conversation.pk).update(title=title))
    await in_database(advise, ack.conversation)
    return conversation


def command(number: int, conversation: uuid.UUID | None) -> Send:
    question = QUESTIONS[number % len(QUESTIONS)].format(n=number)
    text = "My name is Ada, and we start in Lisbon." if number == 1 else question
    return Send(text=text, client_msg_id=uuid.uuid4(), conversation=conversation, agent="demo")
