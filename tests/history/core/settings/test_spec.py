from contextlib import contextmanager

import pytest

from history.core.settings.spec import Boolean, Choice, Integer, ModelName
from history.core.words.errors import Unfit
from history.core.words.facts import Rule, fact


@contextmanager
def raises(rule, **figures):
    with pytest.raises(Unfit) as error:
        yield
    assert error.value.fact == fact(rule, **figures)


@pytest.mark.parametrize(
    ("kind", "raw", "value"),
    [
        (Integer(0, 10_000), "0", 0),
        (Integer(0, 10_000), "10000", 10_000),
        (Integer(0, 10_000), "007", 7),
        (Integer(512), "128000", 128_000),
        (Choice(("none", "lastN", "all")), "lastN", "lastN"),
        (Boolean(), "true", True),
        (Boolean(), "false", False),
        (ModelName(), "openai/gpt-4o", "openai/gpt-4o"),
        (
            ModelName(),
            "ollama_chat/hf.co/org/model-GGUF:Q4_K_M",
            "ollama_chat/hf.co/org/model-GGUF:Q4_K_M",
        ),
        (ModelName(), "cloudflare/@cf/meta/llama-3", "cloudflare/@cf/meta/llama-3"),
        (ModelName(), "ft:gpt-4o-mini:org::id", "ft:gpt-4o-mini:org::id"),
        (ModelName(3), "abc", "abc"),
    ],
)
def test_text_is_read(kind, raw, value):
    assert kind.from_text(raw) == value


@pytest.mark.parametrize(
    "raw",
    [
        *["-1", "+1", "5abc", "2.7", "1e3", "1_000", "1,000", "0x10", " 5", "5 ", "5\n", ""],
        *["10001", "9" * 5_000, "\u0665", "\uff15", "\u00b2", "5\x00", "None", "true"],
    ],
)
def test_only_ascii_digits_in_range_are_a_number(raw):
    with raises(Rule.NO_NUMBER, least=0, most=10_000):
        Integer(0, 10_000).from_text(raw)


@pytest.mark.parametrize("raw", ["", "ALL", "lastn", "LASTN", " all", "all\n", "everything", "0"])
def test_a_choice_is_exact(raw):
    with raises(Rule.NO_CHOICE, choices=["none", "lastN", "all"]):
        Choice(("none", "lastN", "all")).from_text(raw)


@pytest.mark.parametrize("raw", ["", "True", "1", "yes", "FALSE"])
def test_a_boolean_is_true_or_false(raw):
    with raises(Rule.NO_BOOLEAN):
        Boolean().from_text(raw)


@pytest.mark.parametrize("raw", [True, 5.0, "5", -1, 10_001, None, [5], {"n": 5}])
def test_a_stored_number_is_a_whole_number(raw):
    with raises(Rule.NO_NUMBER, least=0, most=10_000):
        Integer(0, 10_000).from_json(raw)


@pytest.mark.parametrize("raw", ["true", 1, 0, None, []])
def test_a_stored_boolean_is_a_boolean(raw):
    with raises(Rule.NO_BOOLEAN):
        Boolean().from_json(raw)


@pytest.mark.parametrize(
    "raw",
    [
        *["", " a", "a ", "a b", "a\tb", "a\nb", "a\x00", "a\x7f", "\udc80", "a" * 121],
        *["oobabooga/http://127.0.0.1:9/x", "https://host/x", "file:///etc/passwd", "a/../b"],
        *["a?b", "a#b", "a%2Fb", "a\\b", "\u00e9", "a\u200bb", None, 5, True, ["a"]],
    ],
    ids=repr,
)
def test_a_models_name_is_short_and_no_address(raw):
    for read in (ModelName().from_text, ModelName().from_json):
        with raises(Rule.NO_MODEL, longest=120):
            read(raw)


def test_a_choice_knows_names_that_come_later():
    later = []
    choice = Choice(("fifo", "summarize"), lambda: later)

    with raises(Rule.NO_CHOICE, choices=["fifo", "summarize"]):
        choice.from_text("mine")
    later.append("mine")

    assert choice.from_json("mine") == "mine"
    with raises(Rule.NO_CHOICE, choices=["fifo", "summarize", "mine"]):
        choice.from_text("yours")


@pytest.mark.parametrize("raw", [None, 5, ["fifo"], {"fifo": 1}])
def test_a_choice_is_a_word(raw):
    with raises(Rule.NO_CHOICE, choices=["fifo", "summarize"]):
        Choice(("fifo", "summarize")).from_json(raw)
