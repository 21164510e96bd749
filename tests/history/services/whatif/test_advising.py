"""Advice stores a replay's figures, holds while nothing changes, and is for those who can act."""

from decimal import Decimal
from unittest.mock import ANY

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection, transaction
from django.db.utils import DatabaseError

from agents.models import AgentTemplate
from history.core.money.cost import FREE, UNPRICED
from history.core.settings.caps import Caps
from history.core.settings.layers import environment_layer
from history.models import Advice
from history.services.access import Actor
from history.services.whatif.advising import EVERY, advise, is_due, newest_of
from history.services.whatif.offering import Way, offer_for
from history.services.whatif.replaying import replayed
from history.services.whatif.revising import revise
from history.services.whatif.trying import Variant
from tests.factories import actor_for, add_turns, begin_turn, end_turn
from tests.history.services.whatif.conftest import PRICED

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(
        model="large/model",
        system_prompt="Be brief. " * 40,
        history_settings={"policy": "lastN", "length": 20, "tool_results_keep": 3},
    ),
]


@pytest.fixture
def chat(conversation):
    add_turns(conversation, 60)
    return conversation


@pytest.fixture
def editor(db):
    user = User.objects.create_user("ed", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="change_agenttemplate"))
    return Actor(User.objects.get(pk=user.pk))


def change(chat, **values):
    chat.agent.history_settings = {**chat.agent.history_settings, **values}
    chat.agent.save()


def answered(chat):
    generation = begin_turn(chat)
    end_turn(generation)
    return generation


def best(advice):
    worth = [v for v in advice.facts["variants"] if v["is_worth_it"]]
    return min(worth, key=lambda v: Decimal(v["money"]))


def test_the_facts_are_those_of_a_replay(chat):
    advice = advise(chat)

    asked = [Variant("", v["changes"]) for v in advice.facts["variants"]]
    as_it_is, *others = (found.replay for found in replayed(chat, asked))
    figures = [advice.facts["as_it_is"], *advice.facts["variants"]]
    assert [Decimal(f["money"]) for f in figures] == [r.money for r in (as_it_is, *others)]
    assert [f["sent"] for f in figures] == [r.sent for r in (as_it_is, *others)]
    assert best(advice)["changes"] == {"length_stride": 10}
    assert best(advice)["recency"]["turns"] == {"least": 20, "mean": ANY, "most": 29}
    assert advice.facts["as_it_is"]["recency"]["turns"] == {"least": 20, "mean": 20.0, "most": 20}
    assert advice.facts["turns"] == [1, 60]
    assert advice.facts["prices"]["cache_read"] == "0.001"


@pytest.mark.parametrize("changes", [{"length_stride": 10}, {"prefix": "stable"}])
def test_what_was_promised_is_what_the_settings_cost_once_applied(chat, editor, changes):
    facts = advise(chat).facts
    promised = next(v for v in facts["variants"] if v["changes"] == changes)
    assert promised["is_worth_it"]
    assert promised["recency"]["turns"]["most"] == 29

    revise(editor, chat.agent.pk, 1, changes)
    chat.agent.refresh_from_db()

    (now,) = replayed(chat, [])
    assert now.replay.money == Decimal(promised["money"])
    assert offer_for(editor, chat, "") is None


@pytest.mark.parametrize(
    ("number", "expected"), [(EVERY - 1, False), (EVERY, True), (EVERY + 7, True)]
)
def test_the_first_comparison_waits_for_some_turns(conversation, number, expected):
    add_turns(conversation, number - 1)

    assert is_due(begin_turn(conversation)) is expected


def test_the_next_one_waits_for_as_many_or_for_a_change(chat):
    advise(chat)
    assert not is_due(answered(chat))

    add_turns(chat, EVERY)
    assert is_due(answered(chat))
    advise(chat)
    change(chat, length=15)
    assert is_due(answered(chat))


def test_settings_that_were_changed_and_changed_back_have_their_advice_again(chat):
    """An answer and other advice in between make no difference."""
    promised = advise(chat)
    change(chat, length=15)
    assert offer_for(actor_for(chat), chat, "") is None
    advise(chat)

    change(chat, length=20)

    assert offer_for(actor_for(chat), chat, "").advice == promised
    assert not is_due(answered(chat))


def test_advice_from_long_before_is_not_given_again(chat):
    advise(chat)
    change(chat, length=15)
    add_turns(chat, EVERY)
    advise(chat)

    change(chat, length=20)

    assert offer_for(actor_for(chat), chat, "") is None
    assert is_due(answered(chat))


