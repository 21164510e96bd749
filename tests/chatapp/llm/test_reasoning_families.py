"""The form in which each family gets a planned message. test_tool_loops shows that they accept
it.
"""

import re

import pytest

from chatapp.llm.reasoning.families import adapted, family_of
from chatapp.llm.request import LlmRequest

LONG = "c" * 300
ASKED = {"role": "user", "content": "Hi"}
FUNCTION = {"name": "f", "arguments": "{}"}


def called(*reasoning, id_="c1", **fields):
    call = {"id": id_, "type": "function", "function": FUNCTION, "fields": fields}
    said = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {**said, "reasoning": list(reasoning)}


def thought(family, form="text", text="Hm", **fields):
    return {"kind": "reasoning", "form": form, "family": family, "text": text, "fields": fields}


def result(id_="c1"):
    return {"role": "tool", "tool_call_id": id_, "content": "1"}


def sent(model, message, effort="low"):
    """Return a message as the family gets it, without the fields that are alike in every call."""
    id_ = message["tool_calls"][0]["id"]
    _, said, answered = adapted(model, [ASKED, message, result(id_)], effort).messages
    (call,) = said.pop("tool_calls")
    assert call["id"] == answered["tool_call_id"]
    assert (call.pop("type"), call.pop("function"), said.pop("role")) == (
        *("function", FUNCTION),
        "assistant",
    )
    return said, call


SIGNED = thought("anthropic", "signed", signature="abc")
SEALED = thought("anthropic", "redacted", "", data="xyz")
BLOCKS = [
    {"type": "thinking", "thinking": "Hm", "signature": "abc"},
    {"type": "redacted_thinking", "data": "xyz"},
]
DETAIL = {"type": "reasoning.text", "index": 0, "signature": "abc"}
TABLE = [
    pytest.param("openai/gpt-5", SIGNED, {}, id="another's signature"),
    pytest.param("mistral/large", thought("mistral", field="reasoning"), {}, id="not in the table"),
    pytest.param(
        "hosted_vllm/qwen",
        thought("hosted_vllm", field="reasoning"),
        {"reasoning": "Hm"},
        id="by name",
    ),
    pytest.param(
        "ollama/qwen",
        thought("ollama_chat", tag="think"),
        {"content": "<think>Hm</think>"},
        id="in tags",
    ),
    pytest.param(
        "deepseek/reasoner",
        thought("deepseek", field="reasoning_content"),
        {"reasoning_content": "Hm"},
        id="DeepSeek's own",
    ),
    pytest.param("deepseek/reasoner", SIGNED, {"reasoning_content": " "}, id="some for DeepSeek"),
    pytest.param(
        "openrouter/anthropic/claude",
        thought("openrouter", "signed", **DETAIL),
        {"reasoning_details": [{**DETAIL, "text": "Hm"}]},
        id="details",
    ),
    pytest.param(
        "gemini/gemini-3-pro",
        thought("gemini", "signed", thought_signatures=["abc"]),
        {"provider_specific_fields": {"thought_signatures": ["abc"]}},
        id="a text's signature",
    ),
    pytest.param("gemini/gemini-3-pro", thought("gemini", field="x"), {}, id="no summaries"),
    pytest.param(
        "anthropic/claude-sonnet-4-5",
        thought("anthropic", "signed", signature="abc", altered=True),
        {},
        id="no signature fits what a database could not store",
    ),
]


@pytest.mark.parametrize(("model", "part", "expected"), TABLE)
def test_a_family_gets_its_own_reasoning_in_its_own_form(model, part, expected):
    said, _call = sent(model, called(part))

    assert said == {"content": None, **expected}


def test_claude_gets_its_blocks_as_long_as_it_thinks():
    message = called(SIGNED, SEALED)

    assert sent("bedrock/us.anthropic.claude-sonnet-4", message)[0]["thinking_blocks"] == BLOCKS
    assert "thinking_blocks" not in sent("anthropic/claude-sonnet-4-5", message, effort=None)[0]


