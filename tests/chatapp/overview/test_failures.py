"""The overview's counts of failures lead to a list of failures, which leads to their turns."""

import re
from html import unescape

import pytest

from chatapp.overview.chosen import failures
from chatapp.overview.figures import Figures
from chatapp.overview.forms import VISITORS
from chatapp.overview.queries import listing
from history.models import Generation, GenerationStatus
from history.services.answers.lifecycle import interrupt
from tests.chatapp.overview.conftest import whole
from tests.chatapp.overview.test_queries import fail_at_once
from tests.chatapp.overview.test_views import links, text_of
from tests.factories import add_plan, begin_turn, make_conversation, make_reader

FAILED, INTERRUPTED = GenerationStatus.FAILED, GenerationStatus.INTERRUPTED
SLOW = {"kind": "rate_limited", "message": "OpenAI reports a rate limit."}
LATE = {"kind": "timeout", "message": "OpenAI took too long."}
NOTHING_BACK = {"prompt": None, "output": None, "cache_read": None, "cost": None, "counted": 9}


@pytest.fixture
def fail(call):
    """Return a function that makes a failed request without an answer."""

    def fail(conversation, error, days=0, status=FAILED):
        made = call(conversation, days, status, **NOTHING_BACK)
        Generation.objects.filter(pk=made.plan.generation_id).update(error=error)
        return made.plan.generation_id

    return fail


@pytest.fixture
def several(fail, call, rome, paris):
    """Make five failures in turns of their own; both conversations then end well."""
    made = [fail(rome, SLOW), fail(rome, LATE, days=2), fail(paris, SLOW, days=1)]
    made += [fail(paris, None), fail(paris, None, status=INTERRUPTED)]
    call(rome)
    call(paris)
    return made


def failures_links(response):
    found = [unescape(link) for link in links(response)]
    return [link for link in found if link.startswith("/inspect/failures")]


def test_each_failure_says_when_who_what_why_and_leads_to_its_turn(boss, several, rome):
    page = boss.get("/inspect/failures")
    text = text_of(page)

    assert "5 failed answers" in text
    limited = "Rate limited 2 times last 18 Nov, 12:00 OpenAI reports a rate limit. Rome, turn 1"
    assert f"{limited} · ada · Demo · demo/mirror" in text
    assert "Interrupted 18 Nov, 12:00 The server stopped before the answer was complete." in text
    assert "Unknown 18 Nov, 12:00 The answer failed for an unknown reason." in text
    assert "· a visitor ·" in text
    link = f"/chat/{rome.pk}/debug/turn/1?generation={several[0]}"
    assert link in links(page)
    assert boss.get(link).status_code == 200


def test_identical_failures_are_one_row_that_leads_to_each_of_them(boss, several):
    page = boss.get("/inspect/failures")
    (each,) = [link for link in failures_links(page) + links(page) if "like=" in link]
    alike = boss.get("/inspect/failures" + unescape(each))
    text = text_of(alike)

    assert page.text.count('class="failure-head"') == 4
    assert alike.text.count('class="failure-head"') == 2
    assert "2 failed answers Identical failures All" in text
    assert "Rome, turn 1 · ada" in text
    assert "Paris, turn 1 · a visitor" in text
    assert "Rate limited 17 Nov, 12:00" in text


@pytest.mark.parametrize("differs", [{"model": "openai/other"}, {"name": "Bob", "slug": "bob"}])
def test_failures_of_others_are_not_identical(boss, fail, rome, differs):
    fail(rome, SLOW)
    other = fail(rome, SLOW)
    row = Generation.objects.get(pk=other)
    row.snapshot["agent"] |= differs
    row.save()

    assert boss.get("/inspect/failures").text.count('class="failure-head"') == 2


def test_the_page_of_model_providers_is_linked_for_who_may_open_it(boss, fail, rome, client):
    said = "It needs a key. Save the key in the administration."
    fail(rome, {"kind": "missing_key", "message": said})
    link = '<a href="/admin/agents/provider/">Model providers</a>'

    assert link in boss.get("/inspect/failures").text
    client.force_login(make_reader("eve"))
    theirs = client.get("/inspect/failures").text
    assert said in theirs
    assert link not in theirs


def test_the_variable_of_a_limit_that_ended_an_answer_is_named(boss, fail, rome):
    fail(rome, {"kind": "tool_limit", "message": "The model called tools for 16 rounds."})

    said = "The model called tools for 16 rounds. TOOL_ROUNDS sets this limit."
    assert said in text_of(boss.get("/inspect/failures"))


