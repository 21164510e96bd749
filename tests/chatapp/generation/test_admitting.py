"""How many open answers a person may have if workers write them: the database counts."""

from uuid import uuid4

import pytest

from chatapp.generation.queue import answer_queue
from chatapp.limits.spending import TooMany
from history.models import Generation, GenerationStatus
from history.services.access import Actor
from history.services.answers.commands import Send
from history.services.answers.sending import send
from tests.factories import make_agent

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def workers(settings):
    settings.GENERATION_EXECUTOR = "worker"
    settings.OPEN_ANSWERS_PER_PERSON = 1
    make_agent()


def sent(visitor):
    with answer_queue.admitting(f"visitor:{visitor}", "") as admit:
        command = Send(text="Hello", client_msg_id=uuid4(), agent="demo")
        return send(Actor(visitor=visitor), command, admit).generation


def test_one_that_waits_or_is_written_anywhere_counts_for_its_person_alone():
    sent("ada")

    with pytest.raises(TooMany, match="at most 1 answers in progress"):
        sent("ada")
    sent("bob")


def test_one_that_has_ended_counts_no_more():
    sent("ada")
    Generation.objects.update(status=GenerationStatus.DONE)

    assert sent("ada").status == GenerationStatus.QUEUED
