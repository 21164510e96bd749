"""A server's answer, as text for the model."""

import pytest
from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from agents.mcp.results import result_of
from agents.tools import ToolResult

HELLO = TextContent(type="text", text="Hello")
DATA = "AAAA" * 300


def said(*content, **more):
    return result_of(CallToolResult(content=list(content), **more), limit=1_000)


@pytest.mark.parametrize(
    ("part", "text"),
    [
        pytest.param(HELLO, "Hello", id="text"),
        pytest.param(
            ImageContent(type="image", data=DATA, mime_type="image/png"),
            "[image, image/png, about 900 bytes: not shown]",
            id="a picture",
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
        "Error: the tool failed and does not say why.", failed=True
    )
