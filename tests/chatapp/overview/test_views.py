"""The staff's pages, requested by their addresses."""

import re
from decimal import Decimal

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from chatapp.overview import paging
from history.models import Generation, GenerationStatus
from history.services.answers.deleting import delete_conversations
from tests.factories import (
    add_plan,
    begin_turn,
    make_conversation,
)
from tests.history.services.wire.test_figures import UNSENT


def text_of(response):
    assert response.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())).strip()


def links(response):
    return re.findall(r'href="([^"]*)"', response.content.decode())


def drawn(html):
    """Return the columns that the chart draws, according to their links."""
    found = re.findall(r"<a[^>]*data-metric[^>]*>", html)
    chosen = [link for link in found if 'aria-current="true"' in link]
    return [re.findall(r'data-metric="(\w+)"', link)[0] for link in chosen]


def test_the_overview_lists_conversations_with_their_figures(boss, call, rome, paris):
    made = call(rome, status=GenerationStatus.FAILED, first_ms=340.0, total_ms=2_100.0)
    call(paris, cache_read=None, cost=None)
    response = boss.get("/inspect/?sort=-failures")
    text = text_of(response)

    times = "0.34 s 2.1 s"
    assert f"Rome ada, Demo · Transcript 18 Nov, 12:00 1 120 $0.0100 {times} 50% 25% 1 0" in text
    assert "Paris a visitor, Demo · Transcript 18 Nov, 12:00 1 120 — — — — 25% 0 0" in text
    assert text.index("Rome ada") < text.index("Paris a visitor")
    turn = f"/chat/{rome.pk}/debug/turn/1?generation={made.plan.generation_id}"
    assert {turn, f"/inspect/{rome.pk}"} <= set(links(response))


def test_the_totals_are_for_the_whole_period(boss, call, rome, paris):
    call(rome, status=GenerationStatus.INTERRUPTED)
    call(paris, cost=None)
    text = text_of(boss.get("/inspect/"))

    assert "Requests 2 Failures 1 answer Tokens 240 Cost ≥ $0.0100 without 1 request to a" in text
    assert "Time to the first word — Time to the whole answer — Cache hits 50%" in text
    assert "Left out 25% of all transcript tokens" in text


def test_the_totals_say_that_they_do_not_count_deleted_chats(boss, call, rome, paris):
    call(rome)
    call(paris)
    delete_conversations([rome.pk])
    text = text_of(boss.get("/inspect/"))

    assert "Requests 1 Failures" in text
    assert "Deleted chats are not counted" in text


def test_answers_that_a_person_stopped_are_counted_but_not_as_failures(boss, call, rome, paris):
    for conversation, status in [(rome, "stopped"), (rome, "failed"), (paris, "stopped")]:
        call(conversation, status=status)
    call(rome, days=40, status="stopped")

    assert "Failures 1 answer Stopped 2 answers, by a person" in text_of(boss.get("/inspect/"))
    assert "Stopped 1 answer, by a person" in text_of(boss.get("/inspect/?person=0"))
    assert "by a person" not in text_of(boss.get("/inspect/?failures=on"))


def test_a_request_that_was_never_sent_has_no_unknown_price(boss, rome):
    generation = begin_turn(rome)
    add_plan(generation, error=UNSENT)
    Generation.objects.filter(pk=generation.pk).update(status=GenerationStatus.FAILED)

    text = text_of(boss.get("/inspect/"))

    assert "Requests 0 Failures 1 answer Tokens 0 Cost — Time" in text


def test_each_row_leads_to_a_page_that_there_is(boss, call, rome):
    call(rome)
    found = [link for link in links(boss.get("/inspect/")) if str(rome.pk) in link]

    assert [boss.get(link).status_code for link in found] == [200, 200]


def test_nothing_is_said_as_such(boss):
    assert "No chats match." in text_of(boss.get("/inspect/"))


