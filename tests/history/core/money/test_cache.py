"""How much of each request a prompt cache will hold, and what that costs."""

from dataclasses import replace
from decimal import Decimal

import pytest

from history.core.money.cache import COLD, AnsweredRequest, predict, slides
from history.core.money.cost import FREE, Prices
from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.transcript.messages import Role
from history.core.words.facts import Rule, fact
from tests.history.core.making import ROOMY, requested, weighing
from tests.history.core.workload import (
    CLAUDE,
    GPT,
    beside_all,
    effective,
    requests,
)
from tests.transcripts import turns

PROMPT = Injected(SYSTEM_PROMPT, Role.SYSTEM, "You are kind", 1_000)
LAST3 = {"policy": "lastN", "length": 3}
STEPS = {**LAST3, "length_stride": 4}
SMALL = Prices(Decimal(1), Decimal(10), Decimal("0.1"), Decimal("1.25"), 0)


def asked(number, values=(), **request):
    """Plan the request of a turn: the prompt costs 1,000 tokens, each message 100."""
    path = weighing(turns(number)[:-1], 100)
    return requested(path, {**ROOMY, **dict(values)}, injected=(PROMPT,), **request).plan


def figures(predictions):
    return [(p.cache_read, p.cache_write, p.fresh) for p in predictions]


def ask(*numbers, values=(), prices=SMALL, breakpoints=False, **request):
    plans = [AnsweredRequest(asked(number, values, **request), output=7) for number in numbers]
    return predict(plans, prices, breakpoints=breakpoints)


@pytest.mark.parametrize(
    ("prices", "expected"),
    [
        pytest.param(
            SMALL, [(0, 1_100, 0), (1_100, 200, 0), (1_300, 200, 0)], id="writing is charged"
        ),
        pytest.param(
            replace(SMALL, cache_write=None),
            [(0, 0, 1_100), (1_100, 0, 200), (1_300, 0, 200)],
            id="writing costs no extra",
        ),
        pytest.param(
            replace(SMALL, cache_minimum=1_200),
            [(0, 0, 1_100), (0, 1_300, 0), (1_300, 200, 0)],
            id="too short at first",
        ),
        pytest.param(
            replace(SMALL, cache_minimum=None),
            [(0, 1_100, 0), (1_100, 200, 0), (1_300, 200, 0)],
            id="a minimum that nobody states",
        ),
        pytest.param(
            replace(SMALL, cache_read=None),
            [(0, 0, 1_100), (0, 0, 1_300), (0, 0, 1_500)],
            id="no cache that is known of",
        ),
    ],
)
def test_a_growing_request_is_read_up_to_what_is_new(prices, expected):
    assert figures(ask(1, 2, 3, prices=prices)) == expected


def test_money_is_of_input_and_output():
    (first,) = ask(1)

    assert (first.output, first.money) == (7, Decimal("1.25") * 1_100 + 70)


@pytest.mark.parametrize(
    ("prices", "money"), [(Prices(), None), (FREE, 0), (replace(SMALL, output=None), None)]
)
def test_an_unknown_price_makes_unknown_money(prices, money):
    assert [p.money for p in ask(1, 2, prices=prices)] == [money, money]


def test_after_a_cold_gap_nothing_is_read():
    plans = [
        AnsweredRequest(asked(1)),
        AnsweredRequest(asked(2), cold=True),
        AnsweredRequest(asked(3)),
    ]
    predictions = predict(plans, SMALL)

    assert figures(predictions) == [(0, 1_100, 0), (0, 1_300, 0), (1_300, 200, 0)]
    assert [p.first_difference for p in predictions] == [None, COLD, None]


def test_a_sliding_window_reads_the_prompt_alone():
    predictions = ask(5, 6, values=LAST3)

    assert figures(predictions) == [(0, 1_500, 0), (1_000, 500, 0)]
    assert predictions[1].first_difference == fact(Rule.WINDOW_MOVED, by="turn", was=3, now=4)


def test_with_breakpoints_the_end_of_a_sliding_window_is_not_written():
    assert figures(ask(3, 4, 5, values=LAST3, breakpoints=True)) == [
        (0, 1_500, 0),
        (1_000, 0, 500),
        (1_000, 0, 500),
    ]


def test_with_tools_the_end_is_written_all_the_same():
    """The cache is written to the request's end, because the next round of tools reads it again."""
    plans = [AnsweredRequest(asked(number, LAST3), tools=True) for number in (4, 5)]

    assert figures(predict(plans, SMALL, breakpoints=True)) == [(0, 1_500, 0), (1_000, 500, 0)]


