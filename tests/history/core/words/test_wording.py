"""How numbers, places and nouns are written in sentences."""

import pytest

from history.core.words.wording import messages, places, plural, turns


@pytest.mark.parametrize(
    ("given", "written"),
    [
        pytest.param((1, "token"), "1 token", id="one"),
        pytest.param((0, "token"), "0 tokens", id="none"),
        pytest.param((1_200, "token"), "1,200 tokens", id="many"),
        pytest.param((2, "summary", "summaries"), "2 summaries", id="a plural of its own"),
    ],
)
def test_a_noun_goes_with_its_number(given, written):
    assert plural(*given) == written


@pytest.mark.parametrize(
    ("given", "written"),
    [
        pytest.param((9, 9), "turn 9", id="one"),
        pytest.param((5, 9), "turns 5\N{EN DASH}9", id="several"),
        pytest.param((1, 20_098), "turns 1\N{EN DASH}20,098", id="thousands"),
        pytest.param((20_098, 20_098), "turn 20,098", id="one of thousands"),
    ],
)
def test_turns_are_numbered_as_tokens_are(given, written):
    assert turns(*given) == written


@pytest.mark.parametrize(
    ("runs", "written"),
    [
        pytest.param([range(1)], "1", id="the first"),
        pytest.param([range(1), range(4, 9)], "1 and 5\N{EN DASH}9", id="two runs"),
        pytest.param(
            [range(3), range(3, 5), range(8, 9)], "1\N{EN DASH}5 and 9", id="neighbours join"
        ),
        pytest.param([range(n, n + 1) for n in (0, 2, 1_999)], "1, 3 and 2,000", id="three"),
    ],
)
def test_places_count_from_1(runs, written):
    assert places(runs) == written


@pytest.mark.parametrize(
    ("first", "last", "written"), [(0, 0, "message 1"), (8, 11, "messages 9\N{EN DASH}12")]
)
def test_messages_are_named_by_their_numbers(first, last, written):
    assert messages(first, last) == written
