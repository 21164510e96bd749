import pytest

from chatapp.inspector.head import links, near


@pytest.mark.parametrize(
    ("shown", "last", "numbers"),
    [
        pytest.param(1, 1, [1], id="the only one"),
        pytest.param(2, 4, [1, 2, 3, 4], id="few"),
        pytest.param(50, 300, [1, 48, 49, 50, 51, 52, 300], id="many"),
        pytest.param(300, 300, [1, 298, 299, 300], id="the last of many"),
        pytest.param(5, 300, [1, 2, 3, 4, 5, 6, 7, 300], id="dots for one number"),
        pytest.param(0, 0, [], id="none"),
    ],
)
def test_the_shown_turn_its_neighbours_and_the_ends_are_offered(shown, last, numbers):
    assert near(shown, last) == numbers


def test_numbers_left_out_are_a_gap_and_turns_without_a_record_say_so():
    first, gap, *rest = links([1, 4, 5], shown=5, recorded=frozenset({1, 5}))

    assert (gap, [link.number for link in (first, *rest)]) == (None, [1, 4, 5])
    assert [link.is_recorded for link in (first, *rest)] == [True, False, True]
    assert [link.is_shown for link in (first, *rest)] == [False, False, True]