def test_the_choices_stay_when_one_sorts_and_turns_pages(boss, call, rome, agent, monkeypatch):
    monkeypatch.setattr(paging, "PAGE", 1)
    call(rome)
    call(make_conversation(agent))
    response = boss.get("/inspect/?days=90&agent=demo&sort=-tokens&page=1")
    html = response.content.decode()

    assert "?days=90&amp;agent=demo&amp;sort=-tokens&amp;page=2" in links(response)
    assert "?days=90&amp;agent=demo&amp;sort=tokens" in links(response)
    assert "?days=90&amp;agent=demo&amp;sort=-requests" in links(response)
    assert html.count('aria-sort="descending"') == 1
    assert re.search(r'<option value="90"\s+selected', html)
    assert 'rel="prev"' in boss.get("/inspect/?page=2").content.decode()


def test_without_a_choice_it_shows_thirty_days(boss, call, rome):
    call(rome)
    response = boss.get("/inspect/?days=&agent=&model=")
    html = response.content.decode()

    assert re.search(r'<option value="30"\s+selected', html)
    assert html.count("data-start=") == 30


@pytest.mark.parametrize(
    "query",
    [
        *("days=8", "days=x", "agent=nobody", "model=unheard/of", "sort=size", "sort=--cost"),
        *("person=-1", "person=x", "person=999", f"person={2**63}", "by=owner"),
        *("page=0", "page=x", f"page={10**9}"),
    ],
)
def test_an_unknown_choice_is_named_and_the_page_shows_the_rest(boss, call, rome, query):
    call(rome)
    page = boss.get(f"/inspect/?{query}")
    faults = re.findall(r'<p class="fault"[^>]*>([^<]*)</p>', page.content.decode())

    assert page.status_code == 422
    (said,) = faults
    assert query.partition("=")[2][:50] in said
    assert "Rome" in page.content.decode()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("days=8", "“8” is not a period."),
        ("agent=nobody&by=agent", "There is no agent “nobody”."),
        ("model=unheard/of", "No request has gone to a model “unheard/of”."),
        ("sort=size", "sort=size matches nothing here."),
        ("person=999&by=x", "person=999 matches nothing here.\nby=x matches nothing here."),
    ],
)
def test_a_file_of_an_unknown_choice_is_an_error_that_names_it(boss, query, said):
    answer = boss.get(f"/inspect/figures.csv?{query}")

    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.text == f"There is no such file.\n{said}\n"


def test_beyond_the_last_page_it_shows_that_and_says_so(boss, call, agent, monkeypatch):
    monkeypatch.setattr(paging, "PAGE", 1)
    for title in ("Old", "New"):
        call(make_conversation(agent, title=title), days=title == "Old")

    beyond = boss.get("/inspect/?page=999")

    assert beyond.status_code == 422
    assert "There is no page 999. This is the last one." in beyond.text
    assert "2 of 2 chats" in beyond.text
    assert ">Old</a>" in beyond.text
    assert "?days=30&amp;page=1" in links(beyond)
    assert "No chats match" not in beyond.text


def test_a_bad_value_is_told_beside_its_field(boss):
    html = boss.get("/inspect/?days=abc&agent=nosuch").content.decode()

    for name, said in {
        "days": "“abc” is not a period. Showing 30 days. Choose 7, 30, 90 or 365.",
        "agent": "There is no agent “nosuch”. Showing all. Choose one from the list.",
    }.items():
        (field,) = re.findall(rf'<select name="{name}"[^>]*>', html)
        assert 'aria-invalid="true"' in field
        assert f'aria-describedby="fault-{name}"' in field
        assert re.search(rf'id="fault-{name}"\s+role="alert">{said}<', html)


@pytest.mark.parametrize(
    ("sought", "found"),
    [("ROME", ["Rome"]), ("ada", ["Rome"]), ("AD", ["Rome"]), ("pari", ["Paris"]), ("Oslo", [])],
)
def test_a_search_finds_titles_and_people(boss, call, rome, paris, sought, found):
    call(rome, status=GenerationStatus.FAILED)
    call(paris)

    page = boss.get("/inspect/", {"q": sought})

    assert re.findall(r'dir="auto">(Rome|Paris)</a>', page.text) == found
    assert f"<dd>{len(found)}</dd>" in re.sub(r"\s+", "", page.text)
    assert f'value="{sought}"' in page.text
    failed = boss.get("/inspect/failures", {"q": sought}).text
    assert ("Rome" in failed) is ("Rome" in found)
    by_person = boss.get("/inspect/", {"q": sought, "by": "person"}).text
    assert f"q={sought}" in by_person


