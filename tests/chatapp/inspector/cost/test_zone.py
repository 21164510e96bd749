"""The zone on costs: those of the answer and of the conversation, and what trimming saved."""

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape

import pytest

from history.core.money.cost import Prices
from history.services.wire.figures import store_summary_figures
from tests.factories import add_plan, add_turn, begin_turn, make_conversation
from tests.history.services.wire.test_figures import UNSENT
from tests.people import text_of

DASH, ABOUT, DOT = "\N{EM DASH}", "\N{ALMOST EQUAL TO}", "\N{MIDDLE DOT}"
USAGE = {"prompt": 1_205, "completion": 40, "cache_read": 1_000, "cache_write": 200}
COST = {
    "currency": "USD",
    "total": "0.0042",
    "fresh": {"tokens": 5, "money": "0.0001"},
    "cache_read": {"tokens": 1_000, "money": "0.001"},
    "cache_write": {"tokens": 200, "money": "0.0011"},
    "output": {"tokens": 40, "money": "0.002"},
}


def dear(model):
    """Return prices: $0.001 per input token, $0.0001 if cached, and $1 per output token."""
    return Prices(input=Decimal("0.001"), output=Decimal(1), cache_read=Decimal("0.0001"))


def unknown(model):
    return Prices()


@pytest.fixture
def asked(agent, catalogue):
    """Make a chat with one turn that took two requests."""
    catalogue.prices = dear
    conversation = make_conversation(agent, visitor="ada")
    generation = begin_turn(conversation)
    add_plan(generation, usage=USAGE, cost=COST)
    add_plan(generation, step=2, usage=USAGE, cost=COST)
    return conversation


@pytest.fixture
def reader(client, db):
    session = client.session
    session["visitor"] = "ada"
    session.save()
    return client


def zone(browser, conversation, query=""):
    html = browser.get(f"/chat/{conversation.pk}/panel?{query}").content.decode()
    _, _, section = html.partition('aria-label="Cost">')
    return unescape(text_of(section.partition("</section>")[0])).removeprefix("Cost ")


def test_all_steps_of_a_reply_are_summed_by_kind(reader, asked):
    text = zone(reader, asked)

    assert text.startswith(f"this answer $0.00840 {DOT} chat $0.00840")
    assert (
        "New not cached 10 $0.000200 Read from cache sent before 2,000 $0.00200"
        " Written to cache for later requests 400 $0.00220"
        " Output written by the model 80 $0.00400 Total $0.00840" in text
    )


def test_no_money_has_a_reason(owner, conversation):
    add_plan(begin_turn(conversation), usage=USAGE)

    assert "The price of this model wasn't known." in zone(owner, conversation)


def test_a_reply_that_is_free_says_so(owner, conversation):
    add_plan(begin_turn(conversation), usage=USAGE, cost={"total": "0"})

    assert "Total $0.00 This model is free." in zone(owner, conversation)


def test_a_request_that_was_never_sent_costs_nothing_and_saves_nothing(reader, agent, catalogue):
    catalogue.prices = unknown
    agent.model = "large/model"
    agent.save()
    conversation = make_conversation(agent, visitor="ada")
    add_plan(begin_turn(conversation), error=UNSENT)

    text = zone(reader, conversation)

    assert text.startswith(f"this answer $0.00 {DOT} chat $0.00")
    assert "Total $0.00 Nothing was sent, so it was free." in text
    assert "price unknown" not in text
    assert "Saved by leaving out" not in text


def test_each_step_can_be_told_apart(reader, asked):
    text = zone(reader, asked)

    assert "Cost of each of the 2 steps" in text
    assert "1 5 1,000 200 40 $0.00420 2 5 1,000 200 40 $0.00420" in text


def test_a_step_that_reported_no_cache_is_fresh_and_said_so(reader, asked):
    silent = {
        "total": "0.003",
        "fresh": {"tokens": 50, "money": "0.001"},
        "output": {"tokens": 5, "money": "0.002"},
    }
    usage = {"prompt": 50, "completion": 5}
    add_plan(asked.generations.get(), step=3, usage=usage, cost=silent)

    text = zone(reader, asked)

    assert "New not cached 60 $0.00120 Read from cache sent before 2,000 $0.00200" in text
    assert "1 step reported no cache figures. Its whole prompt counts as new." in text
    assert f"3 50 {DASH} {DASH} 5 $0.00300" in text


