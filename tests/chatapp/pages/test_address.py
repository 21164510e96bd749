"""A begun chat and its panel say which settings in the address have no effect."""

from urllib.parse import urlencode

import pytest
from django.urls import reverse

from chatapp.pages.address.overruled import Reader, overruled
from history.core.settings.caps import Caps
from history.core.settings.layers import environment_layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Candidate, CandidateOutcome, ResolvedSetting, Settings
from history.core.settings.spec import LayerName
from history.core.words.facts import Rule, fact
from history.services.access import Actor
from tests.chatapp.inspector.pages import text_of
from tests.factories import make_agent

pytestmark = [pytest.mark.django_db, pytest.mark.words, pytest.mark.turns(1)]
LOCKING = {"DEFAULT_HISTORY_POLICY": "lastN", "DEFAULT_HISTORY_LENGTH": "2"}
LOCKED = (
    "historyPolicy=all and historyLength=50 in the address are ignored because the server sets how "
    "much is remembered. Remembers the last 2 turns. Only an administrator can change that."
)


def shown(client, conversation, **query):
    """Return the texts of the chat's page and of the panel beside it."""
    page, panel = (reverse(name, args=[conversation.pk]) for name in ("chat", "panel"))
    address = f"{page}?{urlencode(query)}"
    beside = {"HTTP_HX_CURRENT_URL": f"http://testserver{address}", "HTTP_HX_REQUEST": "true"}
    return text_of(client.get(address)), text_of(client.get(panel, **beside))


def test_what_the_environment_locks_is_named(owner, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer(LOCKING)

    for text in shown(owner, conversation, historyPolicy="all", historyLength="50"):
        assert LOCKED in text
        assert text.count("the server sets how much is remembered") == 1
        assert "To change that" not in text


def test_an_administrator_is_told_the_variables(client, django_user_model, settings):
    make_agent("demo", name="Demo")
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "2"})
    client.force_login(django_user_model.objects.create_user("eve", is_staff=True))

    text = text_of(client.get("/chat?agent=demo&historyPolicy=all"))

    assert (
        "historyPolicy=all in the address is ignored because the server sets how much is "
        "remembered. Remembers the last 2 turns. To change that, change DEFAULT_HISTORY_LENGTH in "
        "the server's environment."
    ) in text


@pytest.mark.parametrize(
    ("is_staff", "named"),
    [(False, ""), (True, " (DEFAULT_HISTORY_LENGTH)")],
    ids=["a visitor", "staff"],
)
def test_only_staff_are_told_which_variable_holds_what_was_misspelt(
    client, django_user_model, settings, is_staff, named
):
    make_agent("demo", name="Demo")
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_LENGTH": "2"})
    if is_staff:
        client.force_login(django_user_model.objects.create_user("eve", is_staff=True))

    text = text_of(client.get("/chat?agent=demoo&historyPolicy=foo"))

    assert (
        f"It can't be changed here: the server sets History length{named}, and History policy goes "
        "with it."
    ) in text
    assert is_staff or "HISTORY_" not in text


def test_what_is_capped_is_named_with_what_applies(owner, conversation, settings):
    settings.HISTORY_CAPS = Caps(length=3)

    for text in shown(owner, conversation, historyLength="50"):
        assert (
            "historyLength=50 in the address is too much. The server allows at most 3 turns, so "
            "3 are remembered. Only an administrator can change that."
        ) in text


def test_a_length_beside_all_is_named_only_if_it_is_too_much(owner, conversation, settings):
    settings.HISTORY_CAPS = Caps(length=3)

    for text in shown(owner, conversation, historyPolicy="all", historyLength="50"):
        assert "historyPolicy=all and historyLength=50 in the address are too much." in text
    for text in shown(owner, conversation, historyPolicy="all", historyLength="2"):
        assert "historyPolicy=all in the address is too much." in text


def test_a_refusal_that_names_nobody_is_told_all_the_same():
    reason = fact(Rule.MAY_NOT_SET, name="length", layer="url", allowed=["template"])
    asked = Candidate(LayerName.URL, "URL", "5", None, CandidateOutcome.REFUSED, reason)
    length = ResolvedSetting("length", (asked, *resolve([])["length"].candidates), locked=False)
    settings = Settings({**resolve([]), "length": length})

    (notice,) = overruled(settings, Reader(Actor(visitor="somebody"), "Demo"))

    assert notice.sentence == (
        "historyLength=5 in the address is ignored. Remembers the last 20 turns. That is the "
        "default."
    )


