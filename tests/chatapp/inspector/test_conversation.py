"""The drawing of a conversation covers every message once, and its parts name their ranges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.inspector.conversation import MOST, ConversationPicture, conversation_picture
from tests.history.services.explain.test_cut import LONG, POINT, plan_of

FATES = st.sampled_from(
    ["sent", "pinned", "changed", "summarised", "left-out", "excluded", "unsent"]
)


def picture_of(lengths):
    """Draw a conversation of stretches with these fates and lengths."""
    stretches, end = [], 0
    for fate, length in lengths:
        stretches.append((range(end, end + length), fate))
        end += length
    return ConversationPicture(end, stretches, 0)


def test_each_fate_has_its_place():
    plan = plan_of(
        LONG,
        {"policy": "lastN", "length": 3},
        checkpoints=(POINT,),
        pins=frozenset({9}),
        exclusions=frozenset({13}),
    )

    drawn = conversation_picture(plan)

    assert [piece.title for piece in drawn.pieces] == [
        "Messages 1\N{EN DASH}8: left out, but summarised",
        "Message 9: left out",
        "Message 10: pinned, so sent",
        "Messages 11\N{EN DASH}12: left out",
        "Message 13: sent",
        "Message 14: left out by hand",
        "Messages 15\N{EN DASH}18: sent",
    ]
    assert [fate for fate, _word in drawn.legend] == [
        *("sent", "pinned", "summarised", "left-out", "excluded")
    ]
    assert [fate for fate, _x in drawn.marks] == ["pinned", "excluded"]
    assert drawn.start == 12


def test_of_a_request_that_never_left_no_message_is_called_left_out():
    drawn = conversation_picture(plan_of(LONG, {"policy": "all"}), has_left=False)

    assert [piece.title for piece in drawn.pieces] == ["Messages 1\N{EN DASH}18: not sent"]
    assert drawn.legend == [("unsent", "not sent")]


@pytest.mark.parametrize("count", [6, 10_000])
def test_a_conversation_that_keeps_changing_is_drawn_in_bins(count):
    drawn = picture_of([("sent", 1), ("left-out", 1)] * (count // 2))

    pieces = drawn.pieces
    assert len(pieces) <= MOST
    assert sum(sum(piece.fates.values()) for piece in pieces) == count
    assert pieces[0].title == (
        "Message 1: sent" if count == 6 else "Messages 1\N{EN DASH}84: 42 sent, 42 left out"
    )


@given(st.lists(st.tuples(FATES, st.integers(1, 40)), min_size=1, max_size=400))
def test_every_message_is_in_one_piece(lengths):
    drawn = picture_of(lengths)

    pieces = drawn.pieces
    assert [piece.first for piece in pieces] == [0, *(piece.last + 1 for piece in pieces[:-1])]
    assert pieces[-1].last == drawn.count - 1
    assert all(piece.x >= 0 and piece.x + piece.width <= 100.02 for piece in pieces)
    for piece in pieces:
        assert sum(piece.fates.values()) == piece.last - piece.first + 1