def test_what_is_not_known_is_said_of_the_conversation(reader, asked):
    asked.generations.update(status="done")
    add_plan(begin_turn(asked), usage=USAGE)

    text = zone(reader, asked)

    assert text.startswith(f"this answer {DASH} {DOT} chat at least $0.00840")
    assert "3 requests, 3,615 tokens in, 120 out, price unknown for 1" in text


def test_a_request_that_brought_nothing_back_lacks_no_price(reader, asked):
    asked.generations.update(status="done")
    lost = {"kind": "timeout", "message": "No answer.", "left": True}
    add_plan(begin_turn(asked), usage=None, error=lost)

    text = zone(reader, asked)

    assert "1 got no response" in text
    assert "price unknown" not in text
    assert "at least" not in text


def test_trimming_saves_and_moving_the_prefix_costs(owner, conversation, catalogue):
    catalogue.prices = dear

    text = zone(owner, conversation)
    page = unescape(text_of(owner.get(f"/chat/{conversation.pk}/panel").content.decode()))

    assert re.search(
        rf"re-read because .*\. Of this request's cost, {ABOUT} \$0\.0\d+ is due to that\.", page
    )
    assert f"Saved by leaving out {ABOUT} $0.0" in text
    uncached = "left out of this request, at the uncached price; What-if counts with the cache"
    assert uncached in text
    assert f"Lost to re-reading {ABOUT} $0.0" in text
    assert "the window's start moved from turn 2 to turn 3" in text


def test_without_prices_both_are_a_dash(owner, conversation, catalogue):
    catalogue.prices = unknown

    text = zone(owner, conversation)

    assert f"Saved by leaving out {DASH} " in text
    assert f"Lost to re-reading {DASH} " in text


def test_a_request_that_goes_on_moves_nothing(owner, conversation):
    text = zone(owner, conversation, "turn=2")

    assert "Saved by leaving out $0.00 nothing was left out" in text
    assert "Lost to re-reading $0.00" in text
    assert "tokens match turn 1, step 1. The rest is new." in text


def test_the_first_request_has_nothing_to_move(owner, conversation):
    assert "Lost to re-reading" not in zone(owner, conversation, "turn=1")


def test_a_pause_costs_nothing_more(owner, conversation, monkeypatch):
    monkeypatch.setattr("history.services.path.appending.CACHE_LIFE", timedelta(0))
    add_turn(conversation)

    text = zone(owner, conversation)

    assert "Lost to re-reading $0.00" in text
    assert "The cache had expired anyway." in text


def test_calls_for_summaries_are_part_of_the_conversation(reader, asked):
    row = asked.checkpoints.create(
        **{"branch": asked.branch, "first": 0, "last": 1, "first_turn": 1, "last_turn": 1},
        **{"state": "failed", "usage": USAGE, "cost": {"total": "0.01"}},
    )
    store_summary_figures(row)

    text = zone(reader, asked)

    assert text.startswith(f"this answer $0.00840 {DOT} chat $0.0184")
    assert "3 requests, 1 of them for summaries, 3,615 tokens in, 120 out" in text


def test_a_later_step_says_what_was_lost_as_the_turn_began(owner, conversation, catalogue):
    catalogue.prices = dear
    generation = conversation.generations.order_by("-created").first()
    add_plan(generation, step=2, usage={"prompt": 60, "completion": 5})

    text = zone(owner, conversation)

    assert "Lost to re-reading $0.00" not in text
    moved = re.search(rf"Lost to re-reading in step 1 {ABOUT} \$0\.0\d+ The first .*", text)
    assert "re-read because the window's start moved from turn 2 to turn 3" in moved[0]
    assert "Lost to re-reading in step 1" not in zone(owner, conversation, "step=1")
