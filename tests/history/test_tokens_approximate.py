"""The approximate counter is close to o200k, and has a count for every text."""

import re
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.tokens import APPROXIMATE, approximate, count_text
from tests.history.corpus import SAMPLES

CODE = (
    "html",
    "javascript",
    "log_lines",
    "python",
    "rust",
    "shell",
    "sql",
    "base64",
    "hexadecimal",
)
EAST_ASIAN = ("chinese", "japanese", "korean")
MILLION = 10**6


def error(name):
    """Return the approximate count's relative error; it is negative if the count is too low."""
    text = SAMPLES[name]
    return approximate(text).tokens / count_text(text) - 1


def is_strict(name):
    return name in CODE or name.startswith(("json", *EAST_ASIAN))


@pytest.mark.parametrize("name", list(filter(is_strict, SAMPLES)))
def test_east_asian_text_code_and_json_are_never_counted_short(name):
    assert error(name) >= -0.02


@pytest.mark.parametrize("name", SAMPLES)
def test_no_sample_is_counted_short_by_more_than_a_twentieth(name):
    assert error(name) >= -0.05


def test_the_error_over_the_corpus_is_the_one_in_the_documentation():
    assert len(SAMPLES) == 41
    assert round(mean(abs(error(name)) for name in SAMPLES), 2) == 0.18


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("hello world", 3, id="two words"),
        pytest.param("<|endoftext|>", 4, id="a special token"),
        pytest.param("\x00", 1, id="NUL"),
        pytest.param("\ud800\udfff", 2, id="lone surrogates"),
        pytest.param(" " * MILLION, 15_627, id="a million blanks"),
        pytest.param("a" * MILLION, 399_998, id="a million letters"),
        pytest.param("中" * MILLION, 1_100_000, id="a million Chinese characters"),
        pytest.param("\ud83d" * MILLION, MILLION, id="a million lone surrogates"),
    ],
)
def test_what_breaks_other_counters_has_a_count(text, tokens):
    assert approximate(text).tokens == tokens


@given(st.text(st.characters(categories=None), max_size=200))
def test_every_text_has_a_count(text):
    counted = approximate(text)

    assert counted.counter == APPROXIMATE
    assert counted.tokens >= bool(re.search("[^ ]", text))


@given(st.sampled_from(sorted(SAMPLES)), st.sampled_from(sorted(SAMPLES)))
def test_two_texts_together_cost_about_what_they_cost_alone(first, second):
    """The count is a sum over runs of one kind of character, so it grows only with the text."""
    texts = SAMPLES[first], SAMPLES[second]
    alone = sum(approximate(text).tokens for text in texts)

    assert abs(approximate("".join(texts)).tokens - alone) <= 2
