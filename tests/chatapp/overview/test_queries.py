"""The overview adds up the right figures, for the right people, in the right order."""

from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User

from chatapp.overview import paging
from chatapp.overview.figures import Figures
from chatapp.overview.forms import VISITORS, OverviewQuery
from chatapp.overview.groups import groups
from chatapp.overview.period import Period
from chatapp.overview.queries import listing, models_called
from history.models import CallFigures, Generation, GenerationStatus
from tests.chatapp.overview.conftest import NOON, periods
from tests.factories import begin_turn, make_agent, make_conversation
from tests.history.services.wire.test_figures import summary

FAILED, INTERRUPTED = GenerationStatus.FAILED, GenerationStatus.INTERRUPTED
CENT = Decimal("0.01")
ONE = Figures(1, 120, CENT, 0, 50, 100, 400, 100)


def titles(asked):
    return [row.conversation.title for row in listing(asked).rows]


def fail_at_once(conversation, status=FAILED, model="demo/mirror"):
    """Make an answer that failed before any request."""
    generation = begin_turn(conversation)
    snapshot = {**generation.snapshot, "agent": {**generation.snapshot["agent"], "model": model}}
    rows = Generation.objects.filter(pk=generation.pk)
    rows.update(status=status, created=NOON, snapshot=snapshot)


def test_a_conversation_is_the_sum_of_its_calls(call, rome, asked):
    call(rome)
    call(rome, cache_read=None, cost=None)
    call(rome, prompt=None, output=None, cache_read=None, counted=7, status=INTERRUPTED)
    (row,) = listing(asked()).rows

    assert row.figures == Figures(
        requests=3,
        tokens=120 + 120 + 7,
        money=2 * CENT,
        unpriced=1,
        cached=50,
        cacheable=100,
        there=1_200,
        left_out=300,
        failures=1,
    )


def test_a_conversation_links_to_its_newest_request(call, rome, asked):
    call(rome)
    newest = call(rome)
    (row,) = listing(asked()).rows

    assert (row.answer.pk, row.answer.turn) == (newest.plan.generation_id, 2)
    assert row.last == NOON


def test_what_was_before_the_period_does_not_count(call, rome, paris, asked):
    call(rome, days=6)
    call(rome, days=7)
    call(paris, days=7, status=FAILED)

    assert [row.figures for row in listing(asked()).rows] == [ONE]
    assert sum(bucket.figures.requests for bucket in periods(asked())) == 1


def test_an_answer_that_failed_before_its_request_is_a_failure_too(rome, asked):
    fail_at_once(rome)
    (row,) = listing(asked()).rows

    assert (row.figures, row.answer, row.last) == (Figures(failures=1), None, None)


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        pytest.param({"agent": "other"}, ["Oslo"], id="agent"),
        pytest.param({"model": "big/model"}, ["Paris"], id="model"),
        pytest.param({"model": "gone/model"}, ["Kyiv"], id="a model that only failed"),
        pytest.param({"failures": True}, ["Kyiv", "Rome"], id="failures"),
        pytest.param({"failures": True, "agent": "other"}, [], id="all at once"),
    ],
)
def test_conditions_choose_conversations_and_their_days(
    call, rome, paris, agent, asked, choice, found
):
    call(rome, status=FAILED)
    call(paris, model="big/model")
    call(make_conversation(make_agent("other"), title="Oslo"))
    fail_at_once(make_conversation(agent, title="Kyiv"), model="gone/model")
    chosen = asked(**choice)

    assert sorted(titles(chosen)) == found
    rows = [row.figures for row in listing(chosen).rows]
    assert sum(rows, Figures()) == sum((b.figures for b in periods(chosen)), Figures())


@pytest.fixture
def six(call, agent):
    """Make six conversations; each stands out in one column."""
    made = {
        name: make_conversation(agent, title=name)
        for name in ("big", "cached", "cut", "failed", "new", "unknown")
    }
    call(made["big"], days=1, prompt=900, cache_read=450, cost=CENT * 9)
    call(made["cached"], days=2, cache_read=99)
    call(made["cut"], days=3, left_out=300, cache_read=20, cost=CENT / 2)
    call(made["failed"], days=4, status=FAILED, left_out=1, cache_read=1, cost=CENT / 4)
    call(made["new"], cache_read=30)
    call(made["new"], cache_read=30)
    call(made["unknown"], days=5, cache_read=None, cost=None, transcript=0, left_out=0)
    return made


