"""Each fault in each layout gets a sentence, and no chat is imported in part."""

import json
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from chatapp.imports import reading
from chatapp.imports.report import report_of
from history.models import Conversation, ImportEntry, ImportState, Message
from history.services.imports.chats import Why
from tests.factories import make_agent
from tests.history.services.imports.files import zipped
from tests.history.services.imports.layouts import LAYOUTS, PLAIN, Said
from tests.history.services.imports.test_storing import imported

pytestmark = pytest.mark.django_db
LONG = 2_000
UNITS = (10**3, 10**6, 10**9)
TIMES: tuple[Any, ...] = (
    *(1_700_000_000 * unit for unit in UNITS),
    *(-7, 9 * 10**18, {}, None, "yesterday", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
)
each_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)


@pytest.fixture(autouse=True)
def demo(settings, monkeypatch):
    monkeypatch.setattr(reading, "SHARE", 0)
    settings.MAX_MESSAGE_BYTES = LONG
    make_agent()


def good(layout):
    return layout.chat(PLAIN, "Good")


def outcome(content):
    """Import the content; return the stored chats' titles, and the rules of the reported facts."""
    job = imported(content)
    report = report_of(job)
    told = {fact["rule"] for entry in report.entries for fact in entry.row.skipped}
    sentences = [sentence for entry in report.entries for sentence in entry.sentences]
    if job.state == ImportState.FAILED:
        told, sentences = {job.fault["rule"]}, [report.fault]
    assert all(sentence.strip() for sentence in sentences)
    assert bool(told) == bool(sentences)
    assert job.state in {ImportState.DONE, ImportState.FAILED}
    assert_nothing_is_half(report)
    return sorted(Conversation.objects.values_list("title", flat=True)), told


def assert_nothing_is_half(report):
    """Check that each stored chat has its branch and all messages that the report counts."""
    stored = [each.row for each in report.entries if each.row.outcome == "stored"]
    assert Conversation.objects.count() == len(stored)
    for row in stored:
        chat = row.conversation
        assert chat is not None
        assert chat.branch is not None
        assert chat.messages.count() == row.messages > 0
    assert Message.objects.count() == report.sums.messages
    assert not report.job.file


def changed(content, old, new):
    """Replace bytes in the file's last document, or in an archive's last member."""
    if not content.startswith(b"PK"):
        before, _, after = content.rpartition(old)
        return before + new + after
    with ZipFile(BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    last = max(members)
    return zipped(members | {last: members[last].replace(old, new)})


def two(layout, bad="Bad"):
    return layout.file([good(layout), layout.chat(PLAIN, bad)])


@each_layout
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "with a mark of UTF-8"])
def test_what_is_well_formed_is_stored(layout, mark):
    content = two(layout)

    assert outcome(content if content.startswith(b"PK") else mark + content) == (
        ["Bad", "Good"],
        set(),
    )


@each_layout
def test_a_field_of_another_type_concerns_its_chat_alone(layout):
    values = (7, None, "x", [7], [[]])
    bad = [layout.chat(PLAIN, f"Bad {n}") | {layout.place: v} for n, v in enumerate(values)]

    titles, told = outcome(layout.file([good(layout), *bad]))

    assert titles == ["Good"]
    assert told <= {Why.NO_CHAT, Why.NO_MESSAGES, Why.NO_MESSAGE, Why.UNFIT}
    assert ImportEntry.objects.filter(outcome="skipped").count() == len(values)


@each_layout
def test_a_chat_without_messages_is_told(layout):
    titles, told = outcome(layout.file([good(layout), layout.chat((), "Bad")]))

    assert titles == ["Good"]
    assert told <= {Why.NO_MESSAGES, Why.NO_CHAT}
    assert told


@each_layout
def test_a_text_of_another_type_is_no_text(layout):
    values = (7, None, {"a": 1}, [7])
    bad = [
        layout.chat((PLAIN[0], PLAIN[1]._replace(text=value)), f"Bad {number}")
        for number, value in enumerate(values)
    ]

    titles, _ = outcome(layout.file([good(layout), *bad]))

    assert "Good" in titles
    said = Message.objects.filter(role="assistant").values_list("text", flat=True)
    assert set(said) <= {"Hello", ""}


@each_layout
def test_a_huge_text_concerns_its_chat_alone(layout):
    bad = layout.chat((PLAIN[0], PLAIN[1]._replace(text="x" * (LONG + 1))), "Bad")

    assert outcome(layout.file([good(layout), bad])) == (["Good"], {Why.TOO_LONG})


@each_layout
@pytest.mark.parametrize(
    "written", [rb"a\u0000b", rb"a\ud800b", rb"a\udc00\ud800"], ids=["NUL", "half", "wrong way"]
)
def test_what_no_database_stores_is_replaced_or_refused(layout, written):
    content = changed(two(layout), b"Hello", written)

    titles, told = outcome(content)

    assert "Good" in titles or told == {Why.NOT_JSON}
    assert told <= {Why.UNFIT, Why.NOT_JSON}
    assert not any("\0" in text for text in Message.objects.values_list("text", flat=True))


