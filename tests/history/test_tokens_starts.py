"""A model's first token factor, before its provider has reported any counts."""

import pytest

from history.tokens import StartFactor, count_text, register_tokenizer, start_of
from history.tokens import tokenizers as module
from history.tokens.starts import REFERENCE
from tests.history.corpus import SAMPLES

EARLIER = StartFactor(1.37, "measured for an earlier Claude tokenizer")
NEWER = StartFactor(1.78, "estimated for newer Claude models")
TEKKEN = StartFactor(1.13, "measured for Mistral's Tekken tokenizer")
SENTENCEPIECE = StartFactor(1.49, "measured for Mistral's SentencePiece tokenizer")


@pytest.fixture(autouse=True)
def none_registered(monkeypatch):
    monkeypatch.setattr(module, "_tokenizers", {})
    monkeypatch.setattr(module, "_complained", set())


@pytest.mark.parametrize(
    ("model", "start"),
    [
        ("demo/mirror", StartFactor(1.0, "the model's own counter")),
        ("openai/gpt-4o-mini", StartFactor(1.0, "the model's own counter")),
        ("openai/gpt-4", StartFactor(1.26, "measured for cl100k_base")),
        ("claude-3-5-sonnet-20241022", EARLIER),
        ("anthropic/claude-sonnet-4-20250514", EARLIER),
        ("anthropic/claude-haiku-4-5", EARLIER),
        ("openrouter/anthropic/claude-opus-4.6", EARLIER),
        ("anthropic/claude-opus-4-7", NEWER),
        ("bedrock/anthropic.claude-opus-4-8-v1:0", NEWER),
        ("anthropic/claude-sonnet-5", NEWER),
        ("anthropic/claude-mythos-preview", NEWER),
        ("gemini/gemini-2.5-pro", StartFactor(1.15, "estimated for Gemini models")),
        ("mistral/mistral-small-latest", TEKKEN),
        ("mistral/pixtral-12b-2409", TEKKEN),
        ("ollama_chat/mistral-nemo", TEKKEN),
        ("ollama_chat/mixtral", SENTENCEPIECE),
        ("ollama_chat/llama2", SENTENCEPIECE),
        ("groq/Llama-3.3-70b", StartFactor(1.26, "estimated for Llama models")),
        ("some/other", StartFactor(1.26, "estimated: nothing is known of how the model counts")),
        ("", StartFactor(1.26, "estimated: nothing is known of how the model counts")),
    ],
)
def test_the_start_of_a_model(model, start):
    assert start_of(model) == start


def test_cl100ks_is_the_measured_one():
    ours = sum(count_text(text) for text in SAMPLES.values())
    theirs = sum(count_text(text, "cl100k_base") for text in SAMPLES.values())

    assert start_of("openai/gpt-4").value == round(theirs / ours, 2)


def test_a_tokenizer_of_ones_own_is_measured_on_a_text_once():
    measured = []

    def twice(text):
        measured.append(text)
        return 2 * count_text(text)

    register_tokenizer("openai/*", twice)

    assert start_of("openai/gpt-4o") == StartFactor(2.0, "measured with the tokenizer for openai/*")
    assert start_of("openai/gpt-4") == StartFactor(2.0, "measured with the tokenizer for openai/*")
    assert measured == [REFERENCE]


def test_one_that_fails_leaves_the_start_that_is_known():
    def fails(text):
        raise RuntimeError("no vocabulary")

    register_tokenizer("openai/*", fails)

    assert start_of("openai/gpt-4") == StartFactor(1.26, "measured for cl100k_base")
