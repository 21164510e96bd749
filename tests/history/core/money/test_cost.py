"""Tokens by kind and their exact cost; an unknown cost stays unknown."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.money.cost import (
    FREE,
    NONSENSE,
    CostShare,
    Prices,
    Usage,
    cost_of,
    dollars,
    plain,
)

SONNET = Prices(Decimal("3e-6"), Decimal("15e-6"), Decimal("3e-7"), Decimal("3.75e-6"), 1024)
GPT = Prices(Decimal("1.25e-6"), Decimal("1e-5"), Decimal("1.25e-7"))
UNCACHED = Prices(Decimal("1e-6"), Decimal("2e-6"))


def money(usage, prices):
    """Return the cost of fresh, read, written and output tokens, and the total."""
    cost = cost_of(usage, prices)
    return [plain(share.money) for share in cost.shares.values()], plain(cost.total)


@pytest.mark.parametrize(
    ("usage", "prices", "shares", "total"),
    [
        pytest.param(
            Usage(prompt=10_000, cache_read=8_000, cache_write=1_500, output=200),
            SONNET,
            ["0.0015", "0.0024", "0.005625", "0.003"],
            "0.012525",
            id="each kind at its own price",
        ),
        pytest.param(
            Usage(1_000, output=1), GPT, ["0.00125", "0", "0", "0.00001"], "0.00126", id="all fresh"
        ),
        pytest.param(
            Usage(1_000, cache_read=1_000),
            UNCACHED,
            ["0", None, "0", "0"],
            None,
            id="cached tokens without a price for them",
        ),
        pytest.param(
            Usage(1_000, cache_write=10),
            GPT,
            ["0.0012375", "0", None, "0"],
            None,
            id="written tokens without a price for them",
        ),
        pytest.param(Usage(7, output=3), Prices(), [None, "0", "0", None], None, id="no prices"),
        pytest.param(Usage(7, 1, 1, 3), FREE, ["0"] * 4, "0", id="known to be free"),
        pytest.param(
            Usage(5, cache_read=4, cache_write=3, output=1),
            SONNET,
            [None, "0.0000012", "0.00001125", "0.000015"],
            None,
            id="more cached than sent",
        ),
        pytest.param(
            Usage(5, cache_read=-1),
            SONNET,
            [None, None, "0", "0"],
            None,
            id="fewer than none",
        ),
    ],
)
def test_a_request_costs(usage, prices, shares, total):
    assert money(usage, prices) == (shares, total)


@pytest.mark.parametrize(
    ("usage", "fresh", "note"),
    [
        pytest.param(Usage(10, 4, 5), 1, "", id="the rest is fresh"),
        pytest.param(Usage(10, 4, 7), None, NONSENSE, id="never below nothing"),
    ],
)
def test_fresh_is_what_was_neither_read_nor_written(usage, fresh, note):
    cost = cost_of(usage, SONNET)

    assert (cost.fresh.tokens, cost.note) == (fresh, note)


@pytest.mark.parametrize(
    ("prompt", "share"),
    [
        pytest.param(200_000, CostShare(200_000, Decimal("0.2")), id="up to the bound"),
        pytest.param(
            200_001, CostShare(200_001, Decimal("0.400002")), id="all of it, once past it"
        ),
        pytest.param(500_001, CostShare(500_001, None), id="a further bound with an unknown price"),
    ],
)
def test_long_prompts_may_have_prices_of_their_own(prompt, share):
    long = Prices(Decimal("2e-6"))
    prices = Prices(Decimal("1e-6"), beyond=((200_000, long), (500_000, Prices())))

    assert cost_of(Usage(prompt), prices).fresh == share


def test_a_report_says_what_it_says_and_silence_on_the_cache_is_none_read():
    full = {"prompt": 9, "completion": 2, "cache_read": 5, "cache_write": 3, "reasoning": 1}

    assert Usage.reported(full) == Usage(9, 5, 3, 2)
    assert Usage.reported({"prompt": 9, "completion": 2}) == Usage(9, output=2)


def test_as_json_money_is_exact_text():
    stored = json.loads(json.dumps(cost_of(Usage(1_001, 1, 0, 3), GPT).as_dict()))

    assert stored == {
        "currency": "USD",
        "total": "0.001280125",
        "fresh": {"tokens": 1_000, "money": "0.00125"},
        "cache_read": {"tokens": 1, "money": "0.000000125"},
        "cache_write": {"tokens": 0, "money": "0"},
        "output": {"tokens": 3, "money": "0.00003"},
    }


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (None, "\N{EM DASH}"),
        ("0", "$0.00"),
        ("0.000000125", "$0.000000125"),
        ("0.0042149", "$0.00421"),
        ("0.5", "$0.500"),
        ("12.3", "$12.30"),
        ("1234.567", "$1,234.57"),
    ],
)
def test_money_for_people(amount, shown):
    assert dollars(None if amount is None else Decimal(amount)) == shown


@given(*[st.integers(0, 10**7)] * 4)
def test_the_shares_add_up_to_the_total(fresh, read, write, output):
    cost = cost_of(Usage(fresh + read + write, read, write, output), SONNET)

    assert cost.fresh.tokens == fresh
    assert cost.total == sum(share.money for share in cost.shares.values())
