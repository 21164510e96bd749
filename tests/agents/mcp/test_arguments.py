"""What a model wrote for a tool of a server: passed on only where it can be written again."""

import pytest
from mcp_types import CallToolRequestParams

from agents.mcp.arguments import arguments_of
from agents.tools.arguments import ArgumentsRefused
from tests.running.malformed import ARGUMENTS, NO_JSON, NO_OBJECT, TOO_LONG

UNREADABLE = (NO_JSON, NO_OBJECT, TOO_LONG)
DEEP = 195


@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param('{"a": [1, null]}', {"a": [1, None]}, id="an object"),
        pytest.param('{"a": 1, "a": 2}', {"a": 2}, id="a name twice"),
    ],
)
def test_an_object_is_read(text, values):
    assert arguments_of(text) == values


@pytest.mark.parametrize(
    ("text", "says"),
    [pytest.param(t, s, id=what) for what, (t, s) in ARGUMENTS.items() if s in UNREADABLE]
    + [
        pytest.param('{"a": 1e999}', NO_JSON, id="infinity"),
        pytest.param('{"a": NaN}', NO_JSON, id="no number"),
        pytest.param('{"a": ' + "[" * 900 + "]" * 900 + "}", NO_JSON, id="too deep"),
    ],
)
def test_whatever_else_it_is_is_refused(text, says):
    with pytest.raises(ArgumentsRefused) as refusal:
        arguments_of(text)

    assert f"Error: {refusal.value}".startswith(says)


def test_the_deepest_that_is_read_can_be_sent():
    values = arguments_of('{"a": ' + "[" * DEEP + "]" * DEEP + "}")

    assert CallToolRequestParams(name="echo", arguments=values).model_dump_json()
