"""The map first shows few messages, among them the newest; all others can be opened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings.layers import Layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.services.explain.map.stretches import FOLDED, Stretch, page, stretches
from history.services.explain.window import window_start
from tests.history.core.strategies import transcripts
from tests.transcripts import INSTRUCTED, turns


def plan_of(transcript, **settings):
    layer = Layer(LayerName.TEMPLATE, "template", {"policy": "all", **settings})
    return project(transcript, ProjectionRequest(resolve([layer]))).plan


def rows(first, last):
    return Stretch(first, last, is_folded=False)


def fold(first, last):
    return Stretch(first, last, is_folded=True)


def shape(found):
    return [(part.first, part.last, part.is_folded) for part in found]


def test_the_newest_rows_are_in_sight_and_older_ones_folded():
    assert shape(stretches(plan_of(turns(10)), room=6)) == [
        (0, 13, True),
        (14, 17, False),
        (18, 19, False),
    ]


def test_trimmed_messages_are_folded_in_place():
    plan = plan_of(turns(5), policy="lastN", length=2)

    assert shape(stretches(plan)) == [(0, 5, True), (6, 7, False), (8, 9, False)]
    assert window_start(plan).first == 6


def test_a_single_trimmed_message_needs_no_fold():
    plan = plan_of(INSTRUCTED, policy="lastN", length=1)

    assert shape(stretches(plan)) == [
        (0, 0, False),
        (1, 2, True),
        (3, 3, False),
        (4, 5, True),
        (6, 6, False),
    ]


def test_where_room_ends_the_start_of_the_window_stays_apart():
    plan = plan_of(turns(50), policy="lastN", length=30)

    assert shape(stretches(plan, room=3)) == [
        (0, 39, True),
        (40, 96, True),
        (97, 97, False),
        (98, 99, False),
    ]


def test_nothing_trimmed_has_no_window_start():
    assert window_start(plan_of(turns(3))) is None


@given(transcripts(), st.integers(1, 12), st.integers(0, 5))
def test_each_message_is_in_one_stretch_and_there_are_few(transcript, room, length):
    plan = plan_of(transcript, policy="lastN", length=length)

    found = stretches(plan, room)

    covered = [p for part in found for p in range(part.first, part.last + 1)]
    assert covered == list(range(plan.counts.transcript))
    assert sum(1 if part.is_folded else part.count for part in found) <= room + 3


@given(transcripts(), st.integers(0, 5))
def test_with_room_for_all_only_what_is_not_sent_is_folded(transcript, length):
    plan = plan_of(transcript, policy="lastN", length=length)

    for part in stretches(plan, room=10_000):
        if part.is_folded:
            assert plan.verdict_of(part.first) in FOLDED


@pytest.mark.parametrize(
    ("newest", "parts"),
    [
        pytest.param(False, [rows(10, 12), fold(13, 19)], id="the oldest"),
        pytest.param(True, [fold(10, 16), rows(17, 19)], id="the newest"),
    ],
)
def test_a_fold_opens_from_either_end(newest, parts):
    assert page(10, 19, 3, newest=newest) == parts


@pytest.mark.parametrize("newest", [False, True], ids=["the oldest", "the newest"])
def test_a_short_fold_opens_whole(newest):
    assert page(10, 12, 3, newest=newest) == [rows(10, 12)]
