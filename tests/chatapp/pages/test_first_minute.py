"""A newcomer is told at once what the app is, who answers, and where to sign in."""

import re

import pytest

from history.services.access import VISITOR, begin_visit
from tests.chatapp.pages.reading import page
from tests.factories import make_agent, make_conversation

pytestmark = pytest.mark.django_db
DEMO = "This is a built-in demo, not a real model."


@pytest.fixture(autouse=True)
def agent():
    return make_agent()


def test_one_line_says_what_this_is_and_leads_there(client):
    html = page(client, "/chat")

    assert (
        'For every answer, the <a href="?debug=true">inspector</a> shows what the model saw' in html
    )


@pytest.mark.parametrize(
    ("production", "told", "not_told"),
    [
        (False, "/login?next=/chat", "Ask whoever runs this server"),
        (True, "Ask whoever runs this server", "OPENAI_API_KEY"),
    ],
    ids=["on one's own machine", "elsewhere"],
)
def test_the_demo_says_what_it_is_and_who_connects_a_model(
    client, settings, production, told, not_told
):
    settings.PRODUCTION, settings.ANONYMOUS_CHAT = production, True
    html = page(client, "/chat")

    assert DEMO in html
    assert told in html
    assert not_told not in html


@pytest.mark.parametrize(
    ("mode", "is_told"),
    [({}, True), ({"LAN": True}, False), ({"PRODUCTION": True}, False)],
    ids=["on one's own machine", "in a network", "elsewhere"],
)
def test_a_long_chat_to_look_into_is_a_command_away(client, settings, mode, is_told):
    settings.ANONYMOUS_CHAT = True
    for name, value in mode.items():
        setattr(settings, name, value)

    told = "<code>make demo</code> makes a chat of 300 turns" in page(client, "/chat")

    assert told == is_told


def test_an_administrator_is_led_to_the_providers(admin_client, settings, agent):
    settings.PRODUCTION = True
    html = page(admin_client, "/chat")

    assert 'href="/admin/agents/provider/add/"' in html
    assert f'href="/admin/agents/agenttemplate/{agent.pk}/change/"' in html
    for way in ("OPENAI_API_KEY", "OLLAMA_API_BASE", "OPENAI_API_BASE"):
        assert f"{way}=" in html


def test_a_real_model_is_no_demo(client, catalogue, agent):
    catalogue.key_missing = lambda model: None
    agent.model = "small/model"
    agent.save()

    assert DEMO not in page(client, "/chat")


@pytest.mark.parametrize(
    ("missing", "fault", "said"),
    [
        ("SMALL_API_KEY", "", "small/model needs a key. Set SMALL_API_KEY in the environment"),
        (None, "no such provider", "small/model can&#x27;t answer: no such provider."),
    ],
    ids=["no key", "not allowed"],
)
def test_a_model_that_cannot_answer_is_said_beforehand(
    client, catalogue, agent, missing, fault, said
):
    catalogue.key_missing = lambda model: missing
    catalogue.fault = lambda model: fault
    agent.model = "small/model"
    agent.save()

    assert said in page(client, "/chat")


def test_where_several_people_chat_only_staff_are_told_what_to_set(
    client, admin_client, catalogue, agent, settings
):
    settings.LAN = True
    catalogue.key_missing = lambda model: "SMALL_API_KEY"
    catalogue.fault = lambda model: ""
    agent.model = "small/model"
    agent.save()

    seen = page(client, "/chat")
    assert "This agent can't answer now. Ask the administrator." in seen
    assert "SMALL_API_KEY" not in seen
    assert "Set SMALL_API_KEY in the environment" in page(admin_client, "/chat")


def test_the_button_to_sign_in_is_where_one_looks(client, admin_client):
    html = page(client, "/chat?agent=demo")

    assert re.search(
        r'class="button sign-in"\s+data-sign-in\s+href="/login\?next=/chat%3Fagent%3Ddemo"', html
    )
    assert "sign-in" not in page(admin_client, "/chat")


def test_the_login_page_says_how_one_gets_an_account_and_where_chats_go(client, settings, agent):
    begin_visit(session := client.session)
    session.save()
    for _ in range(2):
        make_conversation(agent, visitor=session[VISITOR])
    html = " ".join(page(client, "/login").split())

    assert "The 2 chats you began here move into your account." in html
    assert "The first start printed the password of <code>admin</code>" in html
    assert "Chat without an account" in html

    settings.MODE, settings.ANONYMOUS_CHAT = "production", False
    html = page(client, "/login")
    assert "No account? Ask an administrator to create one." in html
    assert "you began here" not in html
    assert "Chat without an account" not in html


def test_the_printed_password_is_named_only_until_somebody_has_signed_in(client, admin_client):
    assert "changepassword" not in page(client, "/login")
    assert "No account? Ask an administrator to create one." in page(client, "/login")


def test_many_agents_are_all_there_with_the_first_nine_in_sight(client):
    for number in range(2, 13):
        make_agent(slug=f"agent-{number}", name=f"Agent {number}")
    html = page(client, "/chat").partition('<nav class="agents"')[2].partition("</nav>")[0]

    in_sight, folded = html.split("<details>")
    assert (in_sight.count("<li>"), folded.count("<li>")) == (9, 3)
    assert "3 more" in folded


def test_few_agents_are_all_in_sight(client):
    make_agent(slug="second", name="Second")
    html = page(client, "/chat").partition('<nav class="agents"')[2].partition("</nav>")[0]

    assert html.count("<li>") == 2
    assert "<details>" not in html
