"""A chat can choose another model of its agent's list, which is stored, planned and explained."""

import pytest

from agents.networks.models import Network
from history.core.settings.resolved import Settings
from history.core.words.facts import Rule
from history.models import Conversation
from history.services.answers.delegating import _part
from history.services.answers.sending import retry, send
from history.services.errors import NotFound, Refused
from history.services.settings.choosing import choose_model
from history.services.whatif.trying import present
from tests.factories import make_agent
from tests.history.services.conftest import ADA, BOB, answer, say

pytestmark = pytest.mark.django_db
OWN, OTHER, UNLISTED = "large/model", "small/model", "tiny/model"


@pytest.fixture
def agent():
    return make_agent("chooser", model=OWN, allowed_models=[OTHER])


def begun(model=""):
    ack = send(ADA, say("Hello", agent="chooser", model=model))
    answer(ack.generation, "Hi")
    return ack


def of(generation):
    """Return the chat's model, its context window, and the rules of the notes about the model."""
    agent, settings = generation.snapshot["agent"], generation.snapshot["settings"]
    window = Settings.from_dict(settings).value("context_window")
    return agent["model"], window, [note["rule"] for note in agent["notes"]]


def test_without_a_choice_the_agents_own_model_answers(agent):
    assert of(begun().generation) == (OWN, 128_000, [])


def test_the_first_message_may_choose(agent):
    ack = begun(OTHER)

    assert Conversation.objects.get().model == OTHER
    assert of(ack.generation) == (OTHER, 16_000, [Rule.MODEL_CHOSEN])


def test_the_choice_holds_for_the_answers_that_follow(agent):
    first = begun()
    choose_model(ADA, first.conversation.pk, OTHER)

    again = retry(ADA, first.conversation.pk, first.generation.pk, "")

    assert of(again.generation) == (OTHER, 16_000, [Rule.MODEL_CHOSEN])
    assert of(first.generation) == (OWN, 128_000, [])


def test_what_would_be_sent_now_follows_the_choice(agent):
    ack = begun()
    choose_model(ADA, ack.conversation.pk, OTHER)

    asked = present(Conversation.objects.get()).turn

    assert asked.agent.model == OTHER
    assert asked.settings.value("context_window") == 16_000


def test_the_agents_own_model_is_stored_as_no_choice(agent):
    ack = begun(OTHER)

    assert choose_model(ADA, ack.conversation.pk, OWN).model == ""


@pytest.mark.parametrize("model", [UNLISTED, "https://evil.example/x", "demo/mirror"])
def test_a_model_that_is_not_on_the_list_is_refused(agent, model):
    with pytest.raises(Refused):
        send(ADA, say("Hello", agent="chooser", model=model))
    assert not Conversation.objects.exists()

    ack = begun()
    with pytest.raises(Refused):
        choose_model(ADA, ack.conversation.pk, model)
    with pytest.raises(Refused):
        send(ADA, say("More", conversation=ack.conversation.pk, model=model))
    assert Conversation.objects.get().model == ""


def test_nobody_chooses_in_anothers_chat(agent):
    with pytest.raises(NotFound):
        choose_model(BOB, begun().conversation.pk, OTHER)


def test_in_a_network_each_agent_keeps_its_own_list(agent):
    make_agent("expert", model="tiny/model")
    Network.objects.create(slug="team", name="Team", entry="chooser", members=["chooser", "expert"])
    ack = send(ADA, say("Hello", network="team", model=OTHER))

    taken_over = _part(ack.generation, type(agent).objects.get(slug="expert"), 2)["agent"]

    assert of(ack.generation)[0] == OTHER
    assert taken_over["model"] == "tiny/model"
    assert Rule.MODEL_NOT_ALLOWED in [note["rule"] for note in taken_over["notes"]]
