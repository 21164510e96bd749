"""A process loads only what the models of its agents need."""

import pytest

from chatapp.llm import warming
from tests.factories import make_agent

COUNT, SEND, LITELLM = (
    warming.warm_up_counting,
    warming.warm_up_sending,
    warming.warm_up_litellm,
)


@pytest.mark.parametrize(
    ("models", "work"),
    [
        pytest.param([], COUNT, id="no agent"),
        pytest.param(["demo/mirror"], COUNT, id="the offline model"),
        pytest.param(["demo/mirror", "openai/llama3"], SEND, id="a server of somebody's own"),
        pytest.param(["openai/gpt-4o"], LITELLM, id="OpenAI's model"),
        pytest.param(["openai/llama3", "anthropic/claude-sonnet-4-5"], LITELLM, id="one of two"),
        pytest.param(["gpt-4o"], LITELLM, id="no provider is named"),
    ],
)
def test_what_is_loaded(db, monkeypatch, models, work):
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    for number, model in enumerate(models):
        make_agent(f"agent-{number}", model=model)

    assert warming.work_for_agents() is work


def test_a_model_that_an_agent_only_allows_counts(db):
    make_agent(model="demo/mirror", allowed_models=["anthropic/claude-sonnet-4-5"])

    assert warming.work_for_agents() is LITELLM
