"""Usage is read from wherever each provider reports it."""

from types import SimpleNamespace as Object

import pytest

from chatapp.llm.chunks import CallDelta, Reading, ReportedUsage, usage_of
from chatapp.llm.reasoning.deltas import ReasoningDelta
from history.core.transcript.parts import ReasoningForm


def reported(**fields):
    usage = {"prompt_tokens": 100, "completion_tokens": 9, **fields}
    return Object(usage=Object(**usage))


@pytest.mark.parametrize(
    ("fields", "usage"),
    [
        pytest.param({}, ReportedUsage(100, 9), id="the plain figures"),
        pytest.param(
            {"prompt_tokens_details": Object(cached_tokens=64)},
            ReportedUsage(100, 9, cache_read=64),
            id="OpenAI",
        ),
        pytest.param(
            {
                "prompt_tokens_details": Object(cached_tokens=64, cache_write_tokens=30),
                "completion_tokens_details": Object(reasoning_tokens=5),
            },
            ReportedUsage(100, 9, 64, 30, 5),
            id="OpenAI since GPT-5.6",
        ),
        pytest.param(
            {"prompt_tokens_details": Object(cached_tokens=0, cache_creation_tokens=0)},
            ReportedUsage(100, 9, 0, 0),
            id="a reported 0 is a figure",
        ),
        pytest.param(
            {"prompt_tokens_details": None, "cache_creation_input_tokens": 12},
            ReportedUsage(100, 9, cache_write=12),
            id="Anthropic behind a proxy",
        ),
        pytest.param(
            {"prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36},
            ReportedUsage(100, 9, cache_read=64),
            id="DeepSeek",
        ),
        pytest.param(
            {"prompt_tokens_details": Object(cached_tokens="many")},
            ReportedUsage(100, 9),
            id="no number is none",
        ),
    ],
)
def test_usage_is_read_where_it_was_reported(fields, usage):
    assert usage_of(reported(**fields)) == usage


@pytest.mark.parametrize(
    "chunk",
    [Object(), Object(usage=None), reported(prompt_tokens=None), reported(completion_tokens=None)],
)
def test_half_a_report_is_none(chunk):
    assert usage_of(chunk) is None


UNSTORABLE = ["a\0b", "\ud800", {"deep": ["\0"]}, {"\ud800": 1}]


@pytest.mark.parametrize("value", UNSTORABLE)
def test_fields_that_no_database_stores_are_left_out_and_this_is_noted(value):
    block = {"type": "thinking", "thinking": "Hm.", "signature": value}
    sealed = {"type": "redacted_thinking", "data": value}
    given = {"thought_signature": value, "other": "kept"}
    function = Object(name="f", arguments="{}")
    call = Object(index=0, id="c1", function=function, provider_specific_fields=given)
    delta = Object(thinking_blocks=[block, sealed], tool_calls=[call])

    read = [*Reading().read(Object(choices=[Object(delta=delta, finish_reason=None)]))]

    assert read == [
        ReasoningDelta("Hm.", ReasoningForm.SIGNED, {"altered": True}),
        ReasoningDelta("", ReasoningForm.REDACTED, {"altered": True}),
        CallDelta(0, "c1", "f", "{}", {"other": "kept"}),
    ]
