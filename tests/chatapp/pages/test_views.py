import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from agents.models import AgentTemplate
from history.core.settings.spec import LayerName
from history.models import Branch, Conversation
from history.services.path.appending import append, assistant_message, user_message
from history.services.path.reading import message_at
from tests.chatapp.pages.reading import chat_page, data, page
from tests.factories import (
    add_plan,
    add_turn,
    add_turns,
    begin_turn,
    branch_of,
    make_agent,
    make_conversation,
)
from tests.told import last_turns, length_acts_as_one

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(description="Remembers well.", starters="Hello?\n\nWhat is 2+2?\n"),
]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def user():
    return User.objects.create_user("ada", password="a good long password")


@pytest.fixture
def ada(client, user):
    client.force_login(user)
    return client


@pytest.fixture
def conversation(agent, user):
    return make_conversation(agent, user, title="Trip to Rome")


# A chat that has begun


def test_a_length_of_0_is_explained_before_the_next_message_too(ada, conversation):
    add_turn(conversation)

    assert length_acts_as_one() in chat_page(ada, conversation, "?historyLength=0")


def test_the_transcript_is_there_at_the_first_paint(ada, conversation):
    add_turn(conversation, "Where to?", "**Rome**.")
    html = chat_page(ada, conversation)

    assert "<p>Where to?</p>" in html
    assert "<p><strong>Rome</strong>.</p>" in html
    assert "<title>Trip to Rome · Vitrine</title>" in re.sub(r"\s*\n\s*", "", html)
    assert data(html, "head") == ["1"]


@pytest.mark.parametrize("turns", [3, 100], ids=["6 messages", "200 messages"])
def test_the_page_takes_the_same_queries_however_long_the_chat_is(
    ada, conversation, turns, django_assert_num_queries
):
    add_turns(conversation, turns - 1)
    add_turn(conversation)
    for _ in range(turns):
        make_conversation(conversation.agent, conversation.owner)

    with django_assert_num_queries(
        16
    ):  # Session, user, chat, agents, networks, site, pinned chats, answers, messages, ...
        chat_page(ada, conversation)


def test_the_cut_line_stands_before_the_first_message_that_is_sent(ada, conversation):
    for _ in range(4):
        add_turn(conversation, query="historyLength=2")
    html = chat_page(ada, conversation)

    assert data(html, "position") == [str(position) for position in range(8)]
    assert data(html[: html.index("data-cut-before")], "position") == ["0", "1", "2", "3"]
    assert last_turns(2, left_out=4, by=LayerName.URL) in html


def test_a_cut_that_is_further_up_is_not_shown(ada, conversation):
    add_turns(conversation, 100)
    add_turn(conversation, query="historyLength=90")

    assert "data-cut-before" not in chat_page(ada, conversation)


def test_the_list_finds_titles_and_messages(ada, conversation):
    add_turn(conversation, "Where is <b>Rome</b>?", "In Italy.")
    html = ada.get(reverse("chats"), {"q": "rome"}).text

    assert html.count("Trip to <mark>Rome</mark>") == 2  # Both in the list and above a match.
    assert f'href="{reverse("chat", args=[conversation.pk])}#at-0"' in html
    assert "Where is &lt;b&gt;<mark>Rome</mark>&lt;/b&gt;?" in html
    nothing = ada.get(reverse("chats"), {"q": "<zeppelin>"}).text
    assert "None of your chats contain “&lt;zeppelin&gt;”." in nothing


def test_a_running_answer_is_there_to_be_followed(ada, conversation):
    generation = begin_turn(conversation)
    html = chat_page(ada, conversation)

    assert data(html, "generation") == [str(generation.pk)] * 2
    assert 'data-status="running"' in html


def test_the_panel_is_there_when_the_address_asks(ada, conversation):
    path = reverse("chat", args=[conversation.pk])

    assert 'id="panel"' not in chat_page(ada, conversation)
    assert f'data-url="{path}/panel?debug=true&amp;historyLength=2"' in chat_page(
        ada, conversation, "?debug=true&historyLength=2"
    )


def test_a_new_chat_has_its_panel_too(client, agent):
    html = page(client, "/chat?agent=nobody&debug=true")

    assert 'data-url="/chat/panel?agent=nobody&amp;debug=true&amp;agent=demo"' in html


