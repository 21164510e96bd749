"""A call never raises: whatever a model writes, the result is a text that it can react to."""

import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from agents.tools import (
    TOOLS,
    Audience,
    FoundMessage,
    ToolContext,
    ToolResult,
    call,
    schemas,
    tool,
    usable,
)
from history.tokens import count_tools


def shout(
    text: Annotated[str, Field(description="What to shout.")],
    times: Annotated[int, Field(ge=1, description="How often.")] = 1,
    *,
    loud: bool = True,
    pitch: float | None = None,
) -> str:
    """Says a text
    in capitals.

    This part is not for the model.
    """
    return text.upper() * times


def seven() -> Any:
    """Returns a number instead of a text."""
    return 7


def explode() -> str:
    """Raises an error."""
    raise RuntimeError("secret")


def ask(query: str, context: ToolContext) -> str:
    """Searches the conversation."""
    return context.search(query, 1)[0].excerpt


MINE = {
    "shout": tool(shout, result_limit=10),
    "explode": tool(explode),
    "number": tool(seven, name="number"),
}
NO_CONTEXT = ToolContext()


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        pytest.param("calculator", '{"expression": "12 * (3+4)"}', "84", id="a tool"),
        pytest.param("shout", '{"text": "hi", "times": 2}', "HIHI", id="two arguments"),
        pytest.param("shout", '{"text": "hi", "pitch": 1}', "HI", id="a whole number fits number"),
        pytest.param("shout", '{"text": "hi", "pitch": null}', "HI", id="null where it is allowed"),
    ],
)
def test_a_call_gives_the_tools_text(name, arguments, text):
    assert call(name, arguments, NO_CONTEXT, {**TOOLS, **MINE}) == ToolResult(text)


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("nope", "{}", "unknown tool 'nope'; the tools are shout, explode, number."),
        ("shout", "", "the argument 'text' is missing."),
        ("shout", "{}", "the argument 'text' is missing."),
        ("shout", "[]", "the arguments must be a JSON object."),
        ("shout", '"hi"', "the arguments must be a JSON object."),
        ("shout", '{"text": 1}', "the argument 'text' is invalid: input should be a valid string."),
        (
            "shout",
            '{"text": "", "times": true}',
            "the argument 'times' is invalid: input should be a valid integer.",
        ),
        (
            "shout",
            '{"text": "", "times": "1"}',
            "the argument 'times' is invalid: input should be a valid integer.",
        ),
        (
            "shout",
            '{"text": "", "times": 0}',
            "the argument 'times' is invalid: input should be greater than or equal to 1.",
        ),
        (
            "shout",
            '{"text": "", "loud": 1}',
            "the argument 'loud' is invalid: input should be a valid boolean.",
        ),
        (
            "shout",
            '{"text": "", "pitch": NaN}',
            "the argument 'pitch' is invalid: input should be a finite number.",
        ),
        (
            "shout",
            '{"text": "", "volume": 9}',
            "unknown argument 'volume'; the arguments are: text, times, loud, pitch.",
        ),
        ("explode", '{"a": 1}', "unknown argument 'a'; the arguments are: none."),
        ("explode", "{}", "the tool explode crashed."),
        ("number", "{}", "the tool number crashed."),
        ("shout", "x" * 100_001, "the arguments are longer than 100,000 characters."),
    ],
)
def test_a_wrong_call_gives_the_reason(name, arguments, text):
    result = call(name, arguments, NO_CONTEXT, MINE)

    assert result == ToolResult(f"Error: {text}", failed=True)


@pytest.mark.parametrize(
    "arguments", ['{"text": "hi"', '{"text": "hi",}', "{'text': 'hi'}", "[" * 10_000]
)
def test_broken_json_says_where_it_broke(arguments):
    result = call("shout", arguments, NO_CONTEXT, MINE)

    assert result.failed
    assert result.text.startswith("Error: the arguments are not valid JSON (")
    assert "column" in result.text


@given(st.text() | st.from_regex(r'\{"[a-z]{0,5}": ["0-9truefalsn\[\{]*'))
def test_no_text_makes_a_call_raise_or_answer_at_length(arguments):
    result = call("shout", arguments, NO_CONTEXT, MINE)

    assert len(result.text) < 400


def test_a_long_result_is_shortened_and_says_so():
    arguments = json.dumps({"text": "abcd", "times": 4})

    result = call("shout", arguments, NO_CONTEXT, MINE)

    assert result == ToolResult("ABCDABCDAB\n[Shortened: 10 of 16 characters]")


def test_a_signature_becomes_a_schema():
    assert MINE["shout"].description == "Says a text in capitals."
    assert MINE["shout"].arguments.schema == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "What to shout."},
            "times": {"type": "integer", "minimum": 1, "default": 1, "description": "How often."},
            "loud": {"type": "boolean", "default": True},
            "pitch": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": None},
        },
        "required": ["text"],
        "additionalProperties": False,
    }


def test_schemas_are_in_openais_format():
    assert schemas(["current_time"]) == [
        {
            "type": "function",
            "function": {
                "name": "current_time",
                "description": "The current date and time in a time zone.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "timezone": {
                            "type": "string",
                            "default": "UTC",
                            "description": "An IANA name such as Europe/Paris. Default: UTC.",
                        }
                    },
                    "additionalProperties": False,
                },
            },
        }
    ]


def test_the_schemas_of_no_tools_are_none_and_an_unknown_tool_is_an_error():
    assert schemas([]) == []
    with pytest.raises(ValueError, match=r"No such tool: nope\. Known: calculator, current_time,"):
        schemas(["calculator", "nope"])


def test_the_context_is_given_and_is_no_argument_of_the_models():
    context = ToolContext(search=lambda query, most: [FoundMessage(1, "user", query * most)])
    tools = {"ask": tool(ask)}

    assert list(tools["ask"].arguments.schema["properties"]) == ["query"]
    assert call("ask", '{"query": "hi"}', context, tools) == ToolResult("hi")


@pytest.mark.parametrize(
    ("audience", "names"),
    [
        (Audience.EVERYONE, ["shout", "gone"]),
        (Audience.SIGNED_IN, ["shout", "letters", "gone"]),
        (Audience.STAFF, ["shout", "letters", "audit", "gone"]),
    ],
)
def test_tools_are_offered_to_those_who_may_use_them(monkeypatch, audience, names):
    monkeypatch.setitem(TOOLS, "shout", MINE["shout"])
    monkeypatch.setitem(TOOLS, "letters", tool(explode, audience=Audience.SIGNED_IN))
    monkeypatch.setitem(TOOLS, "audit", tool(explode, audience=Audience.STAFF))

    assert usable(["shout", "letters", "audit", "gone"], audience) == names


def test_every_tool_can_be_counted():
    assert count_tools(schemas(list(TOOLS))) > 0


def test_every_tool_describes_itself_to_a_model():
    for name, each in TOOLS.items():
        assert name == each.name
        assert each.description.endswith(".")
        assert all(spec["description"] for spec in each.arguments.schema["properties"].values())
