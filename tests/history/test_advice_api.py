"""The API's advice: facts and a sentence on other settings, for people who may see costs."""

import pytest
from django.contrib.auth.models import User

from history.core.money.cost import UNPRICED
from history.services.whatif.advising import advise
from tests.factories import add_turns
from tests.history.services.whatif.conftest import PRICED

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(
        model="large/model",
        system_prompt="Be brief. " * 40,
        history_settings={"policy": "lastN", "length": 20},
    ),
]


@pytest.fixture(autouse=True)
def prices(catalogue):
    catalogue.prices = lambda model: PRICED.get(model, UNPRICED)
    return catalogue


@pytest.fixture
def chat(conversation):
    add_turns(conversation, 60)
    return conversation


@pytest.fixture
def ask(owner, chat):
    return lambda: owner.get(f"/api/conversations/{chat.pk}/advice").json()["advice"]


@pytest.mark.words
def test_facts_and_a_sentence(ask, chat):
    assert ask() is None
    advice = advise(chat)

    found = ask()

    assert (found["turn"], found["basis"], found["facts"]) == (60, advice.basis, advice.facts)
    assert found["offer"] == {
        "changes": {"length_stride": 10},
        "way": "ask an administrator",
        "sentence": (
            "Moving the window in steps of 10 would have cost $56.43 instead of $144.39 over the "
            "last 60 turns, if the provider's cache is used. 92% would have been read from the "
            "cache instead of 50%. Where something was left out or shortened, the model would have "
            "seen 20 to 29 turns instead of 20."
        ),
    }


def test_facts_stay_and_the_offer_goes_with_what_it_was_compared_with(ask, chat, prices):
    advise(chat)
    prices.prices = lambda model: PRICED["small/model"]

    found = ask()

    assert found["offer"] is None
    assert found["facts"]["variants"][0]["is_worth_it"]


def test_who_may_not_see_costs_gets_none(client, chat, settings):
    advise(chat)
    settings.OWNERS_SEE_COST = False
    ada = User.objects.create_user("ada")
    chat.owner, chat.visitor = ada, ""
    chat.save()
    client.force_login(ada)

    assert client.get(f"/api/conversations/{chat.pk}/advice").json() == {"advice": None}
