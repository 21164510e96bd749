"""A request contains exactly the reasoning that its plan counts."""

from dataclasses import replace

import pytest

from chatapp.llm.reasoning.families import family_of, taking_of
from chatapp.llm.request import LlmRequest
from history.core.plan.neutral_request import openai_messages
from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.parts import ALTERED, Reasoning, ReasoningForm
from tests.chatapp.generation.wires import thoughts_in
from tests.history.core.making import ROOMY, requested

TEXT, SIGNED, SUMMARY = ReasoningForm.TEXT, ReasoningForm.SIGNED, ReasoningForm.SUMMARY
CLAUDE, GEMINI, VLLM = "anthropic/claude-sonnet-4-5", "gemini/gemini-3-pro", "hosted_vllm/qwen"
ROUTER = "openrouter/anthropic/claude-sonnet-4.5"


def thought(form, **fields):
    return Reasoning(form, "Hm, seven.", tokens=50, fields=fields)


SEALED = thought(SIGNED, signature="s")
NAMED = thought(TEXT, field="reasoning_content")
DETAIL = thought(SIGNED, type="reasoning.text", signature="s")
CASES = [
    pytest.param(CLAUDE, "low", [SEALED], 1, id="Claude while it thinks"),
    pytest.param(CLAUDE, None, [SEALED], 0, id="Claude without an effort"),
    pytest.param(CLAUDE, "none", [SEALED], 0, id="Claude that is not to think"),
    pytest.param(CLAUDE, "low", [thought(TEXT)], 0, id="a signature that never came"),
    pytest.param(CLAUDE, "low", [replace(SEALED, family="gemini")], 0, id="another's loop"),
    pytest.param(
        CLAUDE, "low", [SEALED, thought(SIGNED, signature="s", **{ALTERED: True})], 0, id="altered"
    ),
    pytest.param(GEMINI, None, [NAMED], 0, id="Gemini's summary"),
    pytest.param(
        GEMINI, None, [NAMED, thought(SIGNED, thought_signatures=["s"])], 1, id="its signature"
    ),
    pytest.param(VLLM, None, [NAMED], 1, id="a field"),
    pytest.param(VLLM, None, [thought(TEXT, tag="think")], 1, id="tags"),
    pytest.param(VLLM, None, [SEALED], 0, id="a form that its server does not know"),
    pytest.param(ROUTER, None, [DETAIL], 1, id="details"),
    pytest.param(ROUTER, None, [NAMED, DETAIL], 2, id="details and a text"),
    pytest.param("mistral/large", None, [NAMED], 0, id="a family that takes none"),
]


@pytest.mark.parametrize(("model", "effort", "parts", "count"), CASES)
def test_what_the_plan_counts_is_what_is_sent(model, effort, parts, count):
    own = tuple(replace(p, family=p.family or family_of(model)) for p in parts)
    projection = requested(loop_of(own), ROOMY, taking=taking_of(model, effort))
    messages = openai_messages(projection.messages, projection.injected)
    body = LlmRequest(model, messages, reasoning_effort=effort).body()

    assert projection.plan.window.reasoning == 50 * count
    assert sum(map(thoughts_in, body["messages"])) == count


def loop_of(thoughts):
    call = ToolCall("c1", "look", "{}", 5)
    return (
        Message(0, Role.USER, "Look", turn=1, tokens=10),
        Message(1, Role.ASSISTANT, "", (call,), turn=1, tokens=10, parts=thoughts),
        Message(2, Role.TOOL, "A boat", tool_call_id="c1", turn=1, tokens=10),
    )