def test_a_page_that_is_open_gets_only_the_main_part(ada, conversation):
    html = page(ada, reverse("chat", args=[conversation.pk]), headers=HTMX)

    assert html.split()[:4] == ["<title>", "Trip", "to", "Rome"]
    assert '<main id="main"' in html
    assert "<html" not in html
    assert 'id="sidebar"' not in html


# Who may see what


@pytest.mark.parametrize("name", ["chat", "older", "rename", "branch"])
def test_what_belongs_to_another_is_not_there(ada, agent, name):
    path = reverse(name, args=[make_conversation(agent).pk])
    response = ada.post(path) if name in {"rename", "branch"} else ada.get(path)

    assert response.status_code == 404


def test_what_does_not_exist_is_not_there(ada):
    assert ada.get(reverse("chat", args=[uuid4()])).status_code == 404


def test_a_visitor_finds_their_chats_again(client, agent):
    client.post("/visitor")
    Conversation.objects.filter(pk=make_conversation(agent, title="Mine").pk).update(
        visitor=client.session["visitor"]
    )

    assert "Mine" in page(client, "/chats")
    assert "Mine" not in page(Client(), "/chats")


def test_nobody_is_sent_to_sign_in(client, settings):
    settings.ANONYMOUS_CHAT = False
    moved = client.get("/chat?agent=demo", headers={**HTMX, "HX-Current-URL": "http://x/chat/1?a"})

    assert client.get("/chat?agent=demo").headers["Location"] == "/login?next=/chat%3Fagent%3Ddemo"
    assert (moved.status_code, moved.headers["HX-Redirect"]) == (204, "/login?next=%2Fchat%2F1")


def test_signing_in_leads_back_and_out_again(client, agent, user):
    assert 'name="next" value="/chats"' in page(client, "/login?next=/chats")
    sent = {"username": "ada", "password": "a good long password", "next": "/chats"}
    assert client.post("/login", sent).headers["Location"] == "/chats"
    assert client.post("/logout").headers["Location"] == "/chat"


def test_a_wrong_password_is_said(client, user):
    response = client.post("/login", {"username": "ada", "password": "wrong"})

    assert 'class="problem"' in response.content.decode()


# The list of chats


def titles(html):
    """Return the titles in the list, without the marks around searched words."""
    found = re.findall(r'<a href="/chat/[^"]*"\s+dir="auto">(.*?)</a>', html)
    return [re.sub("</?mark>", "", title) for title in found]


def test_the_list_is_grouped_and_goes_on(ada, conversation):
    for number in range(51):
        made = make_conversation(conversation.agent, conversation.owner, title=f"Chat {number}")
        Conversation.objects.filter(pk=made.pk).update(
            active=datetime(2025, 10, 20, 12, tzinfo=UTC) - timedelta(minutes=number)
        )
    first = page(ada, "/chats")
    (more,) = re.findall(r'hx-get="(/chats\?before[^"]*)"', first)
    second = page(ada, more.replace("&amp;", "&"))

    assert titles(first) == ["Trip to Rome", *(f"Chat {number}" for number in range(49))]
    assert re.findall(r'class="chats-group">([^<]*)<', first) == ["Today", "October 2025"]
    assert titles(second) == ["Chat 49", "Chat 50"]
    assert "chats-group" not in second


def test_the_list_is_searched_by_title(ada, conversation):
    make_conversation(conversation.agent, conversation.owner, title="Groceries")

    found = page(ada, "/chats?q=rome")

    assert titles(found) == ["Trip to Rome"]
    assert "Trip to <mark>Rome</mark>" in found
    assert "None of your chats contain “&lt;z&gt;”." in page(ada, "/chats?q=<z>")


@pytest.mark.parametrize(
    ("query", "is_found"),
    [
        ("renamed keys", True),
        ("keys renamed", True),
        ("renamed, keys!", True),
        ('"renamed by"', True),
        ('"renamed by" kéy', True),
        ('"renamed b', True),
        ('"renamed b"', False),
        ('"by renamed"', False),
        ("renamed doors", False),
        ("renamed 50%_", False),
        ("✓", True),
        ("✗", False),
    ],
)
def test_a_title_is_found_by_its_words_in_any_order(ada, conversation, query, is_found):
    make_conversation(conversation.agent, conversation.owner, title="Renamed by Keys ✓")

    found = titles(page(ada, f"/chats?{urlencode({'q': query})}"))

    assert found == (["Renamed by Keys ✓"] if is_found else [])


