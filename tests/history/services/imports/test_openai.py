"""Transcripts in OpenAI's format can be imported."""

import json
from base64 import b64encode

import pytest

from history.services.imports import stream
from history.services.imports.chats import Why
from history.wording.imports import skipped
from tests.history.services.imports.files import chat_in, chats_in, said

HI = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
LINES = b"\n".join(json.dumps(message).encode() for message in HI)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(HI, id="a list of messages"),
        pytest.param({"model": "gpt-4o", "messages": HI}, id="a request"),
        pytest.param([{"messages": HI}], id="a list of requests"),
        pytest.param(LINES, id="a message a line"),
        pytest.param(b"\xef\xbb\xbf" + json.dumps(HI).encode(), id="with a mark of UTF-8"),
    ],
)
def test_each_layout_is_read(content):
    chat = chat_in(content)

    assert said(chat) == [("user", "Hi"), ("assistant", "Hello")]
    assert [message.parent for message in chat.messages] == [None, "0"]


def test_a_line_that_is_broken_does_not_concern_the_others():
    good = json.dumps({"messages": HI}).encode()

    chats, left_out = chats_in(b"\n".join([good, b"{messages", b"", good]))

    assert len(chats) == 2
    assert [(each.why, each.figures) for each in left_out] == [
        (Why.LINE, {"line": 2, "character": 2})
    ]


def test_lines_that_are_cut_off_say_at_which_character_of_which_line():
    line = json.dumps({"messages": HI})

    _, (cut,) = chats_in(f"{line}\n\n{line[:30]}".encode())

    assert skipped(cut.as_dict()).startswith("Line 3 isn't JSON from its character 31 on.")


def test_a_line_of_too_many_values_is_skipped_alone(monkeypatch):
    monkeypatch.setattr(stream, "MOST_VALUES", 50)
    good = json.dumps({"messages": HI})

    chats, (large,) = chats_in(f"{good}\n[{'7,' * 50}7]\n{good}".encode())

    assert len(chats) == 2
    assert (large.why, large.figures) == (Why.TOO_COMPLEX, {"line": 2, "most": 50})


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\n".join([json.dumps(HI[0])] * 30), id="a message a line"),
        pytest.param(json.dumps([HI[0]] * 30), id="one list"),
    ],
)
def test_messages_of_one_chat_are_bounded_together(monkeypatch, text):
    monkeypatch.setattr(stream, "MOST_VALUES", 50)

    chats, left_out = chats_in(text.encode())

    told = [*left_out, *(each for chat in chats for each in chat.skipped)]
    assert sum(len(chat.messages) for chat in chats) < 30
    assert {each.why for each in told} == {Why.TOO_COMPLEX}


def test_parts_calls_results_and_thoughts_are_read():
    png = b64encode(b"png").decode()
    parts = [
        {"type": "text", "text": "See"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{png}"}},
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}},
        {"type": "input_audio", "input_audio": {}},
    ]
    call = {"id": "1", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}
    chat = chat_in(
        [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": parts},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "1", "content": "found"},
            {"role": "narrator", "content": "Meanwhile"},
            {"role": "assistant", "content": "A cat.", "reasoning_content": "Whiskers."},
        ]
    )

    system, asked, called, result, answer = chat.messages
    assert (system.role, system.text) == ("system", "Be brief.")
    assert [(part.data, part.at) for part in asked.parts] == [(b"png", 3), (None, 3)]
    assert called.calls[0].arguments == '{"a": 1}'
    assert (result.call_id, result.text, answer.parts[0].text) == ("1", "found", "Whiskers.")
    assert [s.why for s in chat.skipped] == [Why.FETCHED, Why.UNKNOWN_PART, Why.UNKNOWN_ROLE]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param([{"messages": [7]}], Why.NO_MESSAGE, id="a number for a message"),
        pytest.param([{"messages": "x"}], Why.NO_CHAT, id="a text for messages"),
        pytest.param({"messages": [{"role": "user", "content": 7}]}, Why.NO_MESSAGE, id="content"),
        pytest.param([{"messages": []}, 7], Why.NO_CHAT, id="a number for a chat"),
    ],
)
def test_what_is_no_chat_is_skipped_whole(content, why):
    _, left_out = chats_in(content)

    assert [each.why for each in left_out] == [why]