@pytest.mark.parametrize("sort", ["last", "tokens", "cost", "cache", "left_out", "failures"])
def test_every_column_sorts_both_ways_and_the_unknown_comes_last(six, asked, sort):
    def value(name, row):
        figures = row.figures
        found = {
            "last": row.last,
            "tokens": figures.tokens,
            "cost": figures.money if not figures.unpriced else None,
            "cache": figures.cache_share,
            "left_out": figures.left_out_share,
            "failures": figures.failures,
        }
        return found[name]

    up = [value(sort, row) for row in listing(asked(sort=sort)).rows]
    down = [value(sort, row) for row in listing(asked(sort=f"-{sort}")).rows]

    known = [item for item in up if item is not None]
    unknown = [None] * (len(up) - len(known))
    assert len(up) == 6
    assert known == sorted(known)
    assert up == known + unknown
    assert down == known[::-1] + unknown


def test_pages_part_the_conversations(six, asked, monkeypatch):
    monkeypatch.setattr(paging, "PAGE", 4)
    first, second, third = (listing(asked(sort="-tokens", page=page)) for page in (1, 2, 3))

    assert [len(part.rows) for part in (first, second, third)] == [
        4,
        2,
        2,
    ]  # Page 3 does not exist, so the last one is shown.
    assert [part.is_last for part in (first, second, third)] == [False, True, True]
    assert [(part.first, part.last, part.count) for part in (first, second, third)] == [
        *((1, 4, 6), (5, 6, 6), (5, 6, 6))
    ]
    assert {r.conversation.title for r in first.rows + second.rows} == set(six)


def test_every_day_has_its_figures_also_one_without_any(call, rome, asked):
    call(rome, days=2)
    call(rome, days=2, status=FAILED)
    call(rome)
    days = periods(asked(days=7))

    assert [bucket.start for bucket in days] == [date(2026, 11, day) for day in range(12, 19)]
    assert [bucket.figures.requests for bucket in days] == [0, 0, 0, 0, 2, 0, 1]
    assert [bucket.figures.failures for bucket in days] == [0, 0, 0, 0, 1, 0, 0]


def test_a_year_is_drawn_by_weeks(call, rome, clock):
    zone = ZoneInfo("UTC")
    call(rome, days=1)
    call(rome, days=3)
    asked = OverviewQuery(Period.newest(365, zone))
    weeks = periods(asked)

    assert {bucket.start.weekday() for bucket in weeks} == {0}
    assert [(b.start, b.figures.requests) for b in weeks[-2:]] == [
        (date(2026, 11, 9), 1),
        (date(2026, 11, 16), 1),
    ]
    assert len(weeks) == 53


def test_days_are_the_readers(call, rome, clock):
    """At noon in UTC, the next day has already begun on the Line Islands."""
    zone = ZoneInfo("Pacific/Kiritimati")
    call(rome)
    asked = OverviewQuery(Period.newest(7, zone))

    assert asked.period.since == datetime(2026, 11, 13, tzinfo=zone)
    assert periods(asked)[-1].start == date(2026, 11, 19)
    assert periods(asked)[-1].figures.requests == 1


def test_the_agent_is_the_one_that_answered(call, rome, paris, asked):
    """A request counts for the agent that made it, a failed answer also for its first agent."""
    call(rome, agent="editor", status=FAILED)
    call(paris)

    assert titles(asked(agent="editor")) == ["Rome"]
    assert titles(asked(agent="demo")) == ["Paris", "Rome"]
    assert titles(asked(agent="editor", failures=True)) == ["Rome"]
    assert sum(bucket.figures.requests for bucket in periods(asked(agent="demo"))) == 1


def test_a_delegated_chat_counts_once_and_names_the_one_that_asked(call, rome, asked):
    call(rome)
    asking = rome.generations.get()
    task = make_conversation(make_agent("bob"), title="Count", asked_by=asking, depth=1)
    call(task)

    rows = {row.conversation.title: row for row in listing(asked()).rows}

    assert rows["Count"].conversation.asked_by.conversation == rome
    assert rows["Rome"].figures.requests == 1
    assert sum(bucket.figures.requests for bucket in periods(asked())) == 2