def test_a_chat_without_a_title_is_listed_with_what_was_found_in_it(ada, conversation):
    add_turn(conversation, "Where is Rome?", "In Italy.")
    Conversation.objects.update(title="")

    assert "Untitled chat" in page(ada, "/chats?q=rome")


def test_a_bad_place_in_the_list_is_its_beginning(ada, conversation):
    assert titles(page(ada, "/chats?before=2026-99-99T00:00:00Z")) == ["Trip to Rome"]


# What people can do with a chat


def test_renaming_tells_the_list(ada, conversation):
    response = ada.post(reverse("rename", args=[conversation.pk]), {"title": "  Rome  "})
    conversation.refresh_from_db()

    assert (response.status_code, response.headers["HX-Trigger"]) == (204, "chat:list")
    assert conversation.title == "Rome"


@pytest.mark.parametrize("title", ["", "   ", "x" * 201, "a\x00b"])
def test_a_bad_title_is_refused_in_a_sentence(ada, conversation, title):
    response = ada.post(reverse("rename", args=[conversation.pk]), {"title": title})
    conversation.refresh_from_db()

    assert response.status_code == 422
    assert response.content.decode().endswith(".")
    assert conversation.title == "Trip to Rome"


def fork(conversation, text):
    """Make a branch with another first message."""
    branch = Branch.objects.create(conversation=conversation)
    append(branch, [user_message(text), assistant_message("Another answer")])
    return branch


def test_another_branch_is_opened_with_the_address_kept(ada, conversation):
    add_turn(conversation, "Said first")
    other = fork(conversation, "Said differently")
    (choice,) = re.findall(r'name="branch"\s+value="(\d+)"', chat_page(ada, conversation))
    path = reverse("chat", args=[conversation.pk])
    response = ada.post(
        f"{path}/branch",
        {"branch": choice},
        headers={"HX-Current-URL": f"http://testserver{path}?debug=true"},
    )
    conversation.refresh_from_db()

    assert choice == str(other.pk)
    assert response.headers["Location"] == f"{path}?debug=true"
    assert conversation.branch == other
    html = chat_page(ada, conversation)
    assert ("Said differently" in html, "Said first" in html) == (True, False)
    assert "<span>2 / 2</span>" in html


@pytest.mark.parametrize("choice", ["", "x", "0", "9" * 30])
def test_only_a_branch_of_the_conversation_is_opened(ada, conversation, choice):
    path = reverse("branch", args=[conversation.pk])

    assert ada.post(path, {"branch": choice}).status_code == 404


def test_the_branch_stays_while_an_answer_is_written(ada, conversation):
    begin_turn(conversation)
    other = fork(conversation, "Said differently")
    response = ada.post(reverse("branch", args=[conversation.pk]), {"branch": other.pk})

    assert response.status_code == 409
    assert response.content.startswith(b"Wait for the answer")


def test_changes_need_the_token(user, conversation):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user)

    assert strict.post(reverse("rename", args=[conversation.pk])).status_code == 403
    assert Conversation.objects.get().title == "Trip to Rome"


def test_changes_need_a_post(ada, conversation):
    assert ada.get(reverse("rename", args=[conversation.pk])).status_code == 405


def test_health_is_told(client):
    assert client.get("/healthz").json() == {"status": "ok"}


# What the Content-Security-Policy demands of every page


class Inline(HTMLParser):
    """Collects inline code, which pages may not contain."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        names = dict(attrs)
        self.found += [name for name in names if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in names):
            self.found.append(tag)


def test_no_page_holds_a_script_or_a_style(ada, conversation):
    generation = begin_turn(conversation, "Show me")
    add_plan(generation)
    append(branch_of(conversation), [assistant_message("```py\nx = 1\n```\n$x^2$")], generation)
    inline = Inline()
    for path in ("/chat", f"/chat/{conversation.pk}?debug=true&historyLength=x", "/chats"):
        inline.feed(page(ada, path))
    inline.feed(page(Client(), "/login"))

    assert message_at(branch_of(conversation), 1)
    assert inline.found == []


def test_agents_that_are_off_are_not_offered(client, agent):
    make_agent("secret", enabled=False)

    assert AgentTemplate.objects.count() == 2
    assert "agent=secret" not in page(client, "/chat")