def test_nothing_is_promised_without_the_price_of_reading_from_the_cache(chat):
    chat.agent.model = "small/model"
    chat.agent.save()

    assert not is_due(begin_turn(chat))
    assert advise(chat) is None


def test_the_demo_model_is_compared_at_the_prices_of_another_which_is_named(chat, catalogue):
    chat.agent.model = "demo/mirror"
    chat.agent.save()
    catalogue.prices = lambda model: PRICED["large/model"]
    catalogue.priced_as = lambda model: ""
    paid = advise(chat).facts
    catalogue.prices = lambda model: {**PRICED, "demo/mirror": FREE}.get(model, UNPRICED)
    catalogue.priced_as = lambda model: "large/model" if model == "demo/mirror" else ""

    example = advise(chat).facts
    assert (example["model"], example["priced_as"]) == ("demo/mirror", "large/model")
    assert Decimal(example["as_it_is"]["money"]) > 0
    assert example | {"priced_as": ""} == paid
    offer = offer_for(actor_for(chat), chat, "")
    assert offer.changes == {"length_stride": 10}

    catalogue.priced_as = lambda model: "nobody/knows"
    assert not is_due(begin_turn(chat))
    assert offer_for(actor_for(chat), chat, "") is None


@pytest.mark.parametrize(
    ("length", "expected"),
    [pytest.param(20, True, id="much"), pytest.param(60, False, id="nothing")],
)
def test_only_what_saves_a_tenth_is_offered(chat, length, expected):
    change(chat, length=length)
    advise(chat)

    assert bool(offer_for(actor_for(chat), chat, "")) is expected


def test_an_owner_is_told_whom_to_ask_and_staff_may_change_the_template(chat, editor):
    advise(chat)

    assert offer_for(actor_for(chat), chat, "").way is Way.ASK
    offer = offer_for(editor, chat, "")
    assert (offer.way, offer.changes) == (Way.TEMPLATE, {"length_stride": 10})


def test_a_stable_prefix_is_a_setting_of_the_template(chat, editor):
    advice = advise(chat)
    stable = [v for v in advice.facts["variants"] if "prefix" in v["changes"]]
    facts = {**advice.facts, "variants": stable}
    row = {"conversation": chat, "branch": chat.branch, "turn": 60, "basis": advice.basis}
    Advice.objects.create(**row, facts=facts, milliseconds=1)

    assert offer_for(actor_for(chat), chat, "").way is Way.ASK
    offer = offer_for(editor, chat, "")
    assert (offer.way, offer.changes) == (Way.TEMPLATE, {"prefix": "stable"})


def test_what_the_environment_locks_is_no_offer_but_staff_see_why(chat, editor, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"HISTORY_LENGTH_STRIDE": "1"})
    advise(chat)

    assert offer_for(actor_for(chat), chat, "") is None
    offer = offer_for(editor, chat, "")
    assert (offer.way, offer.obstacle.name) == (Way.LOCKED, "length_stride")


def test_what_no_change_of_the_template_would_bring_about_is_no_offer(chat, editor, settings):
    """A length from the environment fixes the stride at 1, by a rule and not by a lock."""
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "20"})
    advise(chat)

    assert offer_for(actor_for(chat), chat, "") is None
    assert offer_for(editor, chat, "") is None


def test_a_budget_beyond_its_cap_is_no_offer(chat, settings):
    settings.HISTORY_CAPS = Caps(token_budget=5_000)
    change(chat, policy="all", token_budget=4_800, output_reserve=4_000, min_history_turns=0)
    advise(chat)

    assert offer_for(actor_for(chat), chat, "") is None


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda chat: change(chat, length=19), id="the template"),
        pytest.param(
            lambda chat: chat.history_settings.update(length=19), id="the chat's settings"
        ),
        pytest.param(
            lambda chat: (
                AgentTemplate.objects.update(processors=[{"use": "token_limiter", "limit": 9_000}])
                and chat.agent.refresh_from_db()
            ),
            id="the processors",
        ),
    ],
)
def test_advice_about_other_settings_is_none(chat, changed):
    advise(chat)
    assert offer_for(actor_for(chat), chat, "")

    changed(chat)

    assert offer_for(actor_for(chat), chat, "") is None
    assert offer_for(actor_for(chat), chat, "historyLength=7") is None


def test_it_is_kept_as_it_was(chat):
    advice = advise(chat)

    with pytest.raises(DatabaseError), transaction.atomic():
        connection.cursor().execute("UPDATE history_advice SET turn = 1")
    assert newest_of(chat.branch) == advice
    chat.delete()
    assert not Advice.objects.exists()