@pytest.fixture
def several(call, rome, paris, ada):
    """Make requests by ada and by visitors, with two agents and two models."""
    call(rome, cost=CENT * 3)
    call(make_conversation(make_agent("other"), ada), status=FAILED)
    call(paris, model="big/model", cost=None)
    fail_at_once(paris, model="gone/model")


@pytest.mark.parametrize(
    ("by", "rows"),
    [
        ("person", [("ada", 2, CENT * 4, 1), ("Visitors", 1, 0, 1)]),
        ("agent", [("Demo", 2, CENT * 3, 1), ("Other", 1, CENT, 1)]),
        (
            "model",
            [("demo/mirror", 2, CENT * 4, 1), ("big/model", 1, 0, 0), ("gone/model", 0, 0, 1)],
        ),
    ],
)
def test_people_agents_and_models_are_the_sums_of_their_calls(several, asked, by, rows):
    names = {"demo": "Demo", "other": "Other"} if by == "agent" else {}
    found = groups(asked(by=by, sort="-requests"), names).rows
    figures = [(row.figures.requests, row.figures.money, row.figures.failures) for row in found]

    assert [(row.label, *each) for row, each in zip(found, figures, strict=True)] == rows
    sums = [sum((row.figures for row in found), Figures())]
    assert sums == [sum((bucket.figures for bucket in periods(asked())), Figures())]


def test_one_persons_figures_are_theirs_everywhere(several, asked, ada):
    for person, (requests, failures) in {ada.pk: (2, 1), VISITORS: (1, 1)}.items():
        chosen = asked(person=person)
        days = sum((bucket.figures for bucket in periods(chosen)), Figures())
        (row,) = groups(asked(person=person, by="person"), {}).rows

        assert (days.requests, days.failures) == (requests, failures)
        assert (row.figures, row.condition) == (days, person)
        assert sum((r.figures for r in listing(chosen).rows), Figures()) == days


def test_a_failure_counts_for_the_agent_or_the_model_that_one_chose(several, asked):
    (agent,) = groups(asked(by="agent", agent="other"), {"other": "Other"}).rows
    (model,) = groups(asked(by="model", model="gone/model"), {}).rows
    assert groups(asked(by="model", model="never/called"), {}).rows == []

    assert (agent.label, agent.figures.failures) == ("Other", 1)
    assert (model.condition, model.figures.failures) == (None, 1)


@pytest.mark.parametrize("by", ["person", "agent", "model"])
@pytest.mark.parametrize("count", [1, 20])
def test_groups_take_the_same_queries_however_many_there_are(
    call, agent, asked, by, count, django_assert_num_queries
):
    for number in range(count):
        owner = User.objects.create_user(f"person {number}")
        call(make_conversation(make_agent(f"agent{number}"), owner), model=f"model {number}")

    with django_assert_num_queries(3 if by == "person" else 2):
        assert len(groups(asked(by=by), {}).rows) == count


def test_the_models_are_those_that_were_called(call, rome, paris):
    call(rome, model="b")
    call(rome, model="a")
    call(paris, model="b")

    assert models_called() == ["a", "b"]


@pytest.mark.parametrize("count", [1, 20])
def test_the_questions_are_as_many_however_much_there_is(
    call, agent, asked, count, django_assert_num_queries
):
    for _ in range(count):
        call(make_conversation(agent, title="One of many"), status=FAILED)

    with django_assert_num_queries(8):
        assert len(listing(asked()).rows) == count
        periods(asked())


def test_summaries_calls_count_as_requests_but_not_as_messages(rome, asked):
    CallFigures.objects.create(
        summary=summary(rome), conversation=rome, model="small/model", created=NOON, prompt=10
    )
    (row,) = listing(asked()).rows

    assert (row.figures.requests, row.figures.tokens, row.answer) == (1, 10, None)


@pytest.mark.parametrize("cost", [Decimal(0), None])
@pytest.mark.parametrize(("sort", "first"), [("-cost", "other"), ("cost", "demo")])
def test_tokens_rank_those_who_cost_the_same(call, rome, asked, cost, sort, first):
    call(rome, cost=cost)
    other = make_conversation(make_agent("other"))
    call(other, cost=cost)
    call(other, cost=cost)

    assert groups(asked(by="agent", sort=sort), {}).rows[0].label == first
    assert listing(asked(sort=sort)).rows[0].conversation.agent.slug == first
