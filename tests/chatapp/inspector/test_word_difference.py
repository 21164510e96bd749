"""Two answers side by side: nothing is lost, and only the words that differ are marked."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatapp.inspector.whatif.word_difference import LONGEST, answer_html, words_compared

TEXTS = st.text(st.sampled_from("ab \n\u6e2f*_`<&$"), max_size=40)
FORMULA = '<math display="inline"><mrow><mi>{}</mi></mrow></math>'
MARKED = re.compile(r"<mark>(.*?)</mark>", re.DOTALL)


def marked(was, now):
    return tuple(MARKED.findall(side) for side in words_compared(was, now))


@pytest.mark.parametrize(
    ("was", "now", "left", "right"),
    [
        pytest.param("I go home", "I go away", ["home"], ["away"], id="a word"),
        pytest.param("Rome", "Rome", [], [], id="the same"),
        pytest.param("", "Rome\n", [], ["Rome"], id="nothing before"),
        pytest.param("a\n\nb", "a b", [], [], id="a paragraph"),
        pytest.param("In Rome, yes.", "In Rome. Yes", [], [], id="signs and capitals"),
        pytest.param("the **big** cat", "the big cat", [], [], id="emphasis"),
        pytest.param("one `x < y` two", "one `x > y` two", ["&lt;"], ["&gt;"], id="code"),
        pytest.param("a b c d", "a c d e f", ["b"], ["e f"], id="neighbours share a mark"),
        pytest.param("# One\n\n- two", "# One\n\n- three", ["two"], ["three"], id="a list"),
        pytest.param("\u6e2f\u5cf6", "\u6e2f\u53e3", ["\u5cf6"], ["\u53e3"], id="without blanks"),
        pytest.param(
            "is $x$ so", "is $y$ so", [FORMULA.format("x")], [FORMULA.format("y")], id="sums"
        ),
    ],
)
def test_the_words_that_differ_are_marked(was, now, left, right):
    assert marked(was, now) == (left, right)


def test_common_words_of_long_answers_are_found_again():
    was = "the cat and the dog. " * 80
    now = f"Well: {was}"

    assert marked(was, now) == ([], ["Well:"])


@given(TEXTS, TEXTS)
def test_each_side_is_its_whole_answer(was, now):
    left, right = words_compared(was, now)

    assert re.sub("</?mark>", "", left) == answer_html(was)
    assert re.sub("</?mark>", "", right) == answer_html(now)


def test_markdown_is_rendered_without_buttons():
    left, _ = words_compared("**Yes**\n\n```py\nx\n```", "No")

    assert "<strong><mark>Yes</mark></strong>" in left
    assert "<button" not in left


@pytest.mark.parametrize("long", ["word " * LONGEST, "a " * 4_000], ids=["long", "one word"])
def test_what_takes_too_long_is_not_compared(long):
    assert words_compared(long, long) is None
