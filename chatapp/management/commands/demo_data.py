"""A staff user with one long conversation, so that the inspector has something to show.

Every turn is a real one: sent, planned, answered by the offline model, its tools called.
"""

import asyncio
import secrets
import uuid
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from chatapp import demo_model, llm
from chatapp.database import close_connections, in_database
from chatapp.generations import Run
from history.models import Conversation
from history.services.access import Actor
from history.services.sending import Send, send

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
    help = "Make a staff user and a conversation of 300 turns with tool calls."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--turns", type=int, default=TURNS)

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("load_demo_agents", stdout=self.stdout)
        user = self._staff()
        if there := Conversation.objects.filter(owner=user, title=TITLE).first():
            self.stdout.write(f"It is there already: /chat/{there.pk}?debug=true")
            return
        conversation = asyncio.run(converse(Actor(user=user), options["turns"]))
        self.stdout.write(f"{options['turns']} turns: /chat/{conversation}?debug=true")

    def _staff(self) -> User:
        if user := User.objects.filter(username=STAFF).first():
            return user
        password = secrets.token_urlsafe(12)
        self.stdout.write(f"Staff user {STAFF}, password {password} (shown this once)")
        return User.objects.create_superuser(STAFF, password=password)


async def converse(actor: Actor, turns: int) -> uuid.UUID | None:
    """Hold the conversation as fast as the offline model can speak."""
    demo_model.words_per_second = 1e9
    conversation = None
    for number in range(1, turns + 1):
        text = "My name is Ada, and we start in Lisbon." if number == 1 else question(number)
        command = Send(text, uuid.uuid4(), conversation=conversation, agent="demo")
        ack = await in_database(send, actor, command)
        conversation = ack.conversation.pk
        await Run(ack.generation).run()
    rows = Conversation.objects.filter(owner=actor.user)
    await in_database(lambda: rows.filter(pk=ack.conversation.pk).update(title=TITLE))
    await llm.close()
    await close_connections()
    return conversation


def question(number: int) -> str:
    return QUESTIONS[number % len(QUESTIONS)].format(n=number)
