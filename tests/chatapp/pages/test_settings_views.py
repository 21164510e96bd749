"""What `/config` shows of a conversation, and what it saves."""

import re

import pytest

from history.core.settings.caps import Caps
from history.core.settings.layers import environment_layer
from tests.chatapp.inspector.pages import text_of
from tests.factories import add_turn
from tests.told import beside, no_policy

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(history_settings={"policy": "lastN", "length": 12}),
    pytest.mark.turns(1),
]
FIELDS = [
    "policy",
    "length",
    "max_items",
    "token_budget",
    "pruner",
    "tool_results_keep",
    "images_keep",
    "files_keep",
    "reasoning_keep",
    "reasoning_effort",
    "summarize",
]


def address(conversation, query=""):
    return f"/chat/{conversation.pk}/memory{query}"


def names(response):
    """Return the fields that can be filled in."""
    found = re.findall(r'<(?:input|select)[^>]* name="([^"]+)"', response.content.decode())
    return [name for name in dict.fromkeys(found) if name != "csrfmiddlewaretoken"]


def own_settings(conversation):
    conversation.refresh_from_db()
    return conversation.history_settings


def test_every_setting_that_a_conversation_may_have_is_a_field(owner, conversation):
    response = owner.get(address(conversation))

    assert names(response) == FIELDS
    text = text_of(response)
    assert "History window (items)" in text
    assert "Try 40. Default: off." in text
    assert "Try 5 to 20. Default: 12 (from template demo v1)." in text


def test_what_is_saved_holds_from_the_next_message_on(owner, conversation):
    response = owner.post(address(conversation), {"max_items": " 40 ", "summarize": "false"})

    assert own_settings(conversation) == {"max_items": 40, "summarize": False}
    assert "Saved. Takes effect with your next message." in text_of(response)
    assert 'value="40"' in response.content.decode()
    plan = add_turn(conversation).plan
    (winner,) = [c for c in plan["settings"]["max_items"]["candidates"] if c["outcome"] == "winner"]
    assert (winner["value"], winner["source"]) == (40, "conversation")


def test_an_empty_field_takes_the_value_back(owner, conversation):
    owner.post(address(conversation), {"max_items": "40", "policy": "all"})

    owner.post(address(conversation), {"max_items": "", "policy": "all"})

    assert own_settings(conversation) == {"policy": "all"}


WINDOW = "Enter a whole number from 2 to 10000, or nothing for the default."


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        pytest.param("max_items", "1", WINDOW, id="too small"),
        pytest.param("max_items", "10001", WINDOW, id="too large"),
        pytest.param("max_items", "many", WINDOW, id="a word"),
        pytest.param("max_items", "-5", WINDOW, id="negative"),
        pytest.param("max_items", "2.5", WINDOW, id="not whole"),
        pytest.param(
            "length",
            "x",
            "Enter a whole number from 0 to 10000, or nothing for the default.",
            id="length",
        ),
        pytest.param(
            "token_budget",
            "9",
            "Enter a whole number from 256 to 1000000000, or nothing for the default.",
            id="as much as any number may be",
        ),
        pytest.param("policy", "most", beside(no_policy("policy", "most")), id="a choice"),
    ],
)
def test_a_bad_value_is_refused_at_its_field_and_nothing_is_saved(
    owner, conversation, name, value, sentence
):
    response = owner.post(address(conversation), {"tool_results_keep": "3", name: value})

    assert sentence in text_of(response)
    html = response.content.decode()
    kind = (
        'fieldset class="remember"' if name == "policy" else f'(?:input|select)[^>]* name="{name}"'
    )
    (field,) = re.findall(rf"<{kind}[^>]*>", html)
    assert 'aria-invalid="true"' in field
    assert f"id_{name}_error" in html
    assert own_settings(conversation) == {}


def test_what_the_environment_locks_is_shown_with_the_reason_and_kept(
    owner, conversation, settings
):
    conversation.history_settings = {"max_items": 40, "length": 3}
    conversation.save()
    variables = {"HISTORY_MAX_ITEMS": "60", "DEFAULT_HISTORY_POLICY": "all"}
    settings.HISTORY_ENVIRONMENT = environment_layer(variables)

    response = owner.get(address(conversation))
    owner.post(address(conversation), {"max_items": "5", "length": "5", "pruner": "fifo"})

    locked = {"policy", "length", "max_items"}
    assert names(response) == [name for name in FIELDS if name not in locked]
    text = text_of(response)
    assert "Set by the server (HISTORY_MAX_ITEMS)." in text
    assert "Set by the server (DEFAULT_HISTORY_POLICY)." in text
    assert (
        "It can't be changed here: the server sets History policy (DEFAULT_HISTORY_POLICY), and "
        "History length goes with it."
    ) in text
    assert own_settings(conversation) == {"max_items": 40, "length": 3, "pruner": "fifo"}


def test_where_conversations_do_not_count_nothing_can_be_saved(owner, conversation, settings):
    settings.HISTORY_URL_OVERRIDES = "staff"

    response = owner.get(address(conversation))

    assert names(response) == []
    assert "You can't change this: only administrators may change settings here." in text_of(
        response
    )
    assert ">Save<" not in response.content.decode()


def test_what_is_stronger_than_this_chats_own_value_is_said(owner, conversation, settings):
    conversation.history_settings = {"length": 3, "token_budget": 9_000}
    conversation.save()
    settings.HISTORY_CAPS = Caps(token_budget=8_000)

    text = text_of(owner.get(address(conversation, "?historyLength=7")))

    assert (
        "Default: 7 (from URL historyLength). Currently used: 7 (from URL historyLength)." in text
    )
    assert (
        "Default: 8,000. The server allows at most 8,000 tokens (HISTORY_TOKEN_BUDGET_MAX). "
        "Currently used: 8,000."
    ) in text


MOST = "The server allows at most 10 turns (HISTORY_LENGTH_MAX)."


def test_the_servers_maximum_is_said_beside_the_field(owner, conversation, settings):
    settings.HISTORY_CAPS = Caps(length=10)

    text = text_of(owner.get(address(conversation)))

    assert f"Default: 10. {MOST}" in text
    assert "turns, at most 10 (History length)" in text
    assert "Everything At most 10 turns here." in text
    assert "Saved." not in text


@pytest.mark.parametrize(
    "asked", [{"policy": "lastN", "length": "40"}, {"policy": "all"}], ids=["turns", "all"]
)
def test_what_applies_is_said_where_more_was_asked_than_the_server_allows(
    owner, conversation, settings, asked
):
    settings.HISTORY_CAPS = Caps(length=10)

    text = text_of(owner.post(address(conversation), asked))

    assert (
        "Saved. The server allows at most 10 turns, so 10 are remembered. "
        "Takes effect with your next message."
    ) in text


def test_nothing_is_said_of_a_maximum_that_allows_it(owner, conversation, settings):
    settings.HISTORY_CAPS = Caps(length=10)
    asked = {"policy": "lastN", "length": "10"}

    assert "Saved. Takes effect with your next message." in text_of(
        owner.post(address(conversation), asked)
    )


def test_settings_that_contradict_each_other_are_warned_of(owner, conversation):
    response = owner.post(address(conversation), {"summarize": "true"})

    assert "neither sent nor summarised" in text_of(response)
    assert own_settings(conversation) == {"summarize": True}


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_settings_of_another_are_not_there(client, conversation, method):
    assert getattr(client, method)(address(conversation)).status_code == 404


def test_there_is_no_inline_style(owner, conversation):
    assert "style=" not in owner.get(address(conversation)).content.decode()