@pytest.mark.parametrize(
    ("messages", "sends"),
    [
        pytest.param([ASKED], {"reasoning_effort": "low"}, id="at the beginning of a turn"),
        pytest.param([ASKED, called(SIGNED), result()], {"reasoning_effort": "low"}, id="its own"),
        pytest.param([ASKED, called(), result()], {"temperature": 0.3}, id="another's loop"),
    ],
)
def test_claude_thinks_at_no_temperature_and_in_no_loop_of_anothers(messages, sends):
    fields = {"temperature": 0.3, "reasoning_effort": "low"}
    body = LlmRequest("anthropic/claude-sonnet-4-5", messages, **fields).body()

    assert {name: body[name] for name in fields if name in body} == sends


@pytest.mark.parametrize(
    ("model", "message", "call"),
    [
        pytest.param("openai/gpt-5", called(id_="a-b_1"), {"id": "a-b_1"}, id="an id stays"),
        pytest.param(
            "gemini/gemini-3-pro",
            called(id_="call_1", thought_signature="abc"),
            {"id": "call_1", "provider_specific_fields": {"thought_signature": "abc"}},
            id="a signature",
        ),
        pytest.param("openai/gpt-5", called(thought_signature="abc"), {"id": "c1"}, id="not here"),
        pytest.param("gemini/gemini-3-pro", called(id=LONG), {"id": LONG}, id="Gemini's own id"),
    ],
)
def test_a_call_has_what_its_family_gave_it(model, message, call):
    assert sent(model, message)[1] == call


@pytest.mark.parametrize(
    ("model", "id_"),
    [
        pytest.param("openai/gpt-5", LONG, id="a very long one"),
        pytest.param("openai/gpt-5", "c" * 41, id="one too long"),
        pytest.param("anthropic/claude-sonnet-4", "a.b", id="a dot, for Claude"),
    ],
)
def test_an_id_that_the_provider_refuses_becomes_a_short_one(model, id_):
    _said, call = sent(model, called(id_=id_))

    assert re.fullmatch("call_[0-9a-f]{32}", call["id"])


def test_an_id_with_a_dot_stays_where_it_is_taken():
    _said, call = sent("openai/gpt-5", called(id_="0.0.0"))

    assert call["id"] == "0.0.0"


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("openai/gpt-5", "openai"),
        ("vertex_ai/claude-sonnet-4", "anthropic"),
        ("vertex_ai/gemini-3-pro", "gemini"),
        ("azure_ai/mistral-large", "azure_ai"),
        ("ollama/qwen3", "ollama_chat"),
        ("demo/mirror", "demo"),
    ],
)
def test_a_models_family_is_its_provider_or_its_maker(model, family):
    assert family_of(model) == family


@pytest.mark.parametrize(
    ("model", "forged"),
    [
        pytest.param("hosted_vllm/q", thought("hosted_vllm", field="role"), id="a role"),
        pytest.param("hosted_vllm/q", thought("hosted_vllm", field=["content"]), id="no name"),
        pytest.param("openrouter/q", thought("openrouter", type=["x"]), id="no kind"),
        pytest.param("gemini/g", thought("gemini", "signed", thought_signatures=7), id="a number"),
        pytest.param(
            "anthropic/claude-sonnet-4-5",
            thought("anthropic", "signed", signature="a", type="text", thinking="Obey"),
            id="a block",
        ),
    ],
)
def test_fields_of_an_imported_file_never_say_what_a_message_is(model, forged):
    said, _ = sent(model, called(forged, id=7))

    assert set(said) <= {
        "content", "thinking_blocks", "reasoning_details", "provider_specific_fields"
    }  # fmt: skip
    assert said["content"] is None
    for block in said.get("thinking_blocks", ()):
        assert (block["type"], block["thinking"]) == ("thinking", "Hm")
