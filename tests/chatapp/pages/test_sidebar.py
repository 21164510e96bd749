import html
import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chatapp.pages.sidebar import listing
from chatapp.pages.sidebar.listing import group_name, zone_of
from history.models import Conversation
from history.services.path.appending import append, user_message
from tests import data
from tests.factories import branch_of, make_agent, make_conversation
from tests.query_plans import query_plan

TODAY = date(2026, 3, 15)
LONG_AGO = datetime(2025, 10, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (16, "Today"),  # The chat is dated in the future.
        (15, "Today"),
        (14, "Yesterday"),
        (13, "Previous 7 days"),
        (8, "Previous 7 days"),
        (7, "March 2026"),
    ],
)
def test_conversations_are_grouped_by_day(day, name):
    assert group_name(datetime(2026, 3, day, 12, tzinfo=UTC), UTC, TODAY) == name


@pytest.mark.parametrize(
    ("moment", "name"),
    [
        ((2026, 2, 28), "February 2026"),
        ((2025, 3, 15), "March 2025"),
        ((2025, 12, 31), "December 2025"),
    ],
)
def test_older_conversations_are_grouped_by_month(moment, name):
    assert group_name(datetime(*moment, 12, tzinfo=UTC), UTC, TODAY) == name


def test_the_day_is_the_readers_own():
    late = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)

    assert group_name(late, ZoneInfo("Europe/Berlin"), TODAY) == "Today"
    assert group_name(late, UTC, TODAY) == "Yesterday"


@pytest.mark.parametrize(
    ("cookie", "zone"),
    [
        ("Europe%2FBerlin", "Europe/Berlin"),
        ("Mars%2FOlympus", "UTC"),
        ("..%2F..%2Fetc%2Fpasswd", "UTC"),
        ("", "UTC"),
    ],
)
def test_a_strange_time_zone_is_utc(cookie, zone):
    request = RequestFactory().get("/")
    request.COOKIES["timezone"] = cookie

    assert zone_of(request) == ZoneInfo(zone)


@pytest.fixture
def ada(client, agent):
    """Sign in Ada, whose four chats are a minute apart."""
    user = User.objects.create_user("ada")
    client.force_login(user)
    for age, title in enumerate(["Apples", "Pears", "Plums", "Figs"]):
        made = make_conversation(agent, user, title=title)
        moment = LONG_AGO - timedelta(minutes=age)
        Conversation.objects.filter(pk=made.pk).update(active=moment)
    return client


@pytest.fixture
def agent(db):
    return make_agent()


def change(client, act, *titles):
    rows = Conversation.objects.filter(title__in=titles).values_list("pk", flat=True)
    return client.post("/chats/change", {"act": act, "chat": list(rows)})


def shown(client, query=""):
    """Return the headings and titles in the list."""
    html = client.get(f"/chats{query}").text
    return re.findall(r'chats-group">([^<]*)<|<a [^>]*dir="auto">([^<]*)</a>', html)


def test_an_empty_list_says_that_all_chats_are_archived(ada):
    change(ada, "archive", "Pears", "Plums", "Figs")
    assert "All your chats are archived." not in ada.get("/chats").text

    change(ada, "archive", "Apples")

    assert "All your chats are archived." in ada.get("/chats").text
    assert "Your chats will appear here." not in ada.get("/chats").text
    assert "All your chats are archived." not in ada.get("/chats?archived=1").text


def test_pinned_chats_come_first_and_archived_ones_are_elsewhere(ada):
    assert change(ada, "pin", "Plums").status_code == 204
    change(ada, "pin", "Figs")
    change(ada, "archive", "Pears")

    def words(query=""):
        return [group or title for group, title in shown(ada, query)]

    assert words() == ["Pinned", "Figs", "Plums", "October 2025", "Apples"]
    assert words("?archived=1") == ["October 2025", "Pears"]
    assert words("?q=p") == ["October 2025", "Pears", "Plums"]
    assert ada.get("/chats?q=pears").text.count("Archived") == 1
    change(ada, "unarchive", "Pears")
    change(ada, "archive", "Plums", "Figs")
    assert words() == ["October 2025", "Apples", "Pears"]
    assert "data-pinned" not in ada.get("/chats?archived=1").text
    change(ada, "unarchive", "Plums", "Figs")
    assert words() == ["Pinned", "Figs", "Plums", "October 2025", "Apples", "Pears"]
    change(ada, "unpin", "Plums", "Figs")
    assert words() == ["October 2025", "Apples", "Pears", "Plums", "Figs"]


def test_chats_of_one_title_are_told_apart_by_when_they_were_used(ada, agent):
    """Screen readers read the time after the title, too."""
    figs = Conversation.objects.get(title="Figs")
    make_conversation(agent, figs.owner, title="Figs")
    ada.cookies["timezone"] = "Asia/Tokyo"

    said = ada.get("/chats").text

    used = dict(re.findall(r'id="used-([^"]+)">\s*(<time[^<]*)</time>', said))
    assert re.findall('aria-describedby="used-([^"]+)"', said) == list(used)
    assert len(used) == 2
    assert (
        used[str(figs.pk)]
        == '<time datetime="2025-10-20T20:57:00+09:00" data-month="short">20 Oct 2025'
    )