def test_a_chat_that_its_owner_has_deleted_is_not_found_by_its_title(boss, call, rome):
    call(rome)
    rome.deleted_at = timezone.now()
    rome.save()

    page = boss.get("/inspect/", {"q": "Rome"})

    assert "<dd>0</dd>" in re.sub(r"\s+", "", page.text)


def test_a_search_that_is_too_long_is_told(boss):
    page = boss.get("/inspect/", {"q": "x" * 201})

    assert page.status_code == 422
    assert "be searched for. Showing all. Enter at most 200 ordinary characters" in page.text


def test_the_list_is_above_the_charts_and_the_account_in_the_head(boss, call, rome):
    call(rome)
    html = boss.get("/inspect/").text

    assert html.index('id="list-title"') < html.index('id="trend-title"')
    (head,) = re.findall(r'<header class="staff-head">.*?</header>', html, re.DOTALL)
    assert "boss" in head
    assert 'action="/logout"' in head
    assert "data-import" not in head


def test_costs_are_for_those_who_may_see_them(staff, call, rome):
    call(rome)
    text = text_of(staff.get("/inspect/"))
    assert "Cost" not in text
    assert "$" not in text
    assert staff.get("/inspect/?sort=-cost").status_code == 422

    permission = Permission.objects.get(codename="view_cost")
    User.objects.get(username="eve").user_permissions.add(permission)
    assert "Cost $0.0100" in text_of(staff.get("/inspect/?sort=-cost"))


def test_the_chart_that_one_chose_is_drawn_and_kept(boss, call, rome):
    call(rome)
    page = boss.get("/inspect/?chart=whole")

    assert drawn(page.text) == ["whole"]
    assert '<input type="hidden" name="chart" value="whole"' in page.text
    assert "?days=30&amp;sort=-tokens&amp;chart=whole" in links(page)


def test_people_lead_to_their_conversations_and_back_to_everybody(boss, call, rome, paris, ada):
    call(rome)
    call(paris)
    page = boss.get("/inspect/?by=person&sort=-cost")
    assert "ada 18 Nov, 12:00 1 120 $0.0100" in text_of(page)
    assert "Visitors 18 Nov, 12:00 1 120" in text_of(page)
    theirs, visitors = f"?days=30&amp;person={ada.pk}&amp;sort=-cost", "?days=30&amp;person=0"
    assert theirs in links(page)
    assert f"{visitors}&amp;sort=-cost" in links(page)

    one = boss.get(f"/inspect/{theirs}".replace("&amp;", "&"))
    other = boss.get("/inspect/?person=0")

    assert "Rome ada" in text_of(one)
    assert "Paris" not in text_of(one)
    assert "Paris a visitor" in text_of(other)
    assert "Rome" not in text_of(other)
    assert "?days=30&amp;sort=-cost" in links(one)


@pytest.mark.parametrize(("cost", "first"), [(Decimal("0.02"), "cost"), (None, "tokens")])
def test_the_chart_begins_with_the_cost_if_there_is_any(boss, call, rome, cost, first):
    call(rome, cost=cost, status=GenerationStatus.FAILED)
    call(rome, cost=cost, status=GenerationStatus.STOPPED)
    html = boss.get("/inspect/").content.decode()

    failed = boss.get("/inspect/?failures=on").content.decode()
    stopped = boss.get("/inspect/?stopped=on").content.decode()

    assert drawn(html) == [first]
    assert drawn(failed) == ["failures"]
    assert drawn(stopped) == ["stopped"]


@pytest.mark.parametrize("count", [1, 40])
def test_the_page_takes_the_same_queries_however_much_there_is(
    boss, call, agent, count, django_assert_num_queries
):
    for _ in range(count):
        call(make_conversation(agent))

    with django_assert_num_queries(14):  # Ten of them are for the figures.
        boss.get("/inspect/")