def test_what_is_so_anyway_is_not_mentioned(owner, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer(LOCKING)

    for text in shown(owner, conversation, debug="true", historyLength="2"):
        assert "in the address is ignored" not in text


def test_addresses_that_do_not_count_for_this_person_are_named(owner, conversation, settings):
    settings.HISTORY_URL_OVERRIDES = "staff"

    for text in shown(owner, conversation, historyLength="5"):
        assert (
            "historyLength=5 in the address is ignored because only administrators may change "
            "settings here. Remembers the last 20 turns. That is the default. Only an "
            "administrator can change that."
        ) in text


def test_whoever_is_not_signed_in_is_told_to(client, settings, db):
    make_agent("demo", name="Demo")
    settings.HISTORY_URL_OVERRIDES = "signed_in"

    text = text_of(client.get("/chat?agent=demo&historyLength=5"))

    assert "ignored because only people who are signed in may change settings here." in text
    assert "That is the default. Sign in" in text


def test_what_only_an_agent_may_set_is_named(owner, conversation):
    for text in shown(owner, conversation, maxTokens="500"):
        assert (
            "Ignored from the address: maxTokens: Output limit can't be set in an address, only "
            "in the agent's settings."
        ) in text


@pytest.mark.parametrize("policy", ["all", "none"])
def test_a_length_that_its_policy_does_not_use_is_named(owner, conversation, policy):
    for text in shown(owner, conversation, historyPolicy=policy, historyLength="5"):
        assert (
            f"historyLength=5 in the address has no effect because History policy is {policy}. To "
            "limit the turns, set historyPolicy=lastN in the address."
        ) in text


@pytest.mark.parametrize("address", [{"historyPolicy": "lastN", "historyLength": "5"}, {}])
def test_nothing_is_said_of_a_length_that_is_used(owner, conversation, address):
    for text in shown(owner, conversation, debug="true", **address):
        assert "has no effect" not in text


def test_a_policy_that_is_locked_is_not_recommended(owner, conversation, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"DEFAULT_HISTORY_POLICY": "all"})

    for text in shown(owner, conversation, historyLength="5"):
        assert "historyLength=5 in the address is ignored because the server sets" in text
        assert "set historyPolicy=lastN" not in text


@pytest.mark.parametrize(
    ("name", "what"),
    [("model", "a model"), ("Model", "a model"), ("prompt", "a prompt"), ("system_prompt", "a p")],
)
def test_what_is_chosen_elsewhere_is_named(owner, conversation, name, what):
    for text in shown(owner, conversation, **{name: "foo"}):
        assert f"Ignored from the address: {name}: {what}" in text
        assert "can't be set in an address, only" in text


def test_foreign_parameters_are_not_named(owner, conversation):
    foreign = dict.fromkeys(("utm_source", "utm_medium", "fbclid", "gclid", "ref", "v"), "1")

    for text in shown(owner, conversation, **foreign):
        assert "Ignored from the address" not in text


def test_a_wrong_value_is_named_beside_the_chat_too(owner, conversation):
    for text in shown(owner, conversation, debug="true", historyLength="lots"):
        assert "Ignored from the address: historyLength=lots: must be a whole number" in text
        assert "History length: 20. That is the default." in text


def test_a_chat_keeps_its_agent_and_a_new_one_is_offered(owner, conversation):
    make_agent("goldfish", name="Goldfish")
    said = "This chat is with Demo: agent=goldfish in the address doesn't change that."

    page, panel = shown(owner, conversation, agent="goldfish")

    assert f"{said} Start a new chat with Goldfish" in page
    assert said in panel


def test_nothing_is_said_of_its_own_agent_and_nothing_offered_that_is_not_there(
    owner, conversation
):
    assert "in the address" not in shown(owner, conversation, agent="demo")[0]
    page, _panel = shown(owner, conversation, agent="nosuch")
    assert "This chat is with Demo: agent=nosuch in the address doesn't change that." in page
    assert "Start a new chat with" not in page