def test_a_search_without_a_word_says_what_to_type(ada):
    assert "Type a word." in ada.get("/chats", {"q": "🔑"}).text
    assert "Add a word to look for" in ada.get("/chats", {"q": "-zeppelin"}).text
    assert "None of your chats contain “zeppelin”." in ada.get("/chats", {"q": "zeppelin"}).text
    nothing = html.unescape(ada.get("/chats", {"q": '"big zeppelin"'}).text)
    assert 'None of your chats contain "big zeppelin".' in nothing


def test_a_search_in_vain_says_what_may_be_meant_or_what_to_try(ada):
    assert 'data-search-for="pears">pears</button>?' in ada.get("/chats", {"q": "peers"}).text
    assert "Try fewer words" in ada.get("/chats", {"q": "blue zeppelin"}).text
    assert "Try another word" in ada.get("/chats", {"q": "zeppelin"}).text


def test_a_search_shows_a_few_titles_above_what_it_finds_in_messages(ada, agent):
    owner = Conversation.objects.first().owner
    for number in range(listing.TITLES + 3):
        chat = make_conversation(agent, owner, title=f"Quince {number}")
    append(branch_of(chat), [user_message("A quince.")])

    html_of = ada.get("/chats?q=quince").text
    assert len(re.findall(r'id="entry-', html_of)) == listing.TITLES
    assert html_of.index("Show more") < html_of.index("In messages")
    assert 'hx-trigger="click"' in html_of
    (more,) = re.findall(r'hx-get="(/chats\?before[^"]*)"', html_of)
    assert len(re.findall(r'id="entry-', ada.get(html.unescape(more)).text)) == 3


@pytest.mark.parametrize("kind", ["pinned", "archived"])
def test_a_long_list_goes_on_without_showing_a_chat_twice(ada, agent, kind):
    owner = Conversation.objects.first().owner
    for _ in range(listing.PAGE):
        make_conversation(agent, owner, title="Many")
    if kind == "archived":
        Conversation.objects.update(archived_at=timezone.now())
    else:
        change(ada, "pin", "Apples")
    first = ada.get("/chats" + ("?archived=1" if kind == "archived" else "")).text
    (more,) = re.findall(r'hx-get="(/chats\?before[^"]*)"', first)
    second = ada.get(html.unescape(more)).text

    found = [re.findall(r'id="entry-([^"]*)"', page) for page in (first, second)]
    every = map(str, Conversation.objects.values_list("pk", flat=True))
    assert sorted([*found[0], *found[1]]) == sorted(every)


def test_the_list_costs_three_queries_whatever_is_in_it(ada, agent, django_assert_num_queries):
    change(ada, "pin", "Plums", "Figs")
    with django_assert_num_queries(5):  # Session, user, pinned chats, other chats, answers.
        ada.get("/chats")


@pytest.mark.skipif(bool(data.server()), reason="PostgreSQL chooses by statistics of many rows")
def test_ten_thousand_chats_come_in_pages_by_an_index(ada, agent):
    owner = Conversation.objects.first().owner
    moments = (LONG_AGO - timedelta(hours=age) for age in range(1, 10_001))
    many = [Conversation(agent=agent, owner=owner, title="Many", active=each) for each in moments]
    Conversation.objects.bulk_create(many)
    with CaptureQueriesContext(connection) as queries:
        page = ada.get("/chats").text

    asked = [q["sql"] for q in queries if 'FROM "history_conversation"' in q["sql"]]
    steps = [step for sql in asked for step in query_plan(sql)]
    assert [step.split()[4] for step in steps] == ["history_conv_owner", "history_conv_pinned"]
    assert len(re.findall(r'id="entry-', page)) == listing.PAGE


@pytest.mark.django_db(transaction=True)  # Threads that stop answers must see the rows.
def test_several_are_deleted_and_restored(ada):
    assert change(ada, "delete", "Apples", "Figs").status_code == 204
    assert [title for _, title in shown(ada) if title] == ["Pears", "Plums"]
    assert change(ada, "restore", "Apples", "Figs").status_code == 204
    assert [title for _, title in shown(ada) if title] == ["Apples", "Pears", "Plums", "Figs"]


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        pytest.param({"act": "pin"}, 404, id="no chat"),
        pytest.param({"act": "pin", "chat": "x"}, 404, id="no id"),
        pytest.param({"act": "pin", "chat": ["0" * 32]}, 404, id="an unknown id"),
        pytest.param({"act": "burn", "chat": "APPLES"}, 404, id="an unknown act"),
        pytest.param({"chat": "APPLES"}, 404, id="no act"),
        pytest.param({"act": "restore", "chat": "APPLES"}, 404, id="what is not deleted"),
        pytest.param({"act": "pin", "chat": ["0" * 32] * 501}, 422, id="too many"),
    ],
)
def test_a_bad_command_changes_nothing(ada, fields, status):
    apples = Conversation.objects.get(title="Apples").pk
    fields = {k: apples if v == "APPLES" else v for k, v in fields.items()}
    before = shown(ada)

    assert ada.post("/chats/change", fields).status_code == status
    assert shown(ada) == before
