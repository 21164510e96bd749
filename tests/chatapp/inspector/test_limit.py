"""A request under a token budget is as full as the share of the budget that it uses."""

import pytest

from chatapp.inspector.window import bars, filled
from chatapp.transcript.cut_line import gauge_of
from history.services.explain.window import limit_of
from tests.chatapp.inspector.pages import text_of
from tests.factories import add_turn, make_agent, make_conversation

pytestmark = pytest.mark.django_db
WINDOW = {"context_window": 128_000, "output_reserve": 4_096}


def asked(**values):
    """Store a request of about a thousand tokens under these settings."""
    agent = make_agent("thrifty", history_settings={**WINDOW, **values})
    conversation = make_conversation(agent, visitor="ada")
    return conversation, add_turn(conversation, "A question about the harbour. " * 160)


@pytest.mark.parametrize(
    ("values", "tokens", "budget"),
    [
        pytest.param({"token_budget": 6_000}, 1_904, 6_000, id="a budget"),
        pytest.param({}, 128_000, None, id="no budget"),
        pytest.param({"token_budget": 200_000}, 128_000, None, id="a budget above the window"),
    ],
)
def test_the_limit_that_binds_is_the_measure(values, tokens, budget):
    _, record = asked(**values)
    plan = record.core_plan
    limit, gauge = limit_of(plan), gauge_of(plan, "")
    bar = filled(limit, bars(plan.window))

    assert (limit.sent, limit.tokens, limit.budget) == (plan.window.sent, tokens, budget)
    assert limit.percent == round(100 * plan.window.sent / tokens, 1)
    assert (gauge.limit, gauge.percent, gauge.by_budget) == (tokens, limit.percent, bool(budget))
    assert bar[0].width == pytest.approx(limit.percent, abs=0.1)
    assert bar[-1].x + bar[-1].width == pytest.approx(100, abs=0.05)


def test_a_bar_is_full_if_more_than_the_budget_must_be_sent():
    _, record = asked(token_budget=4_500)
    limit = limit_of(record.core_plan)

    assert limit.percent > 100
    assert [rect.width for rect in filled(limit, bars(record.core_plan.window))] == [100, 0]


def test_a_budget_that_the_answer_takes_alone_is_no_measure():
    _, record = asked(token_budget=4_000)

    assert limit_of(record.core_plan).tokens == 128_000


@pytest.mark.words
def test_the_pages_say_what_they_measure_by(client):
    conversation, record = asked(token_budget=6_000)
    session = client.session
    session["visitor"] = "ada"
    session.save()
    limit = limit_of(record.core_plan)
    panel = text_of(client.get(f"/chat/{conversation.pk}/panel"))
    chat = text_of(client.get(f"/chat/{conversation.pk}"))

    assert f"sent: {limit.percent}% of the 1,904 that the token budget leaves" in panel
    assert "the rest of the budget is reserved for the answer" in panel
    assert "of 1.9k tokens (token budget)" in chat
