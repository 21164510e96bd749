"""The dialog of `/config` shows a conversation's settings, and saves them."""

import re

import pytest

from history.core.settings.caps import Caps
from history.core.settings.layers import environment_layer
from tests.agents.pages import change_page
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.pages.reading import memory_address as address
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
    "summarize",
    "reasoning_effort",
]


def names(response):
    """Return the names of the form's fields."""
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
    assert "Try 5 to 20. Default: 12 (from agent demo v1)." in text


def test_what_is_saved_holds_from_the_next_message_on(owner, conversation):
    response = owner.post(address(conversation), {"max_items": " 40 ", "summarize": "false"})

    assert own_settings(conversation) == {"max_items": 40, "summarize": False}
    assert "Saved. Takes effect with your next message." in text_of(response)
    assert 'value="40"' in response.content.decode()
    plan = add_turn(conversation).plan
    (winner,) = [c for c in plan["settings"]["max_items"]["candidates"] if c["outcome"] == "winner"]
    assert (winner["value"], winner["source"]) == (40, "conversation")


def test_the_dialog_stays_only_if_less_applies_than_was_saved(owner, conversation, settings):
    whole = owner.post(address(conversation), {"max_items": "40"})
    settings.HISTORY_CAPS = Caps(length=10)
    lowered = owner.post(address(conversation), {"policy": "all"})

    for response, stays in ((whole, False), (lowered, True)):
        assert ("Close this to go on." in text_of(response)) is stays
        assert ("data-done" in response.content.decode()) is not stays


def test_an_empty_field_takes_the_value_back(owner, conversation):
    owner.post(address(conversation), {"max_items": "40", "policy": "all"})

    owner.post(address(conversation), {"max_items": "", "policy": "all"})

    assert own_settings(conversation) == {"policy": "all"}


def test_only_staff_read_the_servers_variables(client, agent, django_user_model, settings):
    settings.HISTORY_CAPS = Caps(length=10)
    settings.HISTORY_ENVIRONMENT = environment_layer({"HISTORY_MAX_ITEMS": "60"})
    for is_staff in (False, True):
        client.force_login(django_user_model.objects.create_user(f"{is_staff}", is_staff=is_staff))
        text = text_of(client.get("/chat/memory?agent=demo"))
        assert ("The server allows at most 10 turns (HISTORY_LENGTH_MAX)." in text) is is_staff
        assert ("Set by the server (HISTORY_MAX_ITEMS)." in text) is is_staff


def test_the_range_that_is_told_is_the_one_that_holds(owner, conversation, settings):
    settings.HISTORY_CAPS = Caps(length=10)

    text = text_of(owner.post(address(conversation), {"length": "x"}))

    assert "Enter a whole number from 0 to 10, or leave this empty for the default." in text


def test_defaults_and_choices_are_told_in_words(owner, conversation):
    response = owner.get(address(conversation))

    text = text_of(response)
    for said in (
        "Default (as the provider decides) none minimal",
        "Default (off) on off Replaces",
        "Pruner Default (the oldest turns) the oldest turns all but",
    ):
        assert said in text
    assert "Default: default" not in text
    assert "docs/" not in text
    assert text.index("How the model answers") < text.index("Reasoning effort")


def test_a_document_that_the_help_names_is_a_link(owner, admin_client, conversation):
    pages = owner.get(address(conversation)), admin_client.get(change_page(conversation.agent))

    for page in pages:
        found = re.search(r'document <a href="([^"]+)"[^>]*>“Reasoning”</a>', page.text)
        assert owner.get(found[1]).status_code == 200


WINDOW = "Enter a whole number from 2 to 10000, or leave this empty for the default."


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
            "Enter a whole number from 0 to 10,000, or leave this empty for the default.",
            id="length",
        ),
        pytest.param(
            "token_budget",
            "9",
            "Enter a whole number from 256 to 1,000,000,000, or leave this empty for the default.",
            id="as much as any number may be",
        ),
        pytest.param(
            "token_budget",
            "300",
            "“Output reserve” 4,096 (built-in) uses up all of “Token budget” 300 (this chat): "
            "lower “Output reserve” or raise “Token budget”.",
            id="no room beside the answer",
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
    assert "Set by the server." in text
    assert "HISTORY_" not in text
    assert (
        "How much is remembered Remembers everything that fits in the context window. Set by the "
        "server. The server allows at most 60 messages."
    ) in text
    assert own_settings(conversation) == {"max_items": 40, "length": 3, "pruner": "fifo"}


def test_where_conversations_do_not_count_nothing_can_be_saved(owner, conversation, settings):
    settings.HISTORY_URL_OVERRIDES = "staff"

    response = owner.get(address(conversation))

    assert names(response) == []
    assert (
        "Remembers the last 12 turns. You can't change this: only administrators may change "
        "settings here."
    ) in text_of(response)
    assert ">Save<" not in response.content.decode()


def test_what_0_means_is_said_once(owner, conversation):
    text = text_of(owner.get(address(conversation)))

    assert "0 sends all in full." in text
    assert "0 (all)" not in text


MOST = "The server allows at most 10 turns."


def test_the_servers_maximum_is_said_beside_the_field(owner, conversation, settings):
    settings.HISTORY_CAPS = Caps(length=10)

    text = text_of(owner.get(address(conversation)))

    assert f"Default: 10. {MOST}" in text
    assert "Try 5 to 20" not in text
    assert "turns, at most 10 (History length)" in text
    assert "Everything all At most 10 turns here." in text
    assert "Saved." not in text
    settings.HISTORY_CAPS = Caps(length=9_000)
    assert "turns, at most 9,000 (" in text_of(owner.get(address(conversation)))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        (
            "length",
            "40",
            "40 is too much: the server allows at most 10.",
        ),
        (
            "token_budget",
            "9000",
            "9,000 is too much: the server allows at most 8,000.",
        ),
    ],
)
def test_more_than_the_server_allows_is_refused_at_its_field(
    owner, conversation, settings, name, value, sentence
):
    settings.HISTORY_CAPS = Caps(length=10, token_budget=8_000)

    response = owner.post(address(conversation), {"policy": "lastN", name: value})

    assert sentence in text_of(response)
    assert re.search(rf'<input[^>]* name="{name}"[^>]* aria-invalid="true"', response.text)
    assert own_settings(conversation) == {}


@pytest.mark.parametrize("policy", ["all", "none"])
def test_a_length_that_is_ignored_anyway_is_never_too_much(owner, conversation, settings, policy):
    settings.HISTORY_CAPS = Caps(length=10)

    owner.post(address(conversation), {"policy": policy, "length": "40"})

    assert own_settings(conversation) == {"policy": policy}


def test_what_applies_is_said_where_everything_is_more_than_the_server_allows(
    owner, conversation, settings
):
    settings.HISTORY_CAPS = Caps(length=10)

    text = text_of(owner.post(address(conversation), {"policy": "all"}))

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
