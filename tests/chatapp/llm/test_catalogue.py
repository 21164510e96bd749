"""The catalogue of models, with litellm's own list, which is part of the package."""

import pytest

from agents.catalogue import catalogue as registered
from agents.providers import directory
from agents.providers.protocols import PROTOCOLS
from chatapp.llm import catalogue
from chatapp.llm.catalogue import (
    fault,
    forbidden,
    key_missing,
    limits,
    not_taken,
    wants_cache_breakpoints,
)
from chatapp.llm.litellm_internals import models_in_file
from chatapp.llm.litellm_setup import litellm
from chatapp.llm.providers.naming import provider_model

UNKNOWN = "no such provider is known; start with the provider's name, as in openai/gpt-4o"


@pytest.mark.parametrize(
    "model",
    ["demo/mirror", "openai/gpt-4o", "gpt-4o", "anthropic/not-yet-listed"],
)
def test_a_known_provider_is_enough(model):
    assert fault(model) == ""


@pytest.mark.parametrize("model", ["nope/model", "no-such-model", "opnai/"])
def test_an_unknown_provider_is_a_fault(model):
    assert fault(model) == UNKNOWN


@pytest.mark.parametrize(
    ("model", "near"),
    [
        ("opnai/gpt4", "openai/gpt-4"),
        ("OPENAI/gpt-4o", "openai/gpt-4o"),
        ("antropic/something-new", "anthropic/something-new"),
        ("dmo/mirror", "demo/mirror"),
    ],
)
def test_a_misspelt_provider_is_told_what_was_meant(monkeypatch, model, near):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "sk-test")

    assert fault(model) == f"no such provider is known; did you mean {near}?"


@pytest.mark.parametrize(
    ("enabled", "said"),
    [(True, "no such provider is known; did you mean acme/something-new?"), (False, UNKNOWN)],
)
def test_only_a_provider_that_may_be_used_is_named(enabled, said):
    disabled = frozenset() if enabled else frozenset({"acme"})
    directory.hold(directory.Directory({"acme": "openai"}, disabled))

    assert fault("acne/something-new") == said


def test_no_provider_is_named_that_nobody_set_up_or_allowed(settings, monkeypatch):
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    settings.MODEL_PROVIDERS = frozenset({"anthropic"})

    assert fault("gemin/a") == fault("opnai/gpt-4o") == UNKNOWN


def test_no_model_is_named_that_the_next_try_would_refuse():
    assert fault("dmo/other") == UNKNOWN


ADDRESSES = ["oobabooga/http://127.0.0.1:9/x", "https://host/x", "openai/gpt 4o", "openai/a\nb"]
LOCAL = ["ollama/a", "ollama_chat/a", "lm_studio/a", "docker_model_runner/a", "langgraph/a"]


@pytest.mark.parametrize("model", ADDRESSES)
def test_an_address_is_no_models_name(model):
    assert fault(model).startswith("must be a model name such as openai/gpt-4o")
    assert forbidden(model) == fault(model)


@pytest.mark.parametrize("model", [*LOCAL, "oobabooga/a", "sagemaker/a", "bedrock/a"])
def test_a_provider_that_nobody_allowed_is_a_fault(model):
    provider = model.partition("/")[0]

    assert fault(model).startswith(f"the provider {provider} is not allowed: ")
    assert forbidden(model) == fault(model)


def test_the_fault_says_how_to_allow_it():
    assert fault("ollama_chat/a") == (
        "the provider ollama_chat is not allowed: set OLLAMA_API_BASE, or add it to "
        "MODEL_PROVIDERS, and restart"
    )


@pytest.mark.parametrize("model", ["openai/gpt-4o", "gpt-4o"])
def test_only_the_listed_providers_are_asked(settings, model):
    settings.MODEL_PROVIDERS = frozenset({"anthropic"})

    assert fault(model).startswith("the provider openai is not allowed: ")
    assert fault("anthropic/claude-sonnet-4-5") == fault("demo/mirror") == ""


def test_what_litellm_refuses_by_itself_is_not_forbidden():
    assert forbidden("nope/model") == ""


def test_a_provider_alone_is_no_model():
    assert fault("openai/") == "names a provider, but no model"


def test_the_offline_model_has_one_name():
    assert fault("demo/other") == "use demo/mirror"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("demo/mirror", (128_000, 4_096)),
        ("gpt-4o", (128_000, 16_384)),
        ("openai/gpt-4o", (128_000, 16_384)),
        ("openai/fake", (None, None)),
        ("ollama_chat/gpt-4o", (None, None)),  # This provider is not OpenAI.
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


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_name_is_read_as_litellm_reads_it(protocol):
    listed = {name.removeprefix(f"{protocol}/") for name in litellm().model_cost}
    names = [
        f"{protocol}/{name}" for name in (*listed, "new", "a/new", "anthropic/claude-2", "a:b")
    ]

    assert [provider_model(name) for name in names] == [
        litellm().get_llm_provider(name)[:2] for name in names
    ]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_key_is_missing_if_litellm_misses_it(monkeypatch, protocol):
    known = sorted({key for each in PROTOCOLS.values() for key in each.key_variables()})
    for variable in known:
        monkeypatch.delenv(variable, raising=False)

    def both() -> tuple[bool, bool]:
        missing = litellm().validate_environment(f"{protocol}/a")["missing_keys"]
        return bool(key_missing(f"{protocol}/a")), any("_API_KEY" in key for key in missing)

    found = [both()]
    for variable in known:
        monkeypatch.setenv(variable, "")
        found.append(both())
        monkeypatch.delenv(variable)

    assert all(ours == theirs for ours, theirs in found)


def test_the_list_of_models_is_the_one_that_litellm_reads():
    assert models_in_file() == litellm().model_cost


@pytest.mark.parametrize(
    "model",
    [
        "anthropic/claude-sonnet-4-5",
        "claude-sonnet-4-5",
        "bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "bedrock/eu-central-1/anthropic.claude-opus-5",
        "vertex_ai/claude-opus-5",
        "azure_ai/claude-opus-5",
        "openrouter/anthropic/claude-sonnet-4.5",
    ],
)
def test_claude_wants_marks(model):
    assert wants_cache_breakpoints(model)


@pytest.mark.parametrize(
    "model",
    [
        "demo/mirror",
        "openai/gpt-5.6",
        "openai/claude-sonnet-4-5",
        "gemini/gemini-2.5-pro",
        "vertex_ai/gemini-2.5-pro",
        "openrouter/openai/gpt-5",
        "bedrock/anthropic.claude-v2",
        "bedrock/anthropic.claude-3-sonnet-20240229-v1:0",
    ],
)
def test_others_want_none(model):
    assert not wants_cache_breakpoints(model)


def test_this_is_the_catalogue_that_the_packages_below_ask():
    assert registered() is catalogue


@pytest.mark.parametrize(
    ("model", "parameters", "names"),
    [
        ("openai/gpt-5", {"temperature": 0.3, "max_tokens": 900}, ("temperature",)),
        ("openai/gpt-4o", {"temperature": 0.3, "max_tokens": 900}, ()),
        ("gemini/gemini-2.5-flash", {"temperature": 0.3, "max_tokens": 900}, ()),
        ("openai/gpt-5", {}, ()),
        ("demo/mirror", {"temperature": 0.3}, ()),
        ("nobody/knows", {"temperature": 0.3}, ()),
    ],
)
def test_what_a_model_does_not_take_is_known_before_it_is_asked(model, parameters, names):
    assert not_taken(model, parameters) == names
