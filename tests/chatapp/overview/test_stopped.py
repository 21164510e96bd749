"""The overview finds the chats in which a person stopped an answer."""

import re
from html import unescape

import pytest

from chatapp.overview.figures import Figures
from chatapp.overview.queries import listing
from history.models import Generation, GenerationStatus
from tests.chatapp.overview.conftest import NOON, periods, whole
from tests.chatapp.overview.test_views import links, text_of
from tests.factories import begin_turn, make_conversation

FAILED, STOPPED = GenerationStatus.FAILED, GenerationStatus.STOPPED


@pytest.fixture
def several(call, rome, paris, agent):
    """Make a chat with two stopped answers and a good one, one with a failed answer, and one with
    both a failed and a stopped answer. Return the stopped ones of the first.
    """
    made = [call(rome, status=STOPPED), call(rome, days=2, status=STOPPED)]
    call(rome)
    call(paris, status=FAILED)
    oslo = make_conversation(agent, title="Oslo")
    call(oslo, status=FAILED)
    call(oslo, status=STOPPED)
    return [each.plan.generation_id for each in made]


def titles(page):
    return re.findall(r'aria-label="Transcript of (\w+)"', page.text)


def test_the_number_of_stopped_answers_leads_to_their_chats(boss, several):
    page = boss.get("/inspect/")
    (link,) = re.findall(r'href="([^"]*)"\s+aria-label="3 stopped answers"', page.text)
    found = boss.get("/inspect/" + unescape(link))

    assert titles(found) == ["Rome", "Oslo"]
    assert "Requests 3 of stopped answers" in text_of(found)
    assert "Stopped 3 answers, by a person" in text_of(found)


def test_the_list_sorts_by_stopped_answers(boss, several):
    page = boss.get("/inspect/?sort=-stopped")

    assert titles(page) == ["Rome", "Oslo", "Paris"]
    assert re.findall(r'data-stopped="(\d+)"', page.text)[:3] == ["2", "1", "0"]
    assert re.search(r'aria-sort="descending">\s*<a[^>]*>Stopped', page.text)


def test_among_stopped_answers_a_title_opens_the_newest_that_was_stopped(boss, several, rome):
    newest = several[0]
    turn = Generation.objects.get(pk=newest).turn

    assert f"/chat/{rome.pk}/debug/turn/{turn}?generation={newest}" in links(
        boss.get("/inspect/?stopped=on")
    )


@pytest.mark.parametrize(
    ("choices", "requests", "failures", "stopped"),
    [
        ({"stopped": True}, 3, 0, 3),
        ({"failures": True}, 2, 2, 0),
        ({"stopped": True, "failures": True}, 5, 2, 3),
        ({}, 6, 2, 3),
    ],
)
def test_failed_and_stopped_answers_can_be_asked_for_alone_or_together(
    several, asked, choices, requests, failures, stopped
):
    chosen = asked(**choices)
    expected = (requests, failures, stopped)

    found = [row.figures for row in listing(chosen).rows]
    for total in (whole(chosen), sum(found, Figures())):
        assert (total.requests, total.failures, total.stopped) == expected
    assert sum(period.figures.stopped for period in periods(chosen)) == stopped


def test_an_answer_that_was_stopped_before_its_request_has_a_row(rome, asked):
    generation = begin_turn(rome)
    Generation.objects.filter(pk=generation.pk).update(status=STOPPED, created=NOON)
    (row,) = listing(asked()).rows

    assert (row.figures, row.answer) == (Figures(stopped=1), None)


def test_the_list_of_failures_ignores_stopped_answers(boss, several):
    page = boss.get("/inspect/failures?stopped=on")

    assert "2 failed answers" in text_of(page)
    assert "stopped=on" not in page.text


def test_an_answer_passed_over_by_a_message_is_neither_stopped_nor_failed(boss, call, rome, asked):
    call(rome, status=GenerationStatus.PASSED_OVER)

    figures = whole(asked())
    assert (figures.requests, figures.stopped, figures.failures) == (1, 0, 0)
    assert titles(boss.get("/inspect/?stopped=on")) == []