@each_layout
@pytest.mark.parametrize("written", [b"a\0b", b"a\xffb", b"1e999"], ids=["NUL", "no UTF-8", "huge"])
def test_what_is_no_json_ends_the_document(layout, written):
    old = b'"Hello"' if written[:1] == b"1" else b"Hello"
    titles, told = outcome(changed(two(layout), old, written))

    assert told == {Why.NOT_JSON}
    assert set(titles) <= {"Good"}


@each_layout
def test_utf_16_is_told(layout):
    content = json.dumps([good(layout)]).encode("utf-16")

    assert outcome(content) == ([], {Why.NOT_UTF8})


@each_layout
def test_a_file_that_is_cut_off_keeps_no_chat_by_halves(layout):
    whole = two(layout)

    for length in range(len(whole) * 3 // 5, len(whole) - 1, max(1, len(whole) // 5)):
        Conversation.objects.all().delete()
        Message.objects.all()._raw_delete("default")
        titles, told = outcome(whole[:length])
        assert set(titles) <= {"Good"}
        assert told & {Why.NOT_JSON, Why.DAMAGED, Why.CUT, Why.UNKNOWN_FORMAT}


@each_layout
def test_many_levels_are_not_followed(layout):
    deep = b"[" * 10_000 + b"]" * 10_000
    content = changed(two(layout), b'"Hello"', deep)

    titles, told = outcome(content)

    assert (titles, told) == (["Good"], {Why.TOO_DEEP})


@each_layout
def test_times_in_other_units_and_impossible_ones_are_survived(layout):
    strange = [
        layout.chat((PLAIN[0], PLAIN[1]._replace(time=time)), f"Bad {number}")
        for number, time in enumerate(TIMES)
    ]

    titles, told = outcome(layout.file([good(layout), *strange]))

    assert "Good" in titles
    assert told <= {Why.UNFIT}
    assert told or len(titles) == 1 + len(TIMES)
    latest = datetime.now(UTC) + timedelta(minutes=1)
    assert all(
        datetime(1990, 1, 1, tzinfo=UTC) < each < latest
        for each in Message.objects.values_list("created", flat=True)
    )


@pytest.mark.parametrize(
    "layout", [each for each in LAYOUTS if each.has_tree], ids=lambda layout: layout.name
)
class TestTrees:
    """Faults of layouts in which each message names the one before it."""

    def test_a_circle_is_told_and_the_rest_is_kept(self, layout):
        circle = (Said("8", "9", "user", "A"), Said("9", "8", "assistant", "B"))

        titles, told = outcome(layout.file([layout.chat((*PLAIN, *circle), "Round")]))

        assert (titles, told) == (["Round"], {Why.CYCLE})
        assert Message.objects.count() == 2

    def test_a_message_that_follows_itself_is_a_circle(self, layout):
        content = layout.file([layout.chat((*PLAIN, Said("9", "9", "user", "A")), "Round")])
        assert outcome(content) == (["Round"], {Why.CYCLE})

    def test_a_chat_of_nothing_but_a_circle_has_no_messages(self, layout):
        circle = (Said("8", "9", "user", "A"), Said("9", "8", "assistant", "B"))

        content = layout.file([good(layout), layout.chat(circle, "Round")])

        assert outcome(content) == (["Good"], {Why.NO_MESSAGES})

    def test_a_missing_parent_is_told_and_its_message_begins_a_version(self, layout):
        lost = Said("9", "404", "user", "Where was I?")

        titles, told = outcome(layout.file([layout.chat((*PLAIN, lost), "Lost")]))

        assert (titles, told) == (["Lost"], {Why.NO_PARENT})
        assert Conversation.objects.get().branches.count() == 2

    def test_of_two_messages_with_one_id_one_is_taken(self, layout):
        twin = Said("2", "1", "assistant", "Hello again")

        titles, told = outcome(layout.file([layout.chat((*PLAIN, twin), "Twins")]))

        assert titles == ["Twins"]
        assert told == ({Why.DUPLICATE_ID} if layout.can_be_equal else set())
        assert Message.objects.count() == 2


@each_layout
class TestArchives:
    """Faults of archives, whatever they contain."""

    def test_a_document_that_unpacks_without_end(self, layout, settings):
        settings.MAX_IMPORT_BYTES = 100_000
        bomb = json.dumps(good(layout)).encode() + b" " * 50_000_000

        titles, told = outcome(zipped({"conversations.json": bomb}))

        assert told == {Why.TOO_LARGE}
        assert set(titles) <= {"Good"}

    def test_many_documents_that_unpack_to_too_much_together(self, layout, settings):
        settings.MAX_IMPORT_BYTES = 100_000
        plain = json.dumps(good(layout)).encode()
        members = {f"{n:03}.json": plain + b" " * 90_000 for n in range(40)}

        _, told = outcome(zipped(members))

        assert told == {Why.TOO_LARGE}

    def test_a_path_that_leads_out(self, layout, tmp_path, monkeypatch):
        here = tmp_path / "a" / "b"
        here.mkdir(parents=True)
        monkeypatch.chdir(here)
        content = zipped({"../../../etc/cron.d/a.json": good(layout), "/root/b.txt": "x"})

        assert outcome(content) == (["Good"], set())
        assert not list(tmp_path.rglob("*.json"))

    def test_an_archive_in_an_archive(self, layout):
        inner = zipped({"conversations.json": good(layout)})

        assert outcome(zipped({"inner.zip": inner})) == ([], {Why.UNKNOWN_FORMAT})
