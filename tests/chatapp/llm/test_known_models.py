"""The catalogue's facts on a model, and an administrator's facts, which outrank them."""

from decimal import Decimal

import pytest

from agents.catalogue import ModelLimits
from agents.model_facts import described
from agents.providers.directory import Directory, hold
from agents.providers.models import KnownModel
from chatapp.llm.catalogue import facts, limits, names, prices, takes_images
from history.core.money.cost import UNPRICED

PRIVATE = "work/our-own"


def enter(name, **figures):
    known = KnownModel(name=name, **figures)
    hold(Directory({"work": "openai"}, frozenset(), {name: known}))


@pytest.mark.words
@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("openai/gpt-5-mini", "272,000 tokens · $0.25 in, $2 out per million · images · reasoning"),
        ("openai/gpt-3.5-turbo", "16,385 tokens · $0.5 in, $1.5 out per million · tools"),
        ("demo/mirror", "128,000 tokens · $0 in, $0 out per million · images · reasoning · tools"),
        ("openai/not-yet-listed", "No list knows this model, so its window is assumed"),
    ],
)
def test_a_model_is_described(model, said):
    assert described(facts(model)).startswith(said)


def test_an_administrator_describes_a_model_that_no_list_knows():
    assert (limits(PRIVATE), prices(PRIVATE), facts(PRIVATE).is_known) == (
        ModelLimits(),
        UNPRICED,
        False,
    )
    enter(PRIVATE, context_window=32_000, input_price=Decimal(2), images=False, tools=True)

    known = facts(PRIVATE)
    assert known.limits == ModelLimits(32_000, None)
    assert known.prices.input == Decimal("0.000002")
    assert known.prices.output is None
    assert (known.images, known.tools, known.is_known) == (False, True, True)
    assert not takes_images(PRIVATE)


def test_what_nobody_says_of_a_model_stays_unknown():
    enter(PRIVATE, context_window=32_000)

    known = facts(PRIVATE)
    assert (known.is_known, known.images, known.reasoning, known.tools) == (True, None, None, None)
    assert takes_images(PRIVATE)
    assert described(known) == "32,000 tokens"


def test_what_an_administrator_enters_wins_and_the_rest_stays():
    before = prices("openai/gpt-4o")
    enter("openai/gpt-4o", context_window=64_000)

    assert limits("openai/gpt-4o") == ModelLimits(64_000, 16_384)
    assert prices("openai/gpt-4o") == before


def test_own_prices_replace_all_of_the_list():
    """A mixture of both prices would be a price that nobody charges."""
    enter("openai/gpt-4o", input_price=Decimal(1), output_price=Decimal(4))

    assert prices("openai/gpt-4o").output == Decimal("0.000004")
    assert prices("openai/gpt-4o").cache_read is None


def test_the_models_of_providers_that_can_be_called_are_listed(monkeypatch, settings):
    for name in ("OPENAI", "ANTHROPIC", "MISTRAL"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    enter(PRIVATE, context_window=32_000)

    listed = names()

    assert listed[0] == "demo/mirror"
    assert {PRIVATE, "work/gpt-4o", "anthropic/claude-sonnet-4-5"} <= {*listed}
    assert not any(name.startswith(("openai/", "mistral/")) for name in listed)
    assert "work/container" not in listed  # litellm has a price for this, but it is no model.