def test_reasons_are_counted_and_narrow_the_list(boss, several):
    page = boss.get("/inspect/failures")
    counts = re.findall(r"kind=(\w+)[^>]*>\s*([^<]+?)\s*<b>(\d+)</b>", page.content.decode())
    chosen = boss.get("/inspect/failures?kind=rate_limited")

    assert counts[0] == ("rate_limited", "Rate limited", "2")
    assert sorted(counts[1:]) == [
        ("interrupted", "Interrupted", "1"),
        ("timeout", "Timeout", "1"),
        ("unknown", "Unknown", "1"),
    ]
    assert "2 failed answers" in text_of(chosen)
    assert "Timeout 1" in text_of(chosen)
    assert "took too long" not in text_of(chosen)


@pytest.mark.parametrize("by", ["", "person", "agent", "model"])
def test_every_count_leads_to_as_many_failures(boss, several, by):
    page = boss.get(f"/inspect/?by={by}")
    counted = re.findall(
        r'href="(/inspect/failures[^"]*)"\s+aria-label="(\d+) failures?"', page.content.decode()
    )

    assert len(counted) >= 4  # The total, two days, a row.
    for link, count in counted:
        said = re.search(r"(\d+) failed answers?", text_of(boss.get(unescape(link))))
        assert said
        assert said[1] == count


def test_a_failure_without_a_request_leads_to_the_transcript(boss, rome):
    fail_at_once(rome)
    page = boss.get("/inspect/failures")

    assert f"/inspect/{rome.pk}" in links(page)
    assert "Rome (no request was made)" in text_of(page)


def test_conversations_that_are_being_deleted_are_not_listed(boss, several, rome, clock):
    rome.deleted_at = rome.created
    rome.save()

    assert "3 failed answers" in text_of(boss.get("/inspect/failures"))


@pytest.mark.parametrize("query", ["kind=bad", "conversation=x", "day=2026-13-01"])
def test_a_bad_value_is_named(boss, several, query):
    page = boss.get(f"/inspect/failures?{query}")

    assert page.status_code == 422
    said = f"Ignored from the address: {query} matches nothing here. The page shows the rest."
    assert said in page.content.decode()
    assert "5 failed answers" in page.content.decode()


@pytest.mark.parametrize("count", [1, 30])
def test_the_list_takes_the_same_queries_however_many_there_are(
    boss, fail, agent, count, django_assert_num_queries
):
    for _ in range(count):
        fail(make_conversation(agent), SLOW)

    with django_assert_num_queries(7):  # Session, user, agents, models, failures and reasons.
        boss.get("/inspect/failures")


def test_among_failures_a_title_opens_the_one_that_failed(boss, several, rome):
    page = boss.get("/inspect/?failures=on")

    assert f"/chat/{rome.pk}/debug/turn/1?generation={several[0]}" in links(page)


def test_failures_only_counts_the_requests_of_failures_alone(several, asked):
    chosen = asked(failures=True)
    found = whole(chosen)

    assert (found.requests, found.failures) == (5, 5)
    assert sum(row.figures.requests for row in listing(chosen).rows) == 5


def test_visitors_failures_are_one_row(several, asked):
    assert failures(asked(person=VISITORS)).count() == 3


def test_what_brought_nothing_back_has_no_unknown_price(boss, several, asked):
    found = whole(asked())
    text = text_of(boss.get("/inspect/"))

    assert (found.unpriced, found.unanswered, found.cost_text) == (0, 5, "$0.0200")
    assert "Cost $0.0200 without 5 requests that got no response Time" in text
    assert "no price" not in text


def test_an_answer_whose_server_was_killed_counts_one_request_everywhere(rome, asked):
    killed = begin_turn(rome)
    add_plan(killed)
    interrupt(killed)

    for chosen in (asked(), asked(failures=True)):
        found = whole(chosen)
        assert (found.requests, found.failures) == (1, 1)
        assert [row.figures.requests for row in listing(chosen).rows] == [1]


def test_nothing_but_failures_has_no_cost():
    assert Figures(requests=2, unanswered=2).cost_text == "—"


def test_what_broke_off_has_an_unknown_cost(call, rome, asked):
    call(rome, **{**NOTHING_BACK, "first_ms": 12.0, "total_ms": 30.0})

    found = whole(asked())
    assert (found.unpriced, found.unreported) == (0, 1)
