"""The dialog of `/config` says what applies now, if that is not what the chat itself sets: because
of the address, a cap or the policy.
"""

import re

import pytest

from history.core.settings.caps import NO_CAPS, Caps
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.pages.reading import memory_address as address

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(history_settings={"policy": "lastN", "length": 12}),
    pytest.mark.turns(1),
]


def test_what_is_stronger_than_this_chats_own_value_is_said(owner, conversation, settings):
    conversation.history_settings = {"length": 3, "token_budget": 9_000}
    conversation.save()
    settings.HISTORY_CAPS = Caps(token_budget=8_000)

    text = text_of(owner.get(address(conversation, "?historyLength=7")))

    assert "Currently used: 7 (from the address of this page)." in text
    assert "Default: 7" not in text
    assert (
        "Default: 8,000. The server allows at most 8,000 tokens. Currently used: 8,000."
    ) in text


@pytest.mark.parametrize(
    ("own", "query", "sentence"),
    [
        ({"policy": "none", "length": 12}, "", "Not used now: History policy is none."),
        (
            {"length": 3},
            "?historyPolicy=all&historyLength=9",
            "Not used now: History policy is all (from the address of this page).",
        ),
    ],
    ids=["this chat's policy", "the address's policy"],
)
def test_a_length_that_the_policy_ignores_is_not_said_to_be_used(
    owner, conversation, settings, own, query, sentence
):
    conversation.history_settings = own
    conversation.save()
    settings.HISTORY_CAPS = Caps(length=9) if not query else NO_CAPS

    text = text_of(owner.get(address(conversation, query)))

    assert sentence in text
    assert "Currently used" not in text


def test_a_length_that_the_policy_counts_by_is_not_called_unused(owner, conversation):
    assert "Not used now" not in text_of(owner.get(address(conversation)))


BOTH = "?historyLength=3&historyPolicy=lastN&debug=true"
LEFT = "Removed from the page's address so that this chat's own settings apply:"


def left(response):
    """Return the parameters that are removed from the address, and the query that remains."""
    html = response.content.decode()
    found = re.findall(r'data-leaves="([^"]+)"', html)
    (action,) = re.findall(r'action="[^"?]*\?([^"]*)"', html)
    return found, action.replace("&amp;", "&")


@pytest.mark.parametrize(
    ("asked", "leaves", "query"),
    [
        ({"policy": "all"}, ["historyPolicy historyLength"], "debug=true"),
        ({"policy": "lastN", "length": "4"}, ["historyPolicy historyLength"], "debug=true"),
        ({"policy": "lastN"}, ["historyPolicy"], "historyLength=3&debug=true"),
        ({"max_items": "40"}, [], BOTH[1:]),
        ({"policy": "", "length": ""}, [], BOTH[1:]),
    ],
    ids=["everything", "turns", "the policy alone", "something else", "as usual"],
)
def test_what_would_override_the_choice_leaves_the_address(
    owner, conversation, asked, leaves, query
):
    response = owner.post(address(conversation, BOTH), asked)

    assert left(response) == (leaves, query)
    assert (LEFT in text_of(response)) == bool(leaves)


def test_what_was_chosen_is_in_force_in_the_dialog_at_once(owner, conversation, settings):
    settings.HISTORY_CAPS = Caps(length=10)
    query = "?historyLength=40&historyPolicy=all"

    text = text_of(owner.post(address(conversation, query), {"policy": "lastN", "length": "4"}))

    assert f"Saved. Takes effect with your next message. {LEFT}" in text
    assert "Currently used" not in text


def test_a_chat_to_come_begins_without_what_would_override_the_choice(owner, agent):
    response = owner.post(f"/chat/memory{BOTH}", {"policy": "all"})

    assert left(response) == (
        ["historyPolicy historyLength"],
        "debug=true&own.policy=all",
    )
    assert 'data-address="/chat?debug=true&amp;own.policy=all"' in response.content.decode()


def test_who_decides_what_is_usual_is_said_if_it_is_the_address(owner, conversation):
    text = text_of(owner.get(address(conversation, BOTH)))

    assert "From the address Remembers the last 3 turns." in text
    assert "Default Remembers" not in text
    assert "Default: 3" not in text


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            "?historyLength=5",
            "Saving a value here removes historyLength=5 from the address of this page.",
        ),
        (
            BOTH,
            "Saving values here removes historyPolicy=lastN and historyLength=3 from the address "
            "of this page.",
        ),
    ],
)
def test_what_saving_removes_from_the_address_is_said_before(owner, conversation, query, sentence):
    for path in (address(conversation, query), f"/chat/memory{query}"):
        assert sentence in text_of(owner.get(path))


@pytest.mark.parametrize("query", ["", "?debug=true", "?historyLength=many", "?own.length=4"])
def test_nothing_is_said_of_an_address_that_sets_nothing(owner, agent, query):
    text = text_of(owner.get(f"/chat/memory{query}"))

    assert "removes" not in text
    assert "the address" not in text
    assert "Default Remembers the last 12 turns." in text
    assert "Default: 12 (from agent demo v1)." in text
