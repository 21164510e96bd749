"""Registered tokenizers count for certain models; a failing one is replaced."""

import logging

import pytest
from django.core.exceptions import ImproperlyConfigured

from history.core.words.errors import SettingError
from history.extensions import register_tokenizers
from history.tokens import approximate, counter_name, register_tokenizer, tokenizer_for
from history.tokens import tokenizers as module


def in_words(text):
    return len(text.split())


def fails(text):
    raise RuntimeError("no vocabulary")


@pytest.fixture(autouse=True)
def none_registered(monkeypatch):
    monkeypatch.setattr(module, "_tokenizers", {})
    monkeypatch.setattr(module, "_complained", set())


@pytest.mark.parametrize(
    ("model", "pattern"),
    [
        ("ollama_chat/llama3", "ollama_chat/llama*"),
        ("ollama_chat/qwen3:8b", "*/qwen3:8b"),
        ("openai/gpt-4o", "openai/gpt-4o"),
        ("openai/gpt-4o-mini", None),
        ("llama3", None),
    ],
)
def test_the_first_pattern_that_matches_counts(model, pattern):
    for own in ("ollama_chat/llama*", "*/qwen3:8b", "openai/gpt-4o", "ollama_chat/*"):
        register_tokenizer(own, in_words)

    found = tokenizer_for(model)

    assert (found.pattern if found else None) == pattern


def test_the_environment_names_it_by_its_path():
    register_tokenizers({"mine/*": f"{__name__}.in_words"})

    found = tokenizer_for("mine/model")

    assert found is not None
    assert found.measure("one two three").tokens == 3
    assert (
        counter_name("mine/model") == "o200k_base (an estimate: mine/* has a tokenizer of its own)"
    )


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        (
            f"{__name__}.gone",
            f'Module "{__name__}" does not define a "gone" attribute/class',
        ),
        (f"{__name__}.pytest.__name__", f"No module named '{__name__}.pytest'"),
    ],
)
def test_a_path_to_nothing_is_refused(path, fault):
    with pytest.raises(ImproperlyConfigured) as refused:
        register_tokenizers({"mine/*": path})

    assert str(refused.value).startswith(f"HISTORY_TOKENIZERS, mine/*={path}: {fault}")


def test_what_is_no_function_is_refused():
    with pytest.raises(SettingError, match="must be a function of a text"):
        register_tokenizer("mine/*", 3)


def test_a_pattern_has_one_tokenizer():
    register_tokenizer("mine/*", in_words)
    register_tokenizer("mine/*", in_words)

    with pytest.raises(SettingError, match="has a tokenizer already"):
        register_tokenizer("mine/*", len)


@pytest.mark.parametrize(
    ("count", "complaint"),
    [
        pytest.param(fails, "no vocabulary", id="raises"),
        pytest.param(lambda text: 2.5, "gave 2.5, not a number of tokens", id="a fraction"),
        pytest.param(lambda text: -1, "gave -1, not a number of tokens", id="below nothing"),
        pytest.param(lambda text: None, "gave None, not a number of tokens", id="nothing"),
        pytest.param(lambda text: True, "gave True, not a number of tokens", id="a truth"),
    ],
)
def test_one_that_fails_is_replaced_by_an_approximation_and_complained_of_once(
    count, complaint, caplog
):
    register_tokenizer("mine/*", count)
    own = tokenizer_for("mine/model")
    assert own is not None

    with caplog.at_level(logging.WARNING, "history"):
        measured = [own.measure("some text"), own.measure("some text")]

    assert measured == [approximate("some text")] * 2
    assert caplog.messages == [
        f"The tokenizer for mine/* failed, so tokens are estimated: {complaint}"
    ]
