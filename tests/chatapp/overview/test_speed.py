"""The durations of requests: medians and 95th percentiles, for each row and for all requests."""

import pytest

from chatapp.overview.groups import groups
from chatapp.overview.queries import listing
from chatapp.overview.speed import ModelSpeed, Speed, slowest
from tests.chatapp.overview.conftest import periods, whole
from tests.chatapp.overview.test_views import links, text_of
from tests.factories import make_conversation

ALL = Speed(30, 57, 300, 570)


@pytest.fixture
def sixty(call, rome, paris):
    """Make sixty requests with 1 to 60 ms until the first token, and ten times that in all."""
    for number in range(1, 61):
        chat = rome if number % 2 else paris
        call(chat, days=number % 2, first_ms=float(number), total_ms=number * 10.0)
    call(rome, first_ms=None, total_ms=None)  # It failed without a first token.


def test_the_total_is_that_of_all_requests_not_of_the_days(sixty, asked):
    days = periods(asked())

    assert whole(asked()).speed == ALL
    assert [day.figures.speed for day in days[-2:]] == [
        Speed(29, 57, 290, 570),
        Speed(30, 58, 300, 580),
    ]
    assert days[0].figures.speed == Speed()


def test_each_row_has_its_own(sixty, asked):
    speeds = {row.conversation.title: row.figures.speed for row in listing(asked()).rows}
    (model,) = groups(asked(by="model"), {}).rows

    assert speeds == {"Rome": Speed(29, 57, 290, 570), "Paris": Speed(30, 58, 300, 580)}
    assert model.figures.speed == ALL


def test_the_slowest_model_is_the_one_with_the_greatest_p95():
    steady = ModelSpeed("steady", Speed(first=50.0, first_p95=60.0), firsts=5)
    uneven = ModelSpeed("uneven", Speed(first=40.0, first_p95=900.0), firsts=5)
    single = ModelSpeed("single", Speed(first=999.0, first_p95=999.0), firsts=1)

    assert slowest([steady, uneven, single], "first") is uneven
    assert slowest([uneven, single], "first") is None


@pytest.mark.parametrize("sort", ["first", "whole"])
def test_the_slowest_come_first_and_the_unknown_last(sixty, call, agent, asked, sort):
    call(make_conversation(agent, title="Oslo"))
    down = [row.conversation.title for row in listing(asked(sort=f"-{sort}")).rows]
    up = [row.conversation.title for row in listing(asked(sort=sort)).rows]

    assert (down, up) == (["Paris", "Rome", "Oslo"], ["Rome", "Paris", "Oslo"])


def test_the_total_names_the_slowest_of_several_models(boss, call, rome):
    for _ in range(9):
        call(rome, first_ms=4.0, total_ms=22.0)
    one = text_of(boss.get("/inspect/"))
    call(rome, model="openai/gpt-4o", first_ms=900.0, total_ms=6_000.0)
    single = text_of(boss.get("/inspect/"))
    for _ in range(4):
        call(rome, model="openai/gpt-4o", first_ms=900.0, total_ms=6_000.0)
    page = boss.get("/inspect/")

    assert "slowest" not in one + single
    assert "median, 95% in 0.90 s slowest: openai/gpt-4o 0.90 s, 95% in 0.90 s" in text_of(page)
    assert "slowest: openai/gpt-4o 6.0 s, 95% in 6.0 s Cache" in text_of(page)
    assert "?days=30&amp;by=model&amp;sort=-whole_p95#list-title" in links(page)


def test_the_slowest_is_the_first_of_the_list_that_it_leads_to(boss, call, rome):
    for took in (100.0, 100.0, 100.0, 100.0, 8_000.0):
        call(rome, model="openai/uneven", first_ms=took)
        call(rome, model="openai/steady", first_ms=900.0)
    (link,) = [each for each in links(boss.get("/inspect/")) if "sort=-first_p95" in each]

    page = boss.get("/inspect/" + link.replace("&amp;", "&"))

    text = text_of(page)
    assert "First word 95% ↓" in text
    assert text.rindex("openai/uneven 18") < text.rindex("openai/steady 18")
    assert "?days=30&amp;by=model&amp;sort=first_p95" in links(page)
