"""The page of a chat before its first message."""

import re

import pytest
from django.contrib.auth.models import Permission, User

from agents.models import SiteDefaults
from agents.networks.models import Network
from history.core.settings.layers import environment_layer
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.pages.reading import chat_page, data, page
from tests.factories import (
    make_agent,
    make_conversation,
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
    assert html.count("/chat?agent=archivist") == 2  # In the picker and in a card.
    assert data(html, "conversation") == [""]
    assert data(html, "head") == ["-1"]


def memory(client, query=""):
    """Return what the page says on the memory of the agent in the given address."""
    html = page(client, f"/chat{query}")
    (said,) = re.findall(r'<p class="lead">(.*?)</p>', html, re.DOTALL)
    words = " ".join(re.sub(r"<[^>]+>", "", said).split())
    return words.removeprefix("Remembers well. ")


def test_what_an_agent_remembers_is_computed_from_its_settings(client, admin_client, agent):
    agent.history_settings = {"length": 7, "length_stride": 10}
    agent.tools = ["recall"]
    agent.save()
    sentence = "Remembers the last 7 to 16 turns. Can search older messages."

    assert memory(client) == sentence
    shown = text_of(client.get("/chat"))
    assert shown.count(sentence) == 2  # The picker says it, too.
    (told,) = admin_client.get("/api/agents").json()
    assert (told["description"], told["remembers"]) == ("Remembers well.", sentence)


MEMORY = r"Remembers the [^<]*\."


def offered(html):
    """Return what picker and cards say on each agent's memory, with the agent's slug."""
    entries = re.findall(r'href="/chat\?agent=(\w+)"(.*?)</a>', html, re.DOTALL)
    return {(slug, told) for slug, entry in entries for told in re.findall(MEMORY, entry)}


def test_the_agent_that_is_chosen_is_offered_with_what_it_remembers_here(client, agent):
    make_agent("other")
    usual = "Remembers the last 20 turns."

    assert offered(page(client, "/chat")) == {("demo", usual), ("other", usual)}
    assert offered(page(client, "/chat?historyLength=2")) == {
        ("demo", "Remembers the last 2 turns."),
        ("other", usual),
    }


def test_so_it_is_in_a_chat_with_a_length_of_its_own(admin_client, admin_user, agent):
    own = {"policy": "lastN", "length": 2}
    conversation = make_conversation(agent, admin_user, history_settings=own)
    html = chat_page(admin_client, conversation)

    assert offered(html) == {("demo", "Remembers the last 2 turns.")}


def test_what_the_chat_is_to_begin_with_counts_and_what_it_cannot_is_said(client, agent):
    assert memory(client, "?own.policy=lastN&own.length=3") == (
        "Remembers the last 3 turns. Set for this chat."
    )
    assert memory(client, "?own.length=3&historyLength=2").endswith("Set in the address.")
    html = page(client, "/chat?own.length=many&own.size=3")
    assert html.count("Ignored from the address:") == 2


def test_the_sites_defaults_count_too(client, agent):
    SiteDefaults.objects.create(history_settings={"policy": "none"})

    assert memory(client) == "Remembers nothing: every message stands alone."


@pytest.mark.parametrize(
    ("environment", "query", "sentence"),
    [
        ({}, "?historyLength=3", "Remembers the last 3 turns. Set in the address."),
        ({"DEFAULT_HISTORY_LENGTH": "5"}, "", "Remembers the last 5 turns. Set by the server."),
        (
            {"DEFAULT_HISTORY_LENGTH": "5"},
            "?historyLength=3",
            "Remembers the last 5 turns. Set by the server.",
        ),
    ],
    ids=["the address", "the environment", "the environment's lock"],
)
def test_who_else_decides_what_it_remembers_is_said(
    client, agent, settings, environment, query, sentence
):
    settings.HISTORY_ENVIRONMENT = environment_layer(environment)

    assert memory(client, query) == sentence


def test_the_general_agent_comes_first_and_then_the_oldest(client):
    for slug in ("zebra", "demo", "ant"):
        make_agent(slug)
    named = re.findall(r'class="entry"\s+href="/chat\?agent=(\w+)"', page(client, "/chat"))

    assert named == ["demo", "zebra", "ant"]


def test_the_address_names_the_agent(client, agent):
    make_agent("archivist", name="The Archivist")

    assert "<h2>The Archivist</h2>" in page(client, "/chat?agent=archivist")


def test_both_ways_to_a_new_chat_keep_the_agent(client, agent):
    make_agent("archivist", name="The Archivist")
    html = re.sub(r"\s+", " ", page(client, "/chat?agent=archivist"))

    assert 'class="new-chat" href="/chat?agent=archivist"' in html
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


@pytest.mark.parametrize(
    ("query", "is_open", "said"),
    [
        ("debug=true", True, False),
        ("debug=1", True, False),
        ("debug=false", False, False),
        ("debug=true&debug=1&debug=true", True, True),
        ("debug=true&debug=true", True, False),
        ("debug=yes", False, True),
    ],
)
def test_the_panel_is_opened_by_true_and_by_1(client, agent, query, is_open, said):
    html = page(client, f"/chat?{query}")

    assert ('id="panel"' in html) is is_open
    faults = ("debug=yes: must be true or false.", "debug=true and 1: may appear only once.")
    assert any(f"Ignored from the address: {fault}" in html for fault in faults) is said


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("agent=dmeo", "No agent is called “dmeo”. Did you mean demo? Using Demo."),
        ("agent=zz", "No agent is called “zz”. Using Demo."),
        ("network=supprt", "No network is called “supprt”. Did you mean support? Using Demo."),
        (
            "agent=goldfish&network=support",
            "agent=goldfish in the address is ignored because network=support decides who answers. "
            "Leave one of the two out.",
        ),
        (
            "agent=goldfish&agent=demo",
            "agent=goldfish in the address is ignored because agent=demo follows it. "
            "Leave one of the two out.",
        ),
        ("historyPolicy=lastn", "must be none, lastN or all (did you mean lastN?)."),
        ("historyPolicy=some", "must be none, lastN or all."),
    ],
)
def test_a_misspelt_value_is_said_with_what_it_may_mean(client, agent, query, said):
    Network.objects.create(slug="support", name="Support", entry="demo")

    assert said in page(client, f"/chat?{query}")


