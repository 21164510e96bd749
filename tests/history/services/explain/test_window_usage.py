"""A line on an answer's tokens, time and cost has a dash for each unknown figure."""

import re

import pytest

from history.core.stages.processors import parse_levels
from history.services.explain.lines import bill_line
from history.services.explain.window import BEYOND_BUDGET, budget_line, sums, window_parts
from history.wording.notes import sentences
from tests.history.core.making import ROOMY, requested, transcript

FULL = {"prompt": 1_205, "completion": 40, "cache_read": 1_000, "cache_write": 200}
COST = {"currency": "USD", "total": "0.0042149"}


@pytest.mark.parametrize(
    ("reported", "stored", "line"),
    [
        pytest.param(
            FULL,
            COST,
            "new 5, cache read 1,000, cache write 200, output 40 \N{MIDDLE DOT} cost $0.00421",
            id="all is known",
        ),
        pytest.param(
            FULL,
            None,
            "new 5, cache read 1,000, cache write 200, output 40 \N{MIDDLE DOT} cost \N{EM DASH}",
            id="no price",
        ),
        pytest.param(
            {"prompt": 50, "completion": 5},
            {"total": "0"},
            "new 50, cache read \N{EM DASH}, cache write \N{EM DASH}, output 5"
            " \N{MIDDLE DOT} cost $0.00",
            id="no word of a cache, and known to be free",
        ),
        pytest.param(
            {"prompt": 50, "completion": 5, "cache_read": 60},
            None,
            "new \N{EM DASH}, cache read 60, cache write \N{EM DASH}, output 5"
            " \N{MIDDLE DOT} cost \N{EM DASH}"
            " (the provider reported more cached tokens than the prompt had)",
            id="nonsense",
        ),
        pytest.param(
            None,
            None,
            "new \N{EM DASH}, cache read \N{EM DASH}, cache write \N{EM DASH},"
            " output \N{EM DASH} \N{MIDDLE DOT} cost \N{EM DASH}",
            id="nothing was reported",
        ),
    ],
)
def test_a_bill(reported, stored, line):
    assert bill_line(reported, stored) == line


FILTERED = {"levels": parse_levels({"history": [{"use": "tool_call_filter", "exclude": ["x"]}]})}
GREETED = transcript("assistant: hello x10", "system: be kind x7", "user: a x10")
INSTRUCTED = transcript("user: a x10", "system: be kind x7", "user: b x10")
ROOM = {**ROOMY, "context_window": 1_000, "output_reserve": 100}


@pytest.mark.words
@pytest.mark.parametrize(
    ("messages", "request_", "beside"),
    [
        pytest.param(GREETED[2:], {}, "", id="nothing"),
        pytest.param(INSTRUCTED, {}, ", plus 7 for pinned and system messages", id="held"),
        pytest.param(
            GREETED[2:],
            FILTERED,
            ", plus 25 reserved for an opening, sent if the first message isn't the user's",
            id="an opening not sent",
        ),
        pytest.param(
            GREETED,
            FILTERED,
            ", plus 7 for pinned and system messages, "
            "plus 25 reserved for an opening, sent if the first message isn't the user's",
            id="an opening that is sent",
        ),
    ],
)
def test_the_budget_and_what_stands_beside_it_are_the_window(messages, request_, beside):
    plan = requested(messages, ROOM, **request_).plan
    line = budget_line(plan)
    used, budget, *others = map(int, re.findall(r"\d+", line))

    assert line == f"History: {used} of {budget} tokens{beside}"
    assert sentences(plan.notes) == (f"History uses {used} of its {budget}-token budget.",)
    assert budget + sum(others) == 1_000 - 100


@pytest.mark.words
def test_a_budget_is_never_below_nothing():
    plan = requested(
        transcript("user: a x10"), {**ROOM, "token_budget": 256, "output_reserve": 400}
    ).plan

    assert (plan.budget, budget_line(plan)) == (
        0,
        "History: 10 tokens, although nothing of the budget is left for it, the context window has "
        "room for 600",
    )


BOUNDED = {"context_window": 1_000, "output_reserve": 100, "token_budget": 300}


def rows(**values):
    """Return the last parts of the window, and the sentence that adds them up."""
    plan = requested(transcript("user: a x50"), {**ROOMY, **values}).plan
    parts = {part.name: part.tokens for part in window_parts(plan)}
    assert sum(parts.values()) == plan.window.context_window + plan.window.over
    return parts["free"], parts.get(BEYOND_BUDGET), sums(plan)


@pytest.mark.words
@pytest.mark.parametrize(
    ("values", "free", "beyond", "said"),
    [
        pytest.param(
            BOUNDED, 150, 700, " 150 free + 700 beyond the token budget = 1,000 window", id="budget"
        ),
        pytest.param(
            BOUNDED | {"token_budget": 1_000}, 850, None, " 850 free = 1,000 window", id="no less"
        ),
        pytest.param(
            BOUNDED | {"output_reserve": 280},
            0,
            670,
            " 0 free + 670 beyond the token budget = 1,000 window",
            id="a question above the budget",
        ),
    ],
)
def test_what_lies_beyond_the_token_budget_is_not_free(values, free, beyond, said):
    assert rows(**values)[:2] == (free, beyond)
    assert rows(**values)[2].endswith(said)
