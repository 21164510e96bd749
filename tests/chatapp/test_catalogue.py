"""With litellm's own list of providers, which comes with the package."""

import pytest

from chatapp.catalogue import fault, key_missing, limits


@pytest.mark.parametrize(
    "model",
    ["demo/mirror", "openai/gpt-4o", "gpt-4o", "ollama_chat/anything", "anthropic/not-yet-listed"],
)
def test_a_known_provider_is_enough(model):
    assert fault(model) == ""


@pytest.mark.parametrize("model", ["nope/model", "no-such-model", "OPENAI/gpt-4o"])
def test_an_unknown_provider_is_a_fault(model):
    assert fault(model) == (
        "litellm knows no such provider; write it in front, as in openai/gpt-4o"
    )


def test_a_provider_alone_is_no_model():
    assert fault("openai/") == "names a provider, but no model"


def test_the_offline_model_has_one_name():
    assert fault("demo/other") == "there is only demo/mirror"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("demo/mirror", (128_000, 4_096)),
        ("gpt-4o", (128_000, 16_384)),
        ("openai/gpt-4o", (128_000, 16_384)),
        ("openai/fake", (None, None)),
        ("ollama_chat/gpt-4o", (None, None)),  # Another provider's model of that name.
        ("", (None, None)),
    ],
)
def test_limits_come_from_the_catalogue(model, expected):
    found = limits(model)

    assert (found.context_window, found.max_output) == expected


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai/gpt-4o", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("ollama_chat/llama3", None),
        ("demo/mirror", None),
        ("nonsense", None),
    ],
)
def test_which_key_is_missing(monkeypatch, model, variable):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    assert key_missing(model) == variable
