"""With litellm's own list of providers, which comes with the package."""

import pytest

from chatapp.model_names import fault


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
