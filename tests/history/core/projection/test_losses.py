"""F38: the plan itself reports messages that neither the window nor a summary contains."""

import pytest

from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.core.words.facts import Rule, warning
from tests.history.core.making import requested
from tests.transcripts import turns

ROOM = {"context_window": 1_000_000, "output_reserve": 1}
TEN = turns(10)  # Twenty messages: ten questions, each with its answer.
LAST3 = {"policy": "lastN", "length": 3}
ALL = {"policy": "all"}
POINT = Checkpoint(1, 0, 7, 1, 4, "they spoke", 30, 200)
LIMITER = parse_levels({"agent": [{"use": "token_limiter", "limit": 1}]})


def losses(values, **request):
    notes = requested(TEN[:-1], {**ROOM, **values}, **request).plan.notes
    return [note for note in notes if note.fact.rule is Rule.LOST]


def lost(count, setting, *places):
    return warning(Rule.LOST, count=count, runs=[{"setting": setting, "places": [*places]}])


@pytest.mark.parametrize(
    ("values", "request_", "expected"),
    [
        pytest.param(LAST3, {}, [], id="without summaries a window is only a window"),
        pytest.param(
            {**LAST3, "summarize": True},
            {},
            [lost(14, "length", [0, 13])],
            id="the window is narrower than what waits for a summary",
        ),
        pytest.param(
            {**LAST3, "summarize": True},
            {"checkpoints": (POINT,)},
            [lost(6, "length", [8, 13])],
            id="between the summary and the window",
        ),
        pytest.param(
            LAST3,
            {"checkpoints": (POINT,)},
            [lost(6, "length", [8, 13])],
            id="of a summary made by hand too",
        ),
        pytest.param(
            {"policy": "lastN", "length": 6, "summarize": True},
            {"checkpoints": (POINT,)},
            [],
            id="the summary reaches into the window",
        ),
        pytest.param(
            {**ALL, "summarize": True, "max_items": 10},
            {"checkpoints": (POINT,)},
            [lost(1, "max_items", [8, 8])],
            id="one message, by the history window",
        ),
        pytest.param(
            {**LAST3, "summarize": True},
            {"checkpoints": (POINT,), "exclusions": frozenset({9, 10, 13})},
            [lost(3, "length", [8, 8], [11, 12])],
            id="what a person excluded is no loss",
        ),
        pytest.param(
            {**LAST3, "summarize": True},
            {"checkpoints": (POINT,), "pins": frozenset({10})},
            [lost(5, "length", [8, 9], [11, 13])],
            id="nor what a person pinned",
        ),
        pytest.param(
            {**ALL, "summarize": True},
            {"checkpoints": (POINT,), "levels": LIMITER},
            [lost(10, "processors", [8, 17])],
            id="a token limiter cuts by size",
        ),
        pytest.param(
            {**ALL, "pruner": "summarize", "token_budget": 256, "output_reserve": 240},
            {},
            [lost(12, "token_budget", [0, 11])],
            id="the pruner that asks for a summary has none yet",
        ),
        pytest.param(
            {"policy": "none", "summarize": True},
            {"checkpoints": (POINT,)},
            [lost(18, "policy", [0, 17])],
            id="policy none sends no summary",
        ),
    ],
)
def test_a_plan_says_how_many_messages_are_lost_and_which(values, request_, expected):
    assert losses(values, **request_) == expected
