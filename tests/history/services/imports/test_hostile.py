"""A file that is cut off, damaged or hostile is reported with a reason, and read within limits."""

import json
import tracemalloc
from zipfile import ZIP_STORED

import pytest

from history.services.imports import stream
from history.services.imports.chats import Unreadable, Why
from history.services.imports.source import Bounds
from tests.history.services.imports.files import BOUNDS, chats_in, source_of, zipped
from tests.history.services.imports.test_chatgpt import PLAIN

TWO = json.dumps([PLAIN, PLAIN]).encode()
DEEP = b"[" * 100_000 + b"]" * 100_000
LONG = b'{"mapping": "' + b"a" * 400_000 + b'"}'
CHAT = json.dumps(PLAIN).encode()


@pytest.mark.parametrize(
    ("content", "chats", "why"),
    [
        pytest.param(b"", 0, Why.UNKNOWN_FORMAT, id="empty"),
        pytest.param(b"\x89PNG\r\n", 0, Why.UNKNOWN_FORMAT, id="a picture"),
        pytest.param(b"Hello", 0, Why.UNKNOWN_FORMAT, id="a text"),
        pytest.param({"hello": 1}, 0, Why.UNKNOWN_FORMAT, id="other JSON"),
        pytest.param(json.dumps([PLAIN]).encode("utf-16"), 0, Why.NOT_UTF8, id="UTF-16"),
        pytest.param(TWO[: len(TWO) // 2 + 40], 1, Why.NOT_JSON, id="cut off"),
        pytest.param(TWO.replace(b"A trip", b"\xff\xfe", 1), 0, Why.NOT_JSON, id="not UTF-8"),
        pytest.param(CHAT[:9], 0, Why.NOT_JSON, id="cut off in its first name"),
        pytest.param(b'{"chats" [', 0, Why.NOT_JSON, id="broken in its head"),
        pytest.param(zipped({"a.json": b'{"a'}), 0, Why.UNKNOWN_FORMAT, id="broken in an archive"),
        pytest.param(b'[{"mapping": 1e999}]', 0, Why.NOT_JSON, id="a huge number"),
        pytest.param(b"PK\x03\x04" + b"\0" * 99, 0, Why.CUT, id="no archive"),
        pytest.param(zipped({"a.json": [PLAIN]})[:-30], 0, Why.CUT, id="an archive cut off"),
        pytest.param(zipped({"readme.txt": "Hi"}), 0, Why.UNKNOWN_FORMAT, id="nothing in it"),
        pytest.param(b"[" + CHAT + b"," + DEEP + b"]", 1, Why.TOO_DEEP, id="many levels"),
    ],
)
def test_each_is_told(content, chats, why):
    found, skipped = chats_in(content)

    assert len(found) == chats
    assert [each.why for each in skipped] == [why]


def test_a_damaged_member_is_told():
    content = zipped({"a.json": [PLAIN] * 9}, ZIP_STORED).replace(b"Hello", b"Hallo", 1)

    _, skipped = chats_in(content)

    assert [each.why for each in skipped] == [Why.DAMAGED]


def test_an_archive_unpacks_to_no_more_than_the_bound():
    content = zipped({"a.json": b"[" + CHAT + b" " * 3_000_000 + b"]"})

    chats, skipped = chats_in(content, Bounds(documents=1_000_000, member=10))

    assert len(content) < 10_000
    assert len(chats) == 1
    assert [(each.why, each.figures["most"]) for each in skipped] == [(Why.TOO_LARGE, 1_000_000)]


def test_a_text_without_end_is_not_kept_in_memory(monkeypatch):
    monkeypatch.setattr(stream, "MOST_BYTES", 200_000)
    content = b'[{"mapping": {"a": "' + b"a" * 20_000_000
    source = source_of(content)
    tracemalloc.start()
    with pytest.raises(Unreadable):
        list(source.items(source.documents[0]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 8_000_000


def test_a_chat_of_too_many_values_does_not_concern_the_others(monkeypatch):
    monkeypatch.setattr(stream, "MOST_VALUES", 1_000)
    content = b"[" + CHAT + b', {"title": "x", "mapping": [' + b"[]," * 2_000 + b"[]]}, " + CHAT
    chats, skipped = chats_in(content + b"]")

    assert len(chats) == 2
    assert [each.why for each in skipped] == [Why.TOO_COMPLEX]


def test_names_in_an_archive_lead_nowhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = source_of(zipped({"../../a.json": [PLAIN], "/etc/file-AbC-x": b"x", "x/": b""}))

    assert source.read("/etc/file-AbC-x") == b"x"
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(Unreadable):
        source.read("/etc/passwd")


def test_a_member_is_read_up_to_its_bound():
    source = source_of(zipped({"a.json": [PLAIN], "file-AbC.bin": b"a" * 1_000_001}))

    with pytest.raises(Unreadable) as caught:
        source.read("file-AbC.bin")

    assert caught.value.skipped.figures == {"most": BOUNDS.member}
