"""The page of a chat that has not begun."""

import re

import pytest

from tests.chatapp.pages.reading import data, page
from tests.factories import (
    make_agent,
)
from tests.told import length_acts_as_one

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(description="Remembers well.", starters="Hello?\n\nWhat is 2+2?\n"),
]


def test_the_bare_address_leads_to_a_new_chat(client):
    assert client.get("/").headers["Location"] == "/chat"


def test_a_new_chat_introduces_its_agent(client, agent):
    make_agent("archivist", name="The Archivist")
    html = page(client, "/chat")

    assert "<h2>Demo</h2>" in html
    assert "Remembers well." in html
    assert re.findall(r"data-starter[^>]*>([^<]+)<", html) == ["Hello?", "What is 2+2?"]
    assert html.count("/chat?agent=archivist") == 2  # In the picker, and below the starters.
    assert data(html, "conversation") == [""]
    assert data(html, "head") == ["-1"]


def test_the_address_names_the_agent(client, agent):
    make_agent("archivist", name="The Archivist")

    assert "<h2>The Archivist</h2>" in page(client, "/chat?agent=archivist")


def test_both_ways_to_a_new_chat_say_where_they_lead(client, agent):
    make_agent("archivist", name="The Archivist")
    html = re.sub(r"\s+", " ", page(client, "/chat?agent=archivist"))

    assert 'href="/chat" title="New chat (Ctrl+Shift+O)"' in html
    assert 'href="/chat?agent=archivist" aria-label="New chat with The Archivist"' in html


def test_an_unknown_agent_is_said_on_the_page(client, agent):
    make_agent("archivist", name="The Archivist")
    html = page(client, "/chat?agent=nobody<b>")

    assert "No agent is called “nobody&lt;b&gt;”. Using Demo." in html


@pytest.mark.parametrize("query", ["", "?agent="], ids=["no name", "an empty name"])
def test_where_none_is_named_the_demo_agent_answers(client, agent, query):
    make_agent("archivist", name="The Archivist")
    html = page(client, f"/chat{query}")

    assert data(html, "agent") == ["demo"]
    assert "No agent is called" not in html


@pytest.mark.parametrize(
    ("query", "notices"),
    [("", 0), ("?agent=", 0), ("?agent=demo", 1), ("?agent=nobody", 1)],
    ids=["no name", "an empty name", "one that is off", "an unknown one"],
)
def test_without_the_demo_agent_the_first_one_answers(client, query, notices):
    make_agent(enabled=False)
    make_agent("archivist")
    make_agent("goldfish", name="Goldfish")
    html = page(client, f"/chat{query}")

    assert data(html, "agent") == ["archivist"]
    assert html.count("Using Archivist.") == notices


def test_without_agents_the_page_says_what_to_do(client):
    html = page(client, "/chat")

    assert "No agent is enabled" in html
    assert "disabled></textarea>" in re.sub(r"\s+", " ", html).replace(" >", ">")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("historyLength=5abc", "historyLength=5abc"),
        ("historyPolicy=LASTN", "historyPolicy=LASTN"),
        ("historyLength=1&historyLength=2", "historyLength=1 and 2"),
        ("historyLength=", "historyLength="),
        ("historyLength=%00", "historyLength=\N{REPLACEMENT CHARACTER}"),
        ("historyPolicy=all%00", "historyPolicy=all\N{REPLACEMENT CHARACTER}"),
        ("historyLength=-1", "historyLength=-1"),
        ("historyLength=+1", "historyLength= 1"),
        ("historyLength=10001", "historyLength=10001"),
        (f"historyLength={'9' * 5_000}", f"historyLength={'9' * 40}\N{HORIZONTAL ELLIPSIS}"),
        ("historyLength=%D9%A3", "historyLength=\N{ARABIC-INDIC DIGIT THREE}"),
        ("historyLength=%EF%BC%95", "historyLength=\N{FULLWIDTH DIGIT FIVE}"),
        ("historyLength=%FF", "historyLength=\N{REPLACEMENT CHARACTER}"),
        ("historyPolicy=all&historyPolicy=all", "historyPolicy=all and all"),
    ],
)
def test_a_setting_that_cannot_be_read_is_said_on_the_page(client, agent, query, said):
    html = page(client, f"/chat?{query}")

    assert f"Ignored from the address: {said}: " in html


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("imagesKeep=1", "imagesKeep: Images kept can&#x27;t be set in an address"),
        ("HISTORY_MAX_ITEMS=4", "HISTORY_MAX_ITEMS: History window (items) can&#x27;t be set"),
        ("historylength=5", "historylength: in an address, History length is historyLength"),
    ],
)
def test_a_name_like_a_settings_is_said_on_the_page(client, agent, query, said):
    assert f"Ignored from the address: {said}" in page(client, f"/chat?{query}")


def test_a_model_without_a_key_is_marked_and_cannot_be_chosen(client, agent, catalogue):
    agent.allowed_models = ["small/model", "tiny/model"]
    agent.save()
    catalogue.key_missing = lambda model: "TINY_API_KEY" if model == "tiny/model" else None
    html = re.sub(r"\s+", " ", page(client, "/chat"))

    assert '<option value="small/model" translate="no" >' in html
    assert 'translate="no" disabled> tiny/model (needs a key) </option>' in html


def test_good_settings_need_no_words(client, agent):
    assert "Ignored" not in page(client, "/chat?historyLength=5&historyPolicy=lastN&debug=true")


@pytest.mark.parametrize(
    ("query", "notices"),
    [
        ("historyLength=0", 1),
        ("history%4Cength=0", 1),
        ("historyLength=0&historyPolicy=all", 0),
        ("historyLength=1", 0),
        ("", 0),
    ],
)
def test_a_length_of_0_is_explained_before_anything_is_sent(client, agent, query, notices):
    assert page(client, f"/chat?{query}").count(length_acts_as_one()) == notices


def test_a_length_of_0_that_does_not_count_needs_no_words(client, agent, settings):
    settings.HISTORY_URL_OVERRIDES = "staff"

    assert "treated as 1" not in page(client, "/chat?historyLength=0")
