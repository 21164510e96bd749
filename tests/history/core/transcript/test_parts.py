"""Parts are stored as JSON and read back unchanged, and become parts of a neutral request."""

import json
from dataclasses import replace

import pytest

from history.core.plan.neutral_request import openai_messages
from history.core.transcript.messages import Message, Role, ToolCall
from history.core.transcript.parts import (
    File,
    Image,
    Part,
    Reasoning,
    ReasoningForm,
    attached_tokens,
    part_as_dict,
    part_from_dict,
)

THOUGHT = Reasoning(
    ReasoningForm.SIGNED, "First, look.", "anthropic", {"signature": "c2ln"}, tokens=5
)
PHOTO = Image("a" * 64, "b" * 64, "image/jpeg", "cat.jpg", 640, 480, 5000, tokens=425)
REPORT = File("c" * 64, "c" * 64, "application/pdf", 'the "report".pdf', 900, 2, "Page 1", 3)
PARTS = pytest.mark.parametrize(
    "part",
    [
        pytest.param(THOUGHT, id="reasoning"),
        pytest.param(Reasoning(ReasoningForm.REDACTED, fields={"data": "x"}), id="redacted"),
        pytest.param(PHOTO, id="image"),
        pytest.param(Image("", "", ""), id="empty-image"),
        pytest.param(REPORT, id="file"),
    ],
)


@PARTS
def test_a_part_is_the_same_after_json(part: Part) -> None:
    assert part_from_dict(json.loads(json.dumps(part_as_dict(part)))) == part


@pytest.mark.parametrize("data", [{"kind": "film"}, {}, {"kind": "image", "colour": "red"}])
def test_an_unknown_part_is_refused(data: dict[str, str]) -> None:
    with pytest.raises((KeyError, TypeError)):
        part_from_dict(data)


def test_reasoning_costs_nothing_until_it_is_sent() -> None:
    assert attached_tokens([THOUGHT, PHOTO, REPORT]) == 428


def request_of(message: Message) -> dict[str, object]:
    return openai_messages([message])[0]


def test_what_is_attached_comes_before_the_text() -> None:
    sent = request_of(Message(0, Role.USER, "What?", parts=(PHOTO, REPORT)))
    assert sent["content"] == [
        {"type": "image_url", "image_url": {"url": f"media:{'a' * 64}"}},
        {
            "type": "text",
            "text": '<file name="the \\"report\\".pdf" pages="2">\nPage 1\n</file>\n\nWhat?',
        },
    ]


@pytest.mark.parametrize(
    ("at", "pieces"),
    [
        pytest.param((0, 0), ["image", "image", "Left:\nRight:"], id="before"),
        pytest.param((5, 12), ["Left:", "image", "Right:", "image"], id="each-after-its-text"),
        pytest.param((5, 5), ["Left:", "image", "image", "Right:"], id="in-the-middle"),
        pytest.param((90, 90), ["Left:\nRight:", "image", "image"], id="after-a-shortened-text"),
    ],
)
def test_an_image_stands_at_its_place_in_the_text(at: tuple[int, int], pieces: list[str]) -> None:
    images = tuple(replace(PHOTO, at=place) for place in at)
    content = request_of(Message(0, Role.USER, "Left:\nRight:", parts=images))["content"]
    assert isinstance(content, list)
    assert [part.get("text", "image") for part in content] == pieces


def test_without_images_the_content_stays_a_text() -> None:
    sent = request_of(Message(0, Role.USER, "", parts=(REPORT,)))
    assert sent["content"] == '<file name="the \\"report\\".pdf" pages="2">\nPage 1\n</file>'


def test_an_image_without_a_text_brings_no_blank_one() -> None:
    content = request_of(Message(0, Role.USER, " ", parts=(PHOTO,)))["content"]
    assert isinstance(content, list)
    assert [part["type"] for part in content] == ["image_url"]


def test_reasoning_and_a_calls_own_fields_are_beside_the_format() -> None:
    call = ToolCall("1", "now", "{}", fields={"thought_signature": "c2ln"})
    sent = request_of(Message(0, Role.ASSISTANT, "", (call,), parts=(THOUGHT,)))
    assert sent["reasoning"] == [part_as_dict(THOUGHT)]
    assert sent["tool_calls"] == [
        {
            "id": "1",
            "type": "function",
            "function": {"name": "now", "arguments": "{}"},
            "fields": {"thought_signature": "c2ln"},
        }
    ]


def test_a_message_without_parts_is_what_it_always_was() -> None:
    assert request_of(Message(0, Role.USER, "Hello")) == {"role": "user", "content": "Hello"}
