"""Counts are exact if the encoding is available, and otherwise marked as estimates; none fails."""

import subprocess
import sys

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from history.core.transcript.messages import ToolCall
from history.tokens import (
    APPROXIMATE,
    LONGEST,
    LONGEST_RUN,
    PER_CALL,
    PER_MESSAGE,
    TokenCount,
    approximate,
    count_message,
    count_text,
    count_tool_call,
    count_tools,
    counter_name,
    encoding_for,
    measure,
)

BLANKS = " " * 10**6  # Too many for the encoder's regular expression.


@pytest.mark.parametrize(
    ("text", "o200k", "cl100k"),
    [
        pytest.param("", 0, 0, id="nothing"),
        pytest.param("hello world", 2, 2, id="two words"),
        pytest.param("Привет, мир", 4, 6, id="Cyrillic"),
        pytest.param("<|endoftext|>", 7, 7, id="a special token is text"),
    ],
)
def test_a_text_is_counted_exactly(text, o200k, cl100k):
    assert measure(text) == TokenCount(o200k, "o200k_base")
    assert measure(text, "cl100k_base") == TokenCount(cl100k, "cl100k_base")


@settings(deadline=None)
@given(st.text(), st.sampled_from(["o200k_base", "cl100k_base"]))
def test_the_count_is_tiktokens_own(text, encoding):
    expected = tiktoken.get_encoding(encoding).encode(text, disallowed_special=())

    assert count_text(text, encoding) == len(expected)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        pytest.param(BLANKS, "o200k_base", id="a million blanks"),
        pytest.param("a" * 10**6, "o200k_base", id="a million letters without a break"),
        pytest.param("word " * (LONGEST // 5 + 1), "cl100k_base", id="too long"),
        pytest.param("hello", "no_such_encoding", id="an unknown encoding"),
    ],
)
def test_what_cannot_be_counted_is_approximated_and_says_so(text, encoding):
    assert measure(text, encoding) == approximate(text)
    assert approximate(text).counter == APPROXIMATE


def test_a_long_run_and_a_long_text_are_still_counted():
    text = "a" * LONGEST_RUN + " b" * LONGEST_RUN

    assert measure(text) == TokenCount(LONGEST_RUN // 8 + LONGEST_RUN, "o200k_base")


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "\x00", "\ud83d" * 2 * LONGEST])
def test_text_that_is_no_unicode_still_has_a_count(text):
    assert count_text(text) > 0


def test_a_message_is_its_text_its_role_and_its_frame():
    assert count_message("user", "hello world") == 2 + 1 + PER_MESSAGE


def test_a_call_adds_to_its_message_what_it_costs_alone():
    call = ToolCall("c1", "calculator", '{"expression": "1+1"}')

    with_call = count_message("assistant", "Let me see.", [call])

    alone = count_tool_call(call.name, call.arguments)
    assert with_call == count_message("assistant", "Let me see.") + alone
    assert alone == PER_CALL + count_text(call.name) + count_text(call.arguments)


END = 12
TOOL = 7 + count_text("f:d")


def tool(**properties):
    parameters = {"type": "object", "properties": properties}
    function = {"name": "f", "description": "d", "parameters": parameters}
    return {"type": "function", "function": function}


@pytest.mark.parametrize(
    ("schemas", "tokens"),
    [
        pytest.param([], 0, id="no tools, no frame"),
        pytest.param([tool()], END + TOOL, id="no parameters"),
        pytest.param([tool(), tool()], END + 2 * TOOL, id="the end comes once"),
        pytest.param(
            [tool(a={"type": "string", "description": "b."})],
            END + TOOL + 3 + 3 + count_text("a:string:b"),
            id="a parameter",
        ),
        pytest.param(
            [tool(a={"type": "string", "enum": ["x", "y"]})],
            END + TOOL + 3 + 3 + count_text("a:string:") - 3 + 2 * (3 + 1),
            id="choices",
        ),
        pytest.param(
            [tool(a={"type": "array", "items": {"type": "string"}})],
            END + TOOL + 3 + 3 + count_text('a:array:{"items": {"type": "string"}}'),
            id="nested",
        ),
    ],
)
def test_tools(schemas, tokens):
    assert count_tools(schemas) == tokens


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-4o", "o200k_base"),
        ("openai/gpt-4o-mini", "o200k_base"),
        ("openrouter/openai/gpt-4", "cl100k_base"),
        ("groq/openai/gpt-oss-120b", "o200k_base"),
        ("demo/mirror", "o200k_base"),
        ("text-davinci-003", None),  # The p50k file is not shipped.
        ("anthropic/claude-sonnet-4-5", None),
        ("", None),
    ],
)
def test_the_encoding_of_a_model(model, encoding):
    assert encoding_for(model) == encoding


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/gpt-4o", "o200k_base"),
        ("openai/gpt-4", "o200k_base (an estimate: the model counts in cl100k_base)"),
        ("ollama_chat/llama3", "o200k_base (an estimate: the model counts in its own way)"),
    ],
)
def test_the_counter_says_what_it_is_to_the_model(model, name):
    assert counter_name(model) == name


def test_importing_the_counters_does_not_load_tiktoken():
    script = "import sys, history.tokens; print('tiktoken' in sys.modules)"
    command = [sys.executable, "-c", script]

    assert subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout == b"False\n"
