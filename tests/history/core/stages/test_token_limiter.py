"""F21: the token limiter keeps the newest whole segments that fit."""

import pytest

from history.core.stages.processors import parse_levels
from history.core.words.errors import SettingErrors
from history.core.words.facts import Rule, fact
from tests.history.core.making import ROOMY, chained, of_transcript, requested, transcript
from tests.transcripts import turns

AGENT = transcript(
    "user: look x10",
    "call c1 search x10",
    "result c1: found x50",
    "assistant: here x10",
    "user: thanks x10",
)


LIMIT = {"use": "token_limiter", "limit": 180}


def limited(messages, limit):
    return of_transcript(chained(messages, {"use": "token_limiter", "limit": limit}).plan)


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        pytest.param(90, "KKKKK", id="all of it fits exactly"),
        pytest.param(89, "FKKKK", id="the oldest goes first"),
        pytest.param(80, "FKKKK", id="a round fits exactly"),
        pytest.param(79, "FFFKK", id="a call leaves with its result"),
        pytest.param(20, "FFFKK", id="the answer fits"),
        pytest.param(19, "FFFFK", id="only the current turn"),
        pytest.param(1, "FFFFK", id="the current turn is sent though it does not fit"),
    ],
)
def test_the_newest_whole_segments_that_fit(limit, expected):
    assert limited(AGENT, limit) == expected


def test_the_limiter_stops_at_the_first_segment_that_does_not_fit():
    messages = transcript("user: a x1", "assistant: b x500", "assistant: c x1", "user: d x1")

    assert limited(messages, 100) == "FFKK"


def test_a_dangling_call_glues_nothing_together():
    messages = transcript(
        "user: a x100", "call c1 search x10", "user: b x10", "assistant: c x10", "user: d x10"
    )

    assert limited(messages, 30) == "FFKKK"


REPEATING = transcript(
    "user: look x10",
    "call c1 search x10",
    "result c1: found x50",
    "user: again x10",
    "call c1 search x10",
    "result c1: found x50",
    "user: thanks x10",
)


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        pytest.param(90, "KKKK!!K", id="what goes for its id is not counted"),
        pytest.param(89, "FKKK!!K", id="the oldest goes first"),
        pytest.param(80, "FKKK!!K", id="the first call fits exactly"),
        pytest.param(79, "FFFK!!K", id="nor does it take the place of the first"),
    ],
)
def test_a_call_that_repeats_an_id_costs_nothing(limit, expected):
    assert limited(REPEATING, limit) == expected


def test_the_limiter_shows_its_arithmetic():
    plan = chained(AGENT, {"use": "token_limiter", "limit": 79}).plan
    entry = plan.entry_at(0)

    named = {"processor": "token_limiter", "level": "history", "limit": 79, "stride": 1}
    sums = {"tokens": 20, "beyond": {"places": [1, 2], "tokens": 80}}
    assert (entry.rule, entry.level, entry.count) == ("token_limiter", "history", 3)
    assert entry.reasons == (fact(Rule.TOKEN_LIMITER, **named, **sums),)


@pytest.mark.parametrize(
    ("chain", "values", "sums"),
    [
        pytest.param(
            [LIMIT],
            {"token_stride": 100},
            (100, 90, {"places": [9, 9], "tokens": 100}),
            id="in steps, so that what would fit goes",
        ),
        pytest.param(
            [{**LIMIT, "limit": 1}],
            {},
            (1, 10, {"places": [17, 17], "tokens": 20}),
            id="none fits",
        ),
    ],
)
def test_the_limiters_arithmetic_says_where_it_stops(chain, values, sums):
    levels = parse_levels({"agent": chain})

    plan = requested(turns(10)[:-1], {**ROOMY, **values}, levels=levels).plan
    (why,) = plan.entry_at(0).reasons

    assert tuple(map(why.figures.get, ("stride", "tokens", "beyond"))) == sums


def test_what_comes_next_may_be_a_note():
    noted = {"use": "tool_call_filter", "persist_results": True}
    plan = chained(AGENT, noted, {"use": "token_limiter", "limit": 21}).plan

    (why,) = plan.entry_at(0).reasons
    assert (why.figures["tokens"], why.figures["beyond"]) == (20, {"places": [], "tokens": 30})


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_1_is_refused(limit):
    with pytest.raises(SettingErrors, match="no_number"):
        limited(AGENT, limit)


@pytest.mark.parametrize(
    ("count", "first"),
    [
        pytest.param(8, 0, id="it fits"),
        pytest.param(9, 10, id="over: to the next point of the grid, at 100 tokens"),
        pytest.param(13, 10, id="there it stays"),
        pytest.param(14, 20, id="then a whole stride at once"),
        pytest.param(18, 20, id="and it stays again"),
        pytest.param(19, 30, id="and moves again"),
    ],
)
def test_with_a_stride_the_cut_stands_on_a_grid_of_tokens(count, first):
    levels = parse_levels({"agent": [{"use": "token_limiter", "limit": 180}]})
    messages = turns(count + 1)[:-1]
    projection = requested(messages, {**ROOMY, "token_stride": 100}, levels=levels)

    assert projection.messages[0].position == first
