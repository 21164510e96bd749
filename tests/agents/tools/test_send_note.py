"""The tool `send_note` writes a note once it is approved, and nothing without approval."""

import json

import pytest

from agents.tools import ToolContext, call, needs_approval
from agents.tools import demonstrations as module

NOTE = json.dumps({"to": "Ada", "text": "The harbour is open.\nCome."})
APPROVED = ToolContext(approved=True)


@pytest.fixture
def outbox(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    return tmp_path / module.OUTBOX


def test_an_approved_note_is_a_line_of_the_outbox(outbox):
    said = [call("send_note", NOTE, APPROVED).text for _ in range(2)]

    lines = [json.loads(line) for line in outbox.read_text().splitlines()]
    assert said == ["The note to Ada is in the outbox."] * 2
    assert [(line["to"], line["text"]) for line in lines] == [
        ("Ada", "The harbour is open.\nCome.")
    ] * 2


def test_nothing_is_written_unasked(outbox):
    result = call("send_note", NOTE)

    assert (result.failed, outbox.exists()) == (True, False)
    assert "needs approval" in result.text


def test_a_full_outbox_takes_no_more(outbox, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 10)
    call("send_note", NOTE, APPROVED)

    result = call("send_note", NOTE, APPROVED)

    assert result.text == "Error: the outbox is full (10 bytes). Nothing was written."
    assert len(outbox.read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        pytest.param("send_note", NOTE, True, id="one that changes something"),
        pytest.param("send_note", '{"to": "Ada"}', False, id="one that would be refused anyway"),
        pytest.param("send_note", "{", False, id="no JSON"),
        pytest.param("calculator", '{"expression": "1"}', False, id="a harmless one"),
        pytest.param("nope", "{}", False, id="none at all"),
    ],
)
def test_a_person_is_asked_about_valid_calls_only(name, arguments, expected):
    assert needs_approval(name, arguments, ToolContext()) is expected