@pytest.mark.parametrize(
    ("tools", "expected"),
    [
        (False, [(0, 1_000, 150), (1_000, 200, 150), (1_200, 200, 150)]),
        (True, [(0, 1_150, 0), (1_000, 350, 0), (1_200, 350, 0)]),
    ],
    ids=["the end is not written", "a tool's round reads the end"],
)
def test_with_breakpoints_a_text_of_the_turn_is_where_the_next_one_stops_reading(tools, expected):
    plans = [AnsweredRequest(dated(number), tools=tools) for number in (1, 2, 3)]

    assert figures(predict(plans, SMALL, breakpoints=True)) == expected


def dated(number):
    """Plan a request as `asked` does, with 50 injected tokens that differ in each turn."""
    date = Injected("context date", Role.USER, f"Turn {number}", 50, "turn")
    path = weighing(turns(number)[:-1], 100)
    return requested(path, ROOMY, injected=(PROMPT, date)).plan


def test_tokens_are_the_models_own():
    assert figures(ask(1, 2, factor=1.5)) == [(0, 1_650, 0), (1_650, 300, 0)]


@pytest.mark.parametrize(
    ("number", "values", "expected"),
    [
        pytest.param(3, LAST3, False, id="nothing is cut yet"),
        pytest.param(4, LAST3, True, id="it moves with every turn"),
        pytest.param(9, STEPS, False, id="it moves in steps"),
        pytest.param(9, {}, False, id="everything is sent"),
        pytest.param(9, {"policy": "none"}, True, id="only the current turn"),
        pytest.param(9, {"policy": "none", "length_stride": 4}, True, id="none knows no steps"),
        pytest.param(9, {"max_items": 6}, True, id="a window of messages"),
        pytest.param(9, {"max_items": 6, "length_stride": 4}, False, id="the same in steps"),
        pytest.param(9, {"token_budget": 1_600}, True, id="fifo"),
        pytest.param(9, {"token_budget": 1_600, "token_stride": 300}, False, id="fifo in steps"),
        pytest.param(
            9,
            {"token_budget": 1_600, "pruner": "sliding_window", "length_stride": 4},
            False,
            id="the pruner moves by turns",
        ),
    ],
)
def test_a_window_slides(number, values, expected):
    assert slides(asked(number, {"min_history_turns": 0, **values})) is expected


def test_an_exclusion_does_not_make_it_slide():
    assert not slides(asked(9, exclusions=frozenset({2})))


LAST20 = {"policy": "lastN", "length": 20}
STRIDE10 = {**LAST20, "length_stride": 10}
KEEP5 = {"tool_results_keep": 5}
BATCH10 = {**KEEP5, "results_stride": 10}


@pytest.mark.parametrize(
    ("values", "prices", "cold_every", "published"),
    [
        pytest.param(LAST20, CLAUDE, 0, 3.21, id="sliding, warm"),
        pytest.param(LAST20, CLAUDE, 4, 1.05, id="sliding, every 4th turn cold"),
        pytest.param(LAST20, CLAUDE, 2, 0.65, id="sliding, every 2nd cold"),
        pytest.param(LAST20, CLAUDE, 1, 0.39, id="sliding, all cold"),
        pytest.param(LAST20, GPT, 0, 2.69, id="sliding, GPT-5 class"),
        pytest.param(STRIDE10, CLAUDE, 0, 0.81, id="in steps, warm"),
        pytest.param(STRIDE10, CLAUDE, 1, 0.46, id="in steps, all cold"),
        pytest.param(STRIDE10, GPT, 0, 0.75, id="in steps, GPT-5 class"),
        pytest.param(KEEP5, CLAUDE, 0, 1.42, id="placeholders moving, warm"),
        pytest.param(KEEP5, CLAUDE, 1, 0.63, id="placeholders moving, all cold"),
        pytest.param(KEEP5, GPT, 0, 1.28, id="placeholders moving, GPT-5 class"),
        pytest.param(BATCH10, CLAUDE, 0, 0.89, id="placeholders in batches, warm"),
        pytest.param(BATCH10, CLAUDE, 1, 0.70, id="placeholders in batches, all cold"),
        pytest.param(BATCH10, GPT, 0, 0.85, id="placeholders in batches, GPT-5 class"),
    ],
)
def test_the_cost_model_is_met_within_5_percent(values, prices, cold_every, published):
    assert beside_all(prices, cold_every, **values) == pytest.approx(published, rel=0.05)


def test_steps_of_10_cost_at_most_a_third_of_a_sliding_window():
    sliding, stepping = (effective(predict(requests(**v), CLAUDE)) for v in (LAST20, STRIDE10))

    assert stepping * 3 <= sliding
