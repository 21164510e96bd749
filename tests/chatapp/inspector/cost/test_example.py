"""What the free demo model would cost elsewhere is always marked, and never added to real costs."""

from decimal import Decimal

import pytest

from history.core.money.cost import FREE, Prices
from history.models import CallFigures
from tests.chatapp.inspector.cost.test_zone import zone
from tests.factories import add_plan, begin_turn, make_conversation

USAGE = {"prompt": 1_000, "completion": 40}
NOTHING = {"total": "0", **{kind: {"money": "0"} for kind in ("fresh", "output")}}


def priced(model):
    if model == "demo/mirror":
        return FREE
    assert model == "openai/gpt-4o"
    return Prices(input=Decimal("0.001"), output=Decimal("0.01"), cache_read=Decimal("0.0001"))


@pytest.fixture
def free(agent, admin_user, catalogue):
    catalogue.prices = priced
    agent.model = "demo/mirror"
    agent.save()
    conversation = make_conversation(agent, owner=admin_user)
    add_plan(begin_turn(conversation), usage=USAGE, cost=NOTHING)
    return conversation


def test_what_is_free_is_priced_as_gpt_4o_and_marked(admin_client, free):
    text = zone(admin_client, free)

    amounts = "this answer $1.40 \N{MIDDLE DOT} chat $1.40"
    assert text.startswith(f"as gpt-4o would: {amounts}")
    assert "The demo model is free. These amounts are an example, at the prices of gpt-4o" in text
    assert "This answer Tokens As gpt-4o" in text
    assert " out, without a cache" in text
    assert "Total $1.40" in text


def test_the_example_counts_nowhere_else(admin_client, free):
    assert CallFigures.objects.get().cost == 0
    context = admin_client.get(f"/api/conversations/{free.pk}/turns/1/context").json()
    assert context["outcome"]["cost"]["total"] == "0"
    assert "$1.40" not in admin_client.get("/inspect/").content.decode()


def test_real_money_is_never_mixed_with_an_example(admin_client, free):
    paid = {"total": "0.5", "fresh": {"money": "0.5"}, "output": {"money": "0"}}
    add_plan(free.generations.get(), step=2, usage=USAGE, cost=paid)

    text = zone(admin_client, free)

    assert text.startswith("this answer $0.500 \N{MIDDLE DOT} chat $0.500")
    assert "gpt-4o" not in text
