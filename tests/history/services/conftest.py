import uuid

import pytest

from agents.models import AgentTemplate
from history.models import Generation, GenerationStatus
from history.services.access import Actor
from history.services.answers import lifecycle
from history.services.answers.commands import Edit, Send
from history.services.answers.sending import send
from history.services.path.appending import append, assistant_message

ADA, BOB = Actor(visitor="a" * 32), Actor(visitor="b" * 32)


@pytest.fixture(autouse=True)
def known_model(settings, catalogue):
    catalogue.know_three_models()
    settings.DEFAULT_MODEL = "large/model"


@pytest.fixture
def demo(db):
    return AgentTemplate.objects.create(slug="demo", name="Demo", system_prompt="Be kind.")


def say(text="Hello", **fields):
    """Make the command that sends a message, as a page does."""
    return Send(text=text, client_msg_id=fields.pop("id", None) or uuid.uuid4(), **fields)


def reword(message, text="Hello", **fields):
    """Make the command that edits a user message, as a page does."""
    return Edit(message=message, text=text, client_msg_id=uuid.uuid4(), **fields)


def log_events(generation, events):
    """Store events of one generation. Raise Fenced if another process has taken it over."""
    if lifecycle.log_batches([(generation, events)]):
        raise lifecycle.Fenced


def answer(generation, *texts):
    """Store an answer of the model: each text becomes a message of the generation."""
    drafts = [assistant_message(text) for text in texts]
    messages = append(generation.branch, drafts, generation)
    Generation.objects.filter(pk=generation.pk).update(status=GenerationStatus.DONE)
    return messages


def converse(actor, *texts, agent="demo"):
    """Make a conversation in which each text is answered by its reverse; return the last ack."""
    ack = None
    for text in texts:
        where = {"conversation": ack.conversation.pk} if ack else {"agent": agent}
        ack = send(actor, say(text, **where))
        answer(ack.generation, text[::-1])
    return ack
