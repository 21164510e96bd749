"""A system message among other messages reaches the models that accept it, and keeps its place.

Requests go through litellm to a strict provider of each family.
"""

import pytest

from chatapp.llm import client
from chatapp.llm.catalogue import takes_new_prompts
from chatapp.llm.request import LlmRequest
from tests.chatapp.llm.answering import PATIENT
from tests.provider import LITELLM_WARNS
from tests.strict.bound_claude import BoundClaude
from tests.strict.bound_responses import BoundResponses
from tests.strict.claude import Claude
from tests.strict.families import FAMILIES
from tests.strict.openai_chat import OpenAIChat
from tests.strict.openai_responses import OpenAIResponses
from tests.strict.server import StrictProvider, bodies

pytestmark = LITELLM_WARNS
TAKE = (OpenAIChat, Claude, BoundClaude, OpenAIResponses, BoundResponses)
TALK = [
    ("system", "Be kind."),
    ("user", "One?"),
    ("assistant", "Two."),
    ("system", "Be brief."),
    ("user", "Three?"),
    ("assistant", "Four."),
    ("user", "Five?"),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_the_models_that_take_one_are_known(family):
    assert takes_new_prompts(family.model) is (family in TAKE)


@pytest.mark.parametrize(
    ("model", "takes"),
    [
        ("demo/mirror", True),
        ("bedrock/anthropic.claude-opus-5-5", True),
        ("vertex_ai/gemini-3-pro", False),
        ("azure/gpt-5", True),
        ("openai/o4-mini", True),
        ("openai/qwen3.5", False),
        ("unknown/model", False),
    ],
)
def test_whoever_sells_them(model, takes):
    assert takes_new_prompts(model) is takes


@pytest.fixture(params=TAKE, ids=lambda family: family.__name__)
def provider(request, monkeypatch):
    with StrictProvider(request.param()) as provider:
        for name, value in provider.environment.items():
            monkeypatch.setenv(name, value)
        yield provider


async def test_nothing_before_it_changes_and_it_stays_in_its_place(provider):
    for size in (2, 5, 7):
        messages = [{"role": role, "content": text} for role, text in TALK[:size]]
        async for _chunk in client.stream(LlmRequest(provider.family.model, messages), PATIENT):
            pass
    await client.close()

    assert provider.refusals == []
    first, second, third = (without_marks(body) for body in bodies(provider.received))
    starts = [body.get("system") or body.get("instructions") for body in (first, second, third)]
    assert starts == [starts[0]] * 3
    one, two, three = (body.get("messages") or body["input"] for body in (first, second, third))
    assert two[: len(one)] == one
    assert three[: len(two)] == two
    assert "Be brief." in str(two[len(one) :])


def without_marks(value):
    """Remove the cache breakpoints at any depth, because they move with each request."""
    if isinstance(value, dict):
        return {k: without_marks(each) for k, each in value.items() if k != "cache_control"}
    return [without_marks(each) for each in value] if isinstance(value, list) else value