def test_the_same_agent_twice_is_no_mistake(client, agent):
    assert "follows it" not in page(client, "/chat?agent=demo&agent=demo")


@pytest.mark.parametrize(
    ("may_see", "said"),
    [
        (True, "The agent “walk” is not enabled. Using Demo."),
        (False, "No agent is called “walk”. Using Demo."),
    ],
)
def test_only_who_may_see_agents_is_told_that_one_is_not_enabled(client, agent, may_see, said):
    make_agent("walk", enabled=False)
    eve = User.objects.create_user("eve", is_staff=True)
    if may_see:
        eve.user_permissions.add(Permission.objects.get(codename="view_agenttemplate"))
    client.force_login(eve)

    assert said in page(client, "/chat?agent=walk")


def test_a_network_that_is_unknown_does_not_decide_who_answers(client, agent):
    html = page(client, "/chat?network=typo&agent=demo")

    assert "No network is called “typo”. Using Demo." in html
    assert "decides who answers" not in html


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        *(("historyLenght", "historyLength"), ("histroypolicy", "historyPolicy")),
        *(("history", "historyLength"), ("historyBudget", "historyLength")),
        *(("debg", "debug"), ("Debug", "debug"), ("agents", "agent"), ("netwrok", "network")),
        *(("utm_source", ""), ("fbclid", ""), ("q", ""), ("page", ""), ("lang", "")),
        *(("own.length", ""), ("x" * 5_000, "")),
    ],
    ids=lambda name: name[:20],
)
def test_a_misspelt_name_is_said_with_what_it_may_mean(client, agent, name, meant):
    html = page(client, f"/chat?{name}=3")

    said = f"Ignored from the address: {name} is not a setting. Did you mean {meant}?"
    assert (said in html) is bool(meant)
    assert ("address-notices" in html) is bool(meant)


def test_everything_wrong_in_an_address_is_said_in_one_box(client, agent):
    html = page(client, "/chat?historyLength=lots&historyPolicy=some&debg=true")

    (box,) = re.findall(r'class="notice".*?</div>', html, re.DOTALL)
    assert box.count("Ignored from the address:") == box.count("<li>") == 3


def test_a_monitor_may_ask_for_the_head_alone(client, agent):
    answer = client.head("/chat")

    assert (answer.status_code, answer.content) == (200, b"")


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

    assert "one turn, like 1" not in page(client, "/chat?historyLength=0")
