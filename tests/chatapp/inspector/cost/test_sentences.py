"""Sentences on the cost of a turn, and on what the request before it had sent."""

from decimal import Decimal

import pytest

from chatapp.inspector.cost.sentences import (
    prefix_sentence,
    re_read_sentence,
    saved_sentence,
    turn_cost,
)
from history.core.money.cost import CostShare
from history.core.money.prefix import Spot
from history.services.explain.cost.spending import KINDS, Spending
from tests.chatapp.inspector.cost.test_zone import ABOUT, COST, USAGE, dear
from tests.chatapp.inspector.map.test_zone import MOVED, common
from tests.chatapp.inspector.pages import text_of
from tests.factories import add_plan, begin_turn

PRICED = "at the uncached price; What-if counts with the cache"
SHARED = "The first 100 tokens match turn 8, step 1."


def reply(tokens, total):
    return Spending(dict.fromkeys(KINDS, CostShare(tokens, None)), total)


@pytest.mark.words
@pytest.mark.parametrize(
    ("spent", "priced_as", "sentence"),
    [
        (reply(9, Decimal("0.0042")), "", "This turn cost $0.00420."),
        (reply(9, Decimal(0)), "", "This turn was free."),
        (
            reply(9, Decimal("0.0042")),
            "gpt-4o",
            "This turn was free; with gpt-4o it would have cost $0.00420.",
        ),
        (reply(9, None), "", "The price of this turn isn't known."),
        (reply(None, None), "", ""),
        (reply(None, Decimal("0.0042")), "", "This turn cost $0.00420."),
    ],
    ids=["paid", "free", "an example", "no price", "nothing reported", "failed and paid"],
)
def test_the_cost_is_said_as_far_as_it_is_known(spent, priced_as, sentence):
    assert turn_cost(spent, priced_as) == sentence


@pytest.mark.words
@pytest.mark.parametrize(
    ("total", "priced_as", "price"),
    [
        ("0.00231", "", "$0.00231"),
        ("0.00231", "gpt-4o", "free; with gpt-4o it would have cost $0.00231"),
        (0, "", "free"),
        (None, "", "price unknown"),
    ],
)
def test_tokens_and_price_of_several_requests_are_of_all_of_them(total, priced_as, price):
    spent = reply(241, None if total is None else Decimal(total))

    said = turn_cost(spent, priced_as, requests=3)

    assert said == f"3 requests of this turn: 723 tokens sent, {price}."


def first_screen(client, conversation):
    text = text_of(client.get(f"/chat/{conversation.pk}/panel"))
    return text.partition("Why?")[0]


@pytest.mark.words
def test_the_first_screen_says_it_to_who_may_see_costs(owner, conversation, catalogue, settings):
    catalogue.prices = dear
    add_plan(begin_turn(conversation), usage=USAGE, cost=COST)
    assert "This turn cost $0.00420." in first_screen(owner, conversation)
    assert "reserved for the answer" in first_screen(owner, conversation)

    settings.OWNERS_SEE_COST = False

    assert "This turn cost" not in first_screen(owner, conversation)


@pytest.mark.words
def test_the_first_screen_tells_one_request_from_all_of_the_turn(owner, conversation, catalogue):
    catalogue.prices = dear
    generation = begin_turn(conversation)
    for step in (1, 2):
        add_plan(generation, step, usage=USAGE, cost=COST)

    text = first_screen(owner, conversation)

    assert "2 requests of this turn: 2,410 tokens sent, $0.00840." in text
    assert "tokens sent with this request: " in text


@pytest.mark.words
def test_the_first_screen_says_why_no_answer_came_and_what_that_cost(owner, conversation):
    error = {"kind": "rate_limited", "message": "OpenAI reports a rate limit.", "left": True}
    add_plan(begin_turn(conversation), error=error, cost={"total": "0.0042"})

    text = first_screen(owner, conversation)

    assert "No answer came: OpenAI reports a rate limit. The request had the last 2 turns" in text
    assert "This turn cost $0.00420." in text


@pytest.mark.words
@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (common(None), f"{SHARED} The rest is new."),
        (
            common(Spot(10), MOVED, resent=90),
            f"{SHARED} 90 tokens had to be re-read because the window's start moved from turn 4 to "
            "turn 5.",
        ),
        (
            common(Spot(10), MOVED),
            f"{SHARED} The rest is new, because the window's start moved from turn 4 to turn 5.",
        ),
    ],
    ids=["it goes on", "some is sent again", "nothing is sent again"],
)
def test_only_what_is_sent_again_is_said_to_be_re_read(found, sentence):
    assert prefix_sentence(found) == sentence


@pytest.mark.words
@pytest.mark.parametrize(
    ("priced_as", "sentence"),
    [
        (
            "",
            f"Messages had to be read anew, for {ABOUT} $0.00297 of this answer's $0.0267. Cost "
            "says why.",
        ),
        (
            "gpt-4o",
            f"Messages had to be read anew, for {ABOUT} $0.00297 of the $0.0267 that this answer "
            "would have cost with gpt-4o. Cost says why.",
        ),
    ],
)
def test_re_reading_is_part_of_what_an_answer_cost(priced_as, sentence):
    spent = reply(9, Decimal("0.0267"))

    assert re_read_sentence(Decimal("0.00297"), spent, priced_as) == sentence


def test_nothing_is_said_of_re_reading_if_it_or_the_whole_cost_is_unknown():
    assert re_read_sentence(Decimal(0), reply(9, Decimal(1))) == ""
    assert re_read_sentence(Decimal(1), reply(9, None)) == ""


@pytest.mark.words
@pytest.mark.parametrize(
    ("tokens", "has_reasoning", "sentence"),
    [
        (0, False, "nothing was left out"),
        (1, False, f"1 token left out of this request, {PRICED}"),
        (2_533, True, f"2,533 tokens left out of this request, reasoning included, {PRICED}"),
    ],
)
def test_what_was_left_out_may_include_reasoning(tokens, has_reasoning, sentence):
    saved = CostShare(tokens, Decimal(1))

    assert saved_sentence(saved, has_reasoning=has_reasoning) == sentence
