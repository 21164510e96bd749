"""The cost of a request is divided by kind, cached or not; the parts add up to the whole."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.money.split import Rates, pieces, together
from history.core.plan.injected import SYSTEM_PROMPT, TOOL_SCHEMAS, Injected
from history.core.transcript.messages import Role
from tests.history.core.making import ROOMY, requested
from tests.history.core.parted import agent, file, image, path, rounds, thought, user

DEAR = Decimal("0.01")
PAID = Rates(fresh=DEAR, cached=DEAR / 10)
PROMPT = Injected(SYSTEM_PROMPT, Role.SYSTEM, "Be kind.", 50)
TALK = path(user(image("a"), image("b"), file()), *rounds(1), agent(thought()), user(image("c")))
KEEP_TWO = {**ROOMY, "images_keep": 2, "reasoning_keep": 1}


def planned(factor=1.0, **values):
    request = {"injected": (PROMPT,), "tool_schema_tokens": 30, "factor": factor}
    return requested(TALK, {**KEEP_TWO, **values}, **request).plan


def test_each_kind_has_its_tokens_and_its_price():
    plan = planned()

    found = together(pieces(plan, PAID))
    assert {kind: piece.tokens for kind, piece in found.items()} == {
        "texts": plan.window.counted - plan.window.reasoning - 170 - 40,
        "reasoning": plan.window.reasoning,
        "images": 170,
        "files": 40,
    }
    assert found["images"].money == 170 * DEAR


def test_a_piece_knows_its_place_and_what_is_left_out_has_none():
    parts = [p for p in pieces(planned(), PAID) if p.place is not None]

    images = [(p.position, p.place) for p in parts if p.kind == "images"]
    assert images == [(0, 1), (4, 0)]


def test_the_cache_holds_what_is_read_first():
    """The cached part covers the tools, the prompt, and the beginning of the first message."""
    plan = planned()
    through = 30 + 50 + 20
    share = through / plan.window.sent

    found = pieces(plan, Rates(DEAR, DEAR / 10, share))
    assert [(p.kind, p.cached) for p in found if p.cached] == [
        ("texts", 30),
        ("texts", 50),
        ("images", 20),
    ]
    assert found[2].money == 65 * DEAR + 20 * DEAR / 10


def test_tools_are_read_before_the_prompt():
    labels = [entry.label for entry in planned().entries if entry.label]
    assert labels == [SYSTEM_PROMPT, TOOL_SCHEMAS]


@pytest.mark.parametrize(
    ("rates", "money"),
    [
        pytest.param(Rates(), None, id="no price"),
        pytest.param(Rates(fresh=DEAR, share=0.5), None, id="no price for what is cached"),
        pytest.param(Rates(Decimal(0), Decimal(0), 0.5), Decimal(0), id="free"),
    ],
)
def test_an_unknown_price_is_not_nothing(rates, money):
    assert together(pieces(planned(), rates))["texts"].money == money


@given(factor=st.floats(0.5, 3.0), share=st.floats(0, 1))
def test_the_pieces_add_up_to_what_is_sent(factor, share):
    plan = planned(factor)

    found = pieces(plan, Rates(DEAR, DEAR / 10, share))
    assert sum(piece.tokens for piece in found) == plan.window.sent
    assert sum(piece.cached for piece in found) == round(plan.window.sent * share)
    by_kind = together(found).values()
    assert sum(piece.tokens for piece in by_kind) == plan.window.sent
    whole, cached = plan.window.sent, round(plan.window.sent * share)
    assert sum(p.money for p in by_kind) == (whole - cached) * DEAR + cached * DEAR / 10


def test_a_message_shows_what_it_costs_in_full_as_the_model_counts():
    """The message has two images: each cost 85 tokens when stored, and costs 300 for this model."""
    plan = requested(TALK, KEEP_TWO, image_price=lambda part: 300).plan

    first = plan.entries[0]
    assert (first.tokens, first.whole) == (100 + 170 + 40, 100 + 600 + 40)
    omitted, kept, text = first.parts
    assert (omitted.whole, omitted.stored, omitted.omitted) == (300, 85, True)
    assert (kept.tokens, kept.whole, text.whole) == (300, 300, 40)
    assert first.whole - first.sent_tokens == 300 - omitted.tokens
