"""A message sent during an answer waits; then it is sent once, or given back."""

from uuid import uuid4

import pytest

from history.models import FollowUp, GenerationStatus
from history.services.access import Actor
from history.services.answers import follow_ups
from history.services.answers.commands import KeepFollowUp
from history.services.answers.lifecycle import claim, end
from history.services.answers.queueing import admit_all
from history.services.answers.sending import retry
from history.services.errors import Conflict, NotFound
from tests.factories import actor_for, begin_turn, make_conversation

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation(agent):
    return make_conversation(agent)


@pytest.fixture
def generation(conversation):
    return begin_turn(conversation, "one")


def command(conversation, text, key=None):
    return KeepFollowUp(text=text, client_msg_id=key or uuid4(), conversation=conversation.pk)


def keep(conversation, text="two", key=None):
    return follow_ups.keep(actor_for(conversation), command(conversation, text, key))


def send(conversation):
    return follow_ups.send_by_itself(conversation.pk, admit_all)


def said(conversation):
    return list(conversation.messages.filter(role="user").values_list("text", flat=True))


def test_it_waits_for_the_answer_and_is_sent_once(conversation, generation):
    keep(conversation)
    assert send(conversation) is None

    end(generation, GenerationStatus.DONE)
    ack = send(conversation)

    assert said(conversation) == ["one", "two"]
    assert ack.generation.turn == 2
    assert send(conversation) is None
    assert not FollowUp.objects.exists()


def test_a_further_text_goes_below_it_and_a_repeated_command_changes_nothing(
    conversation, generation
):
    key = uuid4()
    for text in ("two", "two"):
        keep(conversation, text, key)
    keep(conversation, "three")
    end(generation, GenerationStatus.DONE)
    send(conversation)

    assert said(conversation) == ["one", "two\n\nthree"]


def test_a_command_repeated_after_it_was_sent_changes_nothing(conversation, generation):
    key = uuid4()
    keep(conversation, "two", key)
    end(generation, GenerationStatus.DONE)
    send(conversation)

    keep(conversation, "two", key)

    assert not FollowUp.objects.exists()
    assert said(conversation) == ["one", "two"]


def test_what_is_taken_back_is_not_sent(conversation, generation):
    keep(conversation)

    assert follow_ups.take_back(actor_for(conversation), conversation.pk) == "two"

    end(generation, GenerationStatus.DONE)
    assert send(conversation) is None
    with pytest.raises(Conflict, match="already sent or removed"):
        follow_ups.take_back(actor_for(conversation), conversation.pk)


@pytest.mark.parametrize("status", ["failed", "stopped", "interrupted"])
def test_one_that_comes_after_an_incomplete_answer_waits_for_its_person_or_a_whole_one(
    conversation, generation, status
):
    end(generation, GenerationStatus(status))
    keep(conversation)

    assert send(conversation) is None
    again = retry(actor_for(conversation), conversation.pk, generation.pk, "").generation
    end(again, GenerationStatus.DONE)
    send(conversation)

    assert said(conversation) == ["one", "two"]


def test_it_does_not_decide_about_a_tool_by_itself(conversation, generation):
    keep(conversation)
    type(generation).objects.update(status=GenerationStatus.WAITING)

    assert send(conversation) is None
    ack = follow_ups.send_now(actor_for(conversation), conversation.pk, admit_all)

    assert ack.given_up.pk == generation.pk
    assert said(conversation) == ["one", "two"]


def test_it_cannot_be_sent_now_while_the_answer_is_written(conversation, generation):
    keep(conversation)
    claim(generation, "process")

    with pytest.raises(Conflict, match="still being written"):
        follow_ups.send_now(actor_for(conversation), conversation.pk, admit_all)
    assert FollowUp.objects.get().text == "two"


@pytest.mark.parametrize(
    "act", [follow_ups.take_back, lambda a, c: follow_ups.send_now(a, c, admit_all)]
)
def test_nobody_else_gets_it(conversation, generation, act):
    keep(conversation)
    stranger = Actor(visitor=uuid4().hex)

    with pytest.raises(NotFound):
        act(stranger, conversation.pk)
    with pytest.raises(NotFound):
        follow_ups.keep(stranger, command(conversation, "mine"))
    assert FollowUp.objects.get().text == "two"
