"""The table of models that bind their reasoning, by all names under which they are sold."""

import pytest

from chatapp.llm.catalogue import taking_of
from chatapp.llm.providers.responses import asked_name
from chatapp.llm.reasoning.binding import bound_to

OPUS = "claude-opus-5-5"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("anthropic/claude-opus-5-5", OPUS),
        ("anthropic/claude-opus-5-5-20260901", OPUS),
        ("bedrock/us.anthropic.claude-opus-5-5-v1:0", OPUS),
        ("vertex_ai/claude-opus-5-5@20260901", OPUS),
        ("openrouter/anthropic/claude-opus-5.5", OPUS),
        ("anthropic/claude-sonnet-6", "claude-sonnet-6"),
        ("anthropic/claude-fable-5-1", "claude-fable-5-1"),
        ("anthropic/claude-fable-5", ""),
        ("anthropic/claude-opus-5", ""),
        ("anthropic/claude-opus-4-20250514", ""),
        ("anthropic/claude-sonnet-4-5", ""),
        ("anthropic/claude-3-5-sonnet-20241022", ""),
        ("openai/gpt-5.6", "gpt-5.6"),
        ("openai/gpt-5.6-sol", "gpt-5.6-sol"),
        ("openai/responses/gpt-6", "gpt-6"),
        ("azure/gpt-5.6", "gpt-5.6"),
        ("openai/gpt-5.5", ""),
        ("openrouter/openai/gpt-5.6", ""),
        ("demo/mirror", ""),
    ],
)
def test_newer_models_bind_their_reasoning(model, name):
    assert bound_to(asked_name(model)) == name
    assert taking_of(model, "low").bound_to == name
