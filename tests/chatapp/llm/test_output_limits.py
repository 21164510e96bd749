"""The limits that requests have for each effort: strict providers accept them, and the plan
has reserved those tokens.
"""

from collections import Counter

import pytest

from agents.effective import Output
from agents.models import built_in_layer
from chatapp.llm import client
from chatapp.llm.request import LlmRequest
from history.core.settings.layers import Layer
from history.core.settings.parts import EFFORTS
from history.core.settings.resolution import resolve
from history.core.settings.spec import LayerName
from history.core.words.facts import Rule
from history.services.planning.output import asked_of
from tests.chatapp.llm.answering import PATIENT
from tests.provider import LITELLM_WARNS
from tests.strict.claude import Claude
from tests.strict.families import FAMILIES
from tests.strict.gemini import Gemini
from tests.strict.openai_responses import OpenAIResponses

pytestmark = LITELLM_WARNS
LIMITS = (None, 1, 500, 1_024, 1_025, 4_096, 8_192, 64_000, 200_000)
MORE = [
    (Claude, "anthropic/claude-opus-4-6"),  # The model itself decides how much it thinks.
    (Claude, "anthropic/claude-3-5-haiku-20241022"),  # The model does not think.
    (Gemini, "gemini/gemini-2.5-flash"),
]
EVERY = [*((family, family.model) for family in FAMILIES), *MORE]
SAYING = ("max_tokens", "max_completion_tokens", "max_output_tokens", "num_predict")


def asked(model, effort, limit, **more):
    """Return the limit and effort that a request's plan decides."""
    own = Layer(LayerName.TEMPLATE, "agent a v1", more)
    chat = Layer(LayerName.CONVERSATION, "conversation", {"reasoning_effort": effort})
    output = Output(model, limit, "agent a v1")
    return asked_of(output, resolve([chat, own, built_in_layer(model)]))


async def sent(provider, model, wanted):
    """Send the request, and return what the provider received."""
    request = LlmRequest(
        model,
        [{"role": "user", "content": "Hi"}],
        max_tokens=wanted.max_tokens,
        reasoning_effort=wanted.effort,
    )
    async for _chunk in client.stream(request, PATIENT):
        pass
    return provider.received[-1].body


def least(provider, limit):
    """Return the limit as litellm sends it: OpenAI's Responses API takes none below 16."""
    is_raised = limit is not None and isinstance(provider.family, OpenAIResponses)
    return max(limit, 16) if is_raised else limit


def limit_in(body):
    fields = {**body, **body.get("generationConfig", {}), **body.get("options", {})}
    return next((fields[name] for name in SAYING if name in fields), None)


@pytest.mark.parametrize(("strict", "model"), EVERY, indirect=["strict"])
@pytest.mark.parametrize("effort", EFFORTS)
async def test_no_effort_and_no_limit_is_refused(strict, model, effort):
    for limit in LIMITS:
        wanted = asked(model, effort, limit)
        body = await sent(strict, model, wanted)

        assert limit_in(body) == least(strict, wanted.max_tokens)
        assert wanted.max_tokens is None or (
            wanted.max_tokens <= wanted.settings.value("output_reserve")
        )
        assert limit is None or wanted.max_tokens <= limit

    assert strict.refusals == []
    assert len(strict.received) == len(LIMITS)


@pytest.mark.parametrize("strict", [Claude], indirect=True)
@pytest.mark.parametrize(
    ("effort", "budget", "reserved"),
    [
        ("default", None, 4_096),
        ("none", None, 4_096),
        ("minimal", 1_024, 5_120),
        ("low", 1_024, 5_120),
        ("medium", 2_048, 6_144),
        ("high", 4_096, 8_192),
        ("xhigh", 8_192, 12_288),
        ("max", 16_384, 20_480),
    ],
)
async def test_claude_is_asked_for_what_the_plan_reserves(strict, effort, budget, reserved):
    wanted = asked(Claude.model, effort, None)
    body = await sent(strict, Claude.model, wanted)

    assert wanted.settings.value("output_reserve") == reserved
    assert body["max_tokens"] == reserved
    assert body.get("thinking", {}).get("budget_tokens") == budget


@pytest.mark.parametrize(
    ("limit", "effort", "sent_effort"),
    [
        (500, "minimal", None),
        (1_024, "low", None),
        (1_025, "low", "low"),
        (4_096, "medium", "medium"),
        (4_096, "high", None),
        (4_097, "high", "high"),
        (8_192, "xhigh", None),
    ],
)
def test_an_effort_without_room_is_left_out_with_a_note(limit, effort, sent_effort):
    wanted = asked(Claude.model, effort, limit)

    rules = Counter(note.fact.rule for note in wanted.notes)
    assert wanted.effort == sent_effort
    assert rules == ({} if sent_effort else {Rule.NO_ROOM_TO_THINK: 1})
    assert wanted.max_tokens == limit


@pytest.mark.parametrize(
    ("limit", "more", "tokens", "bound"),
    [
        (100_000, {}, 64_000, Claude.model),
        (8_000, {"output_reserve": 2_000}, 2_000, "output_reserve"),
        (9_000, {"context_window": 8_192}, 4_096, "output_reserve"),
    ],
)
def test_a_limit_is_never_more_than_what_is_kept_free(limit, more, tokens, bound):
    wanted = asked(Claude.model, "default", limit, **more)

    (lowered,) = wanted.notes
    assert wanted.max_tokens == tokens
    assert lowered.fact.rule == Rule.LIMIT_LOWERED
    assert lowered.fact.figures == {"asked": tokens, "limit": limit, "bound": bound}


@pytest.mark.parametrize("model", ["gemini/gemini-3-pro-preview", "anthropic/claude-opus-4-6"])
def test_an_effort_that_the_model_does_not_take_is_left_out(model):
    wanted = asked(model, "xhigh", None)

    assert wanted.effort is None
    assert [note.fact.rule for note in wanted.notes] == [Rule.NOT_TAKEN]
