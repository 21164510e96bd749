"""A model's arguments reach a server if JSON can express them; the answer becomes text."""

from base64 import b64decode

import pytest
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolRequestParams,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from agents.mcp.calls import arguments_of, result_of
from agents.tools import Picture, ToolResult
from agents.tools.arguments import ArgumentsRefused
from tests.running.malformed_streams import ARGUMENTS, NO_JSON, NO_OBJECT, TOO_LONG

UNREADABLE = (NO_JSON, NO_OBJECT, TOO_LONG)
DEEP = 195
HELLO = TextContent(type="text", text="Hello")
DATA = "AAAA" * 300


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


def said(*content, **more):
    return result_of(CallToolResult(content=list(content), **more), limit=1_000)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        pytest.param(HELLO, "Hello", id="text"),
        pytest.param(
            ImageContent(type="image", data="not base64", mime_type="image/png"),
            "[image, image/png, about 7 bytes: not shown]",
            id="an unreadable picture",
        ),
        pytest.param(
            AudioContent(type="audio", data=DATA, mime_type="audio/wav"),
            "[audio, audio/wav, about 900 bytes: not shown]",
            id="a sound",
        ),
        pytest.param(
            ResourceLink(type="resource_link", name="notes", uri="file:///n.txt"),
            "[link to notes: file:///n.txt]",
            id="a link",
        ),
        pytest.param(
            EmbeddedResource(
                type="resource", resource=TextResourceContents(uri="file:///n.txt", text="Notes")
            ),
            "Notes",
            id="a text file",
        ),
        pytest.param(
            EmbeddedResource(
                type="resource", resource=BlobResourceContents(uri="file:///n.zip", blob=DATA)
            ),
            "[file file:///n.zip: not shown]",
            id="any other file",
        ),
    ],
)
def test_each_part_becomes_text(part, text):
    assert said(part) == ToolResult(text)


def test_pictures_are_kept_up_to_a_limit():
    shown = ImageContent(type="image", data=DATA, mime_type="image/png")

    result = said(HELLO, *[shown] * 9)

    assert result.pictures == (Picture(b64decode(DATA)),) * 8
    assert result.text == "Hello\n[image, image/png, about 900 bytes: not shown]"
    assert said(shown).text == ""
    assert said(shown, is_error=True).pictures == ()


def test_parts_are_joined():
    assert said(HELLO, HELLO) == ToolResult("Hello\nHello")


def test_nothing_is_said_to_be_nothing():
    assert said() == ToolResult("(The tool returned nothing.)")


def test_what_is_only_structured_is_json():
    assert said(structured_content={"a": [1]}) == ToolResult('{"a": [1]}')


def test_an_error_is_a_failed_result():
    assert said(HELLO, is_error=True) == ToolResult("Error: Hello", failed=True)


def test_an_error_without_words_has_some():
    assert said(is_error=True) == ToolResult(
        "Error: the tool failed without giving a reason.", failed=True
    )
