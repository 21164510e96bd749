"""A call never raises: whatever a model writes, the answer is a text it can act on."""

import json
from typing import Any

import pytest

from agents.tools import TOOLS, Tool, ToolResult, call, schemas
from history.tokens import count_tools


def shout(arguments):
    return arguments["text"].upper() * arguments.get("times", 1)


def seven(arguments) -> Any:
    return 7


def explode(arguments):
    raise RuntimeError("secret")


PROPERTIES = {
    "text": {"type": "string", "description": "What to shout."},
    "times": {"type": "integer", "description": "How often."},
    "loud": {"type": "boolean", "description": "Always."},
    "pitch": {"type": "number", "description": "In hertz."},
}
FLAT = {"properties": PROPERTIES, "required": ["text"]}
MINE = {
    "shout": Tool("shout", "Shouts.", shout, FLAT, result_limit=10),
    "explode": Tool("explode", "Fails.", explode),
    "number": Tool("number", "Returns what is no text.", seven),
}


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        pytest.param("calculator", '{"expression": "12 * (3+4)"}', "84", id="a tool"),
        pytest.param("shout", '{"text": "hi", "times": 2}', "HIHI", id="two arguments"),
        pytest.param("shout", '{"text": "hi", "pitch": 1}', "HI", id="a whole number fits number"),
    ],
)
def test_a_call_gives_the_tools_text(name, arguments, text):
    assert call(name, arguments, {**TOOLS, **MINE}) == ToolResult(text)


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("nope", "{}", "there is no tool 'nope'; the tools are shout, explode, number."),
        ("shout", "", "the argument 'text' is missing."),
        ("shout", "{}", "the argument 'text' is missing."),
        ("shout", "[]", "the arguments must be a JSON object."),
        ("shout", '"hi"', "the arguments must be a JSON object."),
        ("shout", '{"text": 1}', "the argument 'text' must be of type string."),
        ("shout", '{"text": null}', "the argument 'text' must be of type string."),
        ("shout", '{"text": "", "times": true}', "the argument 'times' must be of type integer."),
        ("shout", '{"text": "", "times": 1.5}', "the argument 'times' must be of type integer."),
        ("shout", '{"text": "", "loud": 1}', "the argument 'loud' must be of type boolean."),
        (
            "shout",
            '{"text": "", "volume": 9}',
            "there is no argument 'volume'; the arguments are: text, times, loud, pitch.",
        ),
        ("explode", '{"a": 1}', "there is no argument 'a'; the arguments are: none."),
        ("explode", "{}", "the tool explode failed for a reason of its own."),
        ("number", "{}", "the tool number failed for a reason of its own."),
        ("shout", "[" * 10_000, "the arguments are not valid JSON (nested too deeply)."),
        ("shout", "x" * 100_001, "the arguments are longer than 100,000 characters."),
        ("shout", '{"pitch": NaN}', "the arguments are not valid JSON (NaN is not JSON)."),
    ],
)
def test_a_wrong_call_gives_the_reason(name, arguments, text):
    assert call(name, arguments, MINE) == ToolResult(f"Error: {text}", failed=True)


@pytest.mark.parametrize("arguments", ['{"text": "hi"', '{"text": "hi",}', "{'text': 'hi'}"])
def test_broken_json_says_where_it_broke(arguments):
    result = call("shout", arguments, MINE)

    assert result.failed
    assert result.text.startswith("Error: the arguments are not valid JSON (")


def test_a_long_result_is_shortened_and_says_so():
    arguments = json.dumps({"text": "abcd", "times": 4})

    result = call("shout", arguments, MINE)

    assert result == ToolResult("ABCDABCDAB\n[Shortened: 10 of 16 characters]")


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
                            "description": "An IANA name such as Europe/Paris. UTC if left out.",
                        }
                    },
                },
            },
        }
    ]


def test_the_schemas_of_no_tools_are_none_and_an_unknown_tool_is_an_error():
    assert schemas([]) == []
    with pytest.raises(ValueError, match=r"No such tool: nope\. Known: calculator, current_time\."):
        schemas(["calculator", "nope"])


def test_every_tool_can_be_counted():
    assert count_tools(schemas(list(TOOLS))) > 0


def test_every_tool_describes_itself_to_a_model():
    for name, tool in TOOLS.items():
        assert name == tool.name
        assert tool.description.endswith(".")
        assert all(spec["description"] for spec in tool.parameters["properties"].values())
