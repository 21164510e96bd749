"""Advice below the first screen: who sees it, beside which turn, and what they can do with it."""

import pytest
from django.test import Client

from chatapp.inspector.advice import advice_line
from chatapp.inspector.forms import RecordQuery
from chatapp.inspector.panel import panel_of
from history.core.money.cost import UNPRICED
from history.core.settings.layers import environment_layer
from history.models import Advice
from history.services.access import Actor
from history.services.whatif.advising import advise
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.inspector.test_whatif import tries
from tests.factories import add_turn, add_turns, make_agent, make_conversation, make_reader
from tests.history.services.whatif.conftest import PRICED

pytestmark = pytest.mark.django_db
SLIDING = {"policy": "lastN", "length": 20}
SENTENCE = "Moving the window in steps of 10 would have cost"
EVERYBODY = "data-everybody"
TAKE = "panel/what-if/take"


@pytest.fixture(autouse=True)
def prices(catalogue):
    catalogue.prices = lambda model: PRICED.get(model, UNPRICED)


def advised(owner, settings=SLIDING):
    """Make a chat of sixty turns, with plans of the newest two, and store advice."""
    agent = make_agent(
        model="large/model", system_prompt="Be brief. " * 40, history_settings=settings
    )
    conversation = make_conversation(agent, owner)
    add_turns(conversation, 58)
    add_turn(conversation)
    add_turn(conversation)
    advise(conversation)
    return conversation


def store_advice(chat, variants):
    """Store a newer advice that differs only in its variants."""
    advice = chat.advice.get()
    Advice(
        conversation=chat,
        branch=chat.branch,
        turn=60,
        basis=advice.basis,
        facts=advice.facts | {"variants": variants},
        milliseconds=1,
    ).save()


def panel(user, conversation, **asked):
    client = Client()
    client.force_login(user)
    return client.get(f"/chat/{conversation.pk}/panel", asked)


@pytest.mark.words
def test_the_owner_reads_it_and_whom_to_ask(ada):
    chat = advised(ada)

    answer = panel(ada, chat)

    assert SENTENCE in text_of(answer)
    assert "Only an administrator can change this, for every chat with Demo." in text_of(answer)
    assert 'data-try="set.length_stride=10"' in answer.text
    assert EVERYBODY not in answer.text


def test_staff_may_apply_it_to_every_chat(admin_user):
    chat = advised(admin_user)

    answer = panel(admin_user, chat)

    assert f"{EVERYBODY}=" in answer.text
    assert "set.length_stride=10" in answer.text
    assert TAKE not in answer.text


@pytest.mark.words
def test_a_stable_prefix_is_offered_tried_and_applied_like_a_step(admin_user):
    chat = advised(admin_user)
    found = chat.advice.get().facts["variants"]
    store_advice(chat, [v for v in found if v["changes"] == {"prefix": "stable"}])

    answer = panel(admin_user, chat)

    assert "Keeping the prefix stable would have cost" in text_of(answer)
    assert f"{EVERYBODY}=" in answer.text
    assert "set.prefix=stable" in answer.text
    client = Client()
    client.force_login(admin_user)
    tried = text_of(client.get(tries(chat, "set.prefix=stable")))
    assert "History length 20 moves in steps of 10 here: 20 to 29 turns are sent." in tried


@pytest.mark.words
def test_what_a_chat_may_set_is_applied_at_once(ada):
    chat = advised(ada, {"policy": "all", "tool_results_keep": 1})
    found = chat.advice.get().facts["variants"]
    store_advice(chat, [v | {"is_worth_it": True, "less": 0} for v in found])

    answer = panel(ada, chat)
    assert TAKE in answer.text
    assert EVERYBODY not in answer.text

    client = Client()
    client.force_login(ada)
    taken = client.post(f"/chat/{chat.pk}/{TAKE}", {"set.tool_results_keep": "0"})
    chat.refresh_from_db()
    assert "Applied to this chat" in text_of(taken)
    assert chat.history_settings == {"tool_results_keep": 0}
    assert "data-try" not in panel(ada, chat).text


@pytest.mark.words
def test_what_the_environment_decides_is_said_to_staff_alone(ada, admin_user, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"HISTORY_LENGTH_STRIDE": "1"})
    chat = advised(ada)
    eve = make_reader("eve", "view_cost", "change_agenttemplate")

    assert "data-try" not in panel(ada, chat).text
    answer = panel(eve, chat)
    assert "data-try" not in answer.text
    assert EVERYBODY not in answer.text
    assert "Try it" not in text_of(answer)
    assert (
        "The server keeps Length step at 1 (the server's HISTORY_LENGTH_STRIDE). "
        "Only whoever runs the server can change that." in text_of(answer)
    )


@pytest.mark.parametrize("case", ["an older turn", "costs are hidden", "a reader without costs"])
def test_there_is_none(ada, settings, case):
    chat = advised(ada)
    reader = make_reader("eve")
    assert "data-try" in panel(ada, chat).text

    settings.OWNERS_SEE_COST = case != "costs are hidden"
    user = reader if case == "a reader without costs" else ada
    asked = {"turn": 59} if case == "an older turn" else {}

    assert "data-try" not in panel(user, chat, **asked).text


def test_it_takes_one_query_where_nothing_is_advised(ada, django_assert_num_queries):
    chat, actor = advised(ada, {"policy": "all"}), Actor(ada)
    shown = panel_of(actor, chat, RecordQuery())

    with django_assert_num_queries(1):
        assert advice_line(shown) is None
