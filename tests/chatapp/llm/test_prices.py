"""The prices in litellm's catalogue, and prices that are unknown there."""

from decimal import Decimal

import pytest

from chatapp.llm import catalogue
from chatapp.llm.prices import prices_in
from history.core.money.cost import FREE, UNPRICED, Prices
from history.services.wire.figures import stored_cost
from tests.provider import LITELLM_WARNS

pytestmark = LITELLM_WARNS
PLAIN = {"input_cost_per_token": 3e-06, "output_cost_per_token": 1.5e-05}
THREE, FIFTEEN = Decimal("0.000003"), Decimal("0.000015")


@pytest.mark.parametrize(
    ("entry", "prices"),
    [
        pytest.param({}, UNPRICED, id="nothing is known"),
        pytest.param(PLAIN, Prices(THREE, FIFTEEN), id="no word of a cache"),
        pytest.param(
            {
                **PLAIN,
                "cache_read_input_token_cost": 3e-07,
                "cache_creation_input_token_cost": 3.75e-06,
                "prompt_cache_min_tokens": 1024,
            },
            Prices(THREE, FIFTEEN, Decimal("3e-7"), Decimal("3.75e-6"), 1024),
            id="a cache",
        ),
        pytest.param(
            {**PLAIN, "cache_creation_input_token_cost": 0.0},
            Prices(THREE, FIFTEEN),
            id="writing costs no extra",
        ),
        pytest.param(
            {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
            Prices(Decimal(0), Decimal(0)),
            id="known to be free",
        ),
        pytest.param(
            {**PLAIN, "output_cost_per_reasoning_token": 2e-05},
            Prices(THREE),
            id="thinking has another price",
        ),
        pytest.param(
            {**PLAIN, "output_cost_per_reasoning_token": 1.5e-05},
            Prices(THREE, FIFTEEN),
            id="thinking has the same price",
        ),
        pytest.param({**PLAIN, "input_cost_per_request": 0.005}, UNPRICED, id="by the request"),
        pytest.param(
            {
                **PLAIN,
                "input_cost_per_token_above_1000k_tokens": 9e-06,
                "input_cost_per_token_above_200k_tokens": 6e-06,
                "output_cost_per_token_above_200k_tokens": 2e-05,
                "input_cost_per_token_above_200k_tokens_priority": 1.0,
            },
            Prices(
                THREE,
                FIFTEEN,
                beyond=(
                    (200_000, Prices(Decimal("6e-6"), Decimal("2e-5"))),
                    (1_000_000, Prices(Decimal("9e-6"))),
                ),
            ),
            id="dearer beyond a length",
        ),
    ],
)
def test_an_entry_is_read(entry, prices):
    assert prices_in(entry) == prices


@pytest.mark.parametrize(
    ("model", "prices"),
    [
        pytest.param("demo/mirror", FREE, id="the offline model"),
        pytest.param(
            "anthropic/claude-sonnet-4-5",
            Prices(THREE, FIFTEEN, Decimal("3e-7"), Decimal("3.75e-6"), 1024),
            id="the provider's name in front",
        ),
        pytest.param(
            "openai/gpt-4o",
            Prices(Decimal("2.5e-6"), Decimal("1e-5"), Decimal("1.25e-6")),
            id="a cache that is free to write",
        ),
        pytest.param("openai/claude-sonnet-4-5", UNPRICED, id="another provider's model"),
        pytest.param("openai/fake", UNPRICED, id="not in the catalogue"),
        pytest.param("ollama/llama3", Prices(Decimal(0), Decimal(0)), id="local, listed at 0"),
        pytest.param("ollama/of-my-own", UNPRICED, id="local, not listed"),
    ],
)
def test_a_models_prices(model, prices):
    assert catalogue.prices(model) == prices


@pytest.mark.parametrize(
    ("model", "usage", "total"),
    [
        pytest.param(
            "openai/gpt-4o",
            {"prompt": 1_000, "completion": 50, "cache_read": 600},
            "0.00225",  # 400 at $2.50, 600 at $1.25 and 50 at $10 a million.
            id="of OpenAI",
        ),
        pytest.param(
            "anthropic/claude-sonnet-4-5",
            {"prompt": 1_000, "completion": 50, "cache_read": 600, "cache_write": 300},
            "0.002355",  # 100 at $3, 600 at $0.30, 300 at $3.75 and 50 at $15 a million.
            id="of Anthropic",
        ),
        pytest.param("openai/fake", {"prompt": 1_000, "completion": 50}, None, id="nobody knows"),
    ],
)
def test_what_a_request_cost_by_the_catalogues_own_figures(model, usage, total):
    cost = stored_cost(model, usage)

    assert (cost and cost["total"]) == total
