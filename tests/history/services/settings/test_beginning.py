import pytest

from history.core.words.errors import SettingErrors
from history.models import Conversation, Generation
from history.services.answers.sending import send
from history.services.settings.beginning import (
    beginning_settings,
    to_come,
    with_settings,
    without_settings,
)
from history.services.settings.layers import resolve_settings
from history.wording.faults import word_faults
from tests.history.services.conftest import ADA, say

QUERY = "agent=demo&own.policy=lastN&own.length=3&own.summarize=true"
CHOSEN = {"policy": "lastN", "length": 3, "summarize": True}


def test_what_is_chosen_goes_into_the_address_and_comes_out_of_it():
    query = with_settings("agent=demo&own.length=9", {**CHOSEN, "max_items": None})

    assert query == QUERY
    assert beginning_settings(query).values == CHOSEN
    assert without_settings(query) == "agent=demo"
    assert without_settings("historyLength=3&x=%zz") == "historyLength=3&x=%zz"


@pytest.mark.parametrize(
    ("query", "names"),
    [
        pytest.param("own.length=many", ["length"], id="no number"),
        pytest.param("own.length=-1&own.policy=most", ["length", "policy"], id="two"),
        pytest.param("own.size=3", ["size"], id="no setting"),
        pytest.param(
            "own.preserve_system_messages=false", ["preserve_system_messages"], id="staff"
        ),
        pytest.param("own.=3", [""], id="no name"),
    ],
)
def test_what_a_chat_may_not_have_is_a_fact_and_sets_nothing(query, names):
    found = beginning_settings(f"{query}&own.max_items=40")

    assert found.values == {"max_items": 40}
    assert list(found.faults) == names
    with pytest.raises(SettingErrors) as error:
        found.checked()
    assert all(word_faults(error.value))


@pytest.mark.django_db
def test_a_chat_begins_with_them_and_its_answers_know_whose_they_are(demo):
    before = resolve_settings(demo, ADA, QUERY, to_come(QUERY))["length"].winner
    ack = send(ADA, say(agent="demo", query=f"{QUERY}&historyPolicy=all"))

    assert (before.value, before.source) == (3, "conversation")
    assert ack.conversation.history_settings == CHOSEN
    assert Generation.objects.get().snapshot["query"] == "agent=demo&historyPolicy=all"


@pytest.mark.django_db
def test_who_may_not_set_any_begins_with_none(demo, settings):
    settings.HISTORY_URL_OVERRIDES = "staff"
    send(ADA, say(agent="demo", query=QUERY))

    assert Conversation.objects.get().history_settings == {}
