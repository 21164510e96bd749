"""Vitrine's own exports can be imported with the same branches; other files get a sentence."""

import json
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.transcript.messages import Role
from history.models.file_record import unpacked_record
from history.services.exports.message_schema import ExportedMessage
from history.services.exports.schema import ExportedBranch
from history.services.imports.chats import Why
from history.services.imports.readers.vitrine_messages import MessagesOfFile
from history.services.imports.tree import branches_of
from history.wording.imports import skipped
from tests.history.services.imports.files import chats_in, zipped

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


def chat(**fields):
    agent = {"slug": "demo", "name": "Demo"}
    times = {"created": NOON.isoformat(), "active": NOON.isoformat()}
    return {"id": str(uuid4()), "title": "Tides", "agent": agent, "branch": 1, **times, **fields}


def message(id_, text="Hello", branch=1, position=0, **fields):
    turn, created = 1, NOON.isoformat()
    told = {"id": id_, "branch": branch, "position": position, "turn": turn, "created": created}
    return {**told, "role": "user", "text": text, **fields}


def document(*messages, **fields):
    branch = {"id": 1, "lineage": [], "created": NOON.isoformat()}
    head = {"format": "vitrine-chat", "version": "1.0", "exported": NOON.isoformat()}
    return {**head, "chat": chat(), "branches": [branch], "messages": list(messages), **fields}


def why_of(content):
    """Return why the only chat of a file is refused, and the place of the fault."""
    chats, (found,) = chats_in(content)
    assert chats == []
    assert skipped(found.as_dict())
    return found.why, found.where


@st.composite
def transcripts(draw):
    """Draw an export's branches and messages; each branch leaves an earlier one."""
    branches, rows = [], []
    for number in range(1, draw(st.integers(1, 6)) + 1):
        lineage: list[tuple[int, int]] = []
        if branches:
            from_ = draw(st.sampled_from(branches))
            ends = [
                *from_.lineage,
                (from_.id, max(r.position for r in rows if r.branch == from_.id)),
            ]
            through = draw(st.integers(-1, ends[-1][1]))
            lineage = [(b, min(last, through)) for b, last in ends if first_of(ends, b) <= through]
        start = lineage[-1][1] + 1 if lineage else 0
        branches.append(ExportedBranch(id=number, lineage=lineage, created=NOON))
        rows += [
            ExportedMessage(
                id=len(rows) + n + 1,
                branch=number,
                position=start + n,
                turn=0,
                role=draw(st.sampled_from(["user", "assistant", "system"])),
                text=f"{number}:{start + n}",
                created=NOON,
            )
            for n in range(draw(st.integers(1, 4)))
        ]
    return branches, rows


def first_of(ends, branch):
    """Return the first position that a path takes from a branch."""
    place = [b for b, _ in ends].index(branch)
    return ends[place - 1][1] + 1 if place else 0


def paths(branches, rows):
    """Yield the texts on the path of each branch."""
    by_place = {(row.branch, row.position): row.text for row in rows}
    for branch in branches:
        own = [row.text for row in rows if row.branch == branch.id]
        spans = [*branch.lineage]
        starts = [0, *(last + 1 for _, last in spans)]
        shared = [
            by_place[owner, position]
            for (owner, last), start in zip(spans, starts, strict=False)
            for position in range(start, last + 1)
        ]
        yield tuple(shared + own)


def lines_as_paths(lines):
    for line in lines:
        texts, of, through = [m.text for m in line.messages], line.of, line.through
        while of is not None:
            before = lines[of]
            own = [m.text for m in before.messages][: max(0, through - before.through)]
            texts, through = own + texts, min(through, before.through)
            of = before.of
        yield tuple(texts)


@given(transcripts())
def test_the_paths_of_all_branches_are_the_same(transcript):
    branches, rows = transcript
    work = MessagesOfFile([])
    for branch in branches:
        work.branch(branch)
    for row in rows:
        work.take(row)

    found = branches_of(work.read, work.last_of(branches[-1].id))

    ways = set(lines_as_paths(found.lines))
    assert found.skipped == ()
    for path in paths(branches, rows):
        assert any(way[: len(path)] == path for way in ways)
    assert len(work.read) == len(rows) == sum(len(line.messages) for line in found.lines)


def test_a_chat_has_its_title_agent_settings_marks_and_open_branch():
    told = chat(settings={"length": 3}, pinned=NOON.isoformat(), branch=2)
    branches = [
        {"id": 1, "lineage": [], "created": NOON.isoformat()},
        {"id": 2, "lineage": [[1, 0]], "created": NOON.isoformat()},
    ]
    marks = [{"message": 1, "kind": "pin", "created": NOON.isoformat()}]
    messages = [message(1), message(2, "Old", position=1), message(3, "New", 2, 1)]

    (found,), left = chats_in(document(*messages, chat=told, branches=branches, marks=marks))

    assert (found.title, found.agent, found.settings) == ("Tides", "demo", {"length": 3})
    assert (found.marks, found.current, found.is_pinned) == ({"1": "pin"}, "3", True)
    assert [(m.id, m.parent) for m in found.messages] == [("1", None), ("2", "1"), ("3", "1")]
    assert left == []


def test_an_archive_of_markdown_is_told_from_other_files():
    archive = zipped({"chats/2026-tides.md": "# Tides", "manifest.json": {"chats": []}})

    chats, (found,) = chats_in(archive)

    assert chats == []
    assert found.why is Why.MARKDOWN
    assert "as JSON" in skipped(found.as_dict())


def test_a_delegated_chat_is_archived():
    asked = {"chat": str(uuid4()), "generation": str(uuid4()), "call": "c1"}
    (found,), _ = chats_in(document(message(1), chat=chat(asked_by=asked)))
    assert found.is_archived


def test_unknown_fields_and_lists_of_a_newer_minor_version_are_left_out():
    newer = document(message(1, colour="red"), version="1.7", dreams=[{"of": "sheep"}])
    (found,), left = chats_in(newer)
    assert ([m.text for m in found.messages], left) == (["Hello"], [])


@pytest.mark.parametrize(
    ("content", "why", "where"),
    [
        pytest.param(document(version="2.0"), Why.OTHER_VERSION, "export.json", id="newer"),
        pytest.param(document(version="0.9"), Why.OTHER_VERSION, "export.json", id="older"),
        pytest.param(document(version="one"), Why.OTHER_VERSION, "export.json", id="no version"),
        pytest.param(
            document(message(1), message(2, position=1, role="judge")),
            Why.UNFIT,
            "export.json: messages[1].role",
            id="role",
        ),
        pytest.param(
            document(message(1, "a\0b")), Why.UNFIT, "export.json: messages[0].text", id="NUL"
        ),
        pytest.param(
            document(message(1, position=-1)),
            Why.UNFIT,
            "export.json: messages[0].position",
            id="position",
        ),
        pytest.param(document("Hello"), Why.UNFIT, "export.json: messages[0]", id="no message"),
        pytest.param(
            document(message(1, parts=[{"kind": "dream"}])),
            Why.UNFIT,
            "export.json: messages[0].parts.0",
            id="part",
        ),
        pytest.param(
            document(message(1, created="2026-11-23T12:00:00")),
            Why.UNFIT,
            "export.json: messages[0].created",
            id="time without a zone",
        ),
        pytest.param(
            document(
                message(
                    1,
                    role="assistant",
                    parts=[{"kind": "reasoning", "form": "text", "fields": {"a": ["\0"]}}],
                )
            ),
            Why.UNFIT,
            "export.json: messages[0].parts.0.reasoning.fields",
            id="NUL in a provider's field",
        ),
        pytest.param(document(chat={}), Why.UNFIT, "export.json: chat.id", id="chat"),
        pytest.param(document(chat=[]), Why.NO_CHAT, "export.json", id="no chat"),
    ],
)
def test_what_is_not_as_the_schema_says_is_refused_with_its_place(content, why, where):
    assert why_of(content) == (why, where)


def test_a_file_that_is_cut_off_gives_nothing():
    data = json.dumps(document(message(1), message(2, position=1))).encode()
    assert why_of(data[:-40]) == (Why.NOT_JSON, "export.json")


def test_in_an_archive_one_bad_chat_keeps_no_other_out():
    files = {
        "chats/a.json": document(message(1)),
        "chats/b.json": document(version="2.0"),
        "chats/c.json": document(message(1, role="judge")),
        "manifest.json": {"format": "vitrine-export", "chats": []},
    }

    chats, left = chats_in(zipped(files))

    assert len(chats) == 1
    assert [(each.why, each.where) for each in left] == [
        (Why.OTHER_VERSION, "chats/b.json"),
        (Why.UNFIT, "chats/c.json: messages[0].role"),
    ]


def plan(**fields):
    told = {"generation": str(uuid4()), "step": 1, "branch": 1, "head": 0, "planner": 6}
    return {**told, "plan": {"entries": []}, "created": NOON.isoformat(), **fields}


def summary(**fields):
    told = {"id": 7, "branch": 1, "first": 0, "last": 0, "first_turn": 1, "last_turn": 1}
    more = {"prompt_version": 1, "summary": "They met.", "state": "ready"}
    return {**told, **more, "created": NOON.isoformat(), **fields}


def test_records_of_requests_and_summaries_belong_to_the_newest_message_that_was_sent():
    lineage = {"id": 2, "lineage": [[1, 0]], "created": NOON.isoformat()}
    branches = [document()["branches"][0], lineage]
    messages = [message(1), message(2, position=1), message(3, branch=2, position=1)]
    plans = [plan(), plan(branch=2), plan(branch=2, head=1), plan(head=9)]

    summaries = [summary(last=1), summary(last=9)]
    (found,), _ = chats_in(document(*messages, branches=branches, plans=plans, summaries=summaries))

    records = [(record.kind, record.message) for record in found.records]
    assert records == [("request", "1"), ("request", "1"), ("request", "3"), ("summary", "2")]
    assert unpacked_record(found.records[2].packed) == plans[2]
    assert unpacked_record(found.records[3].packed) == summaries[0]
    assert [(each.why, each.figures) for each in found.skipped] == [(Why.RECORDS, {"count": 2})]


def test_a_call_has_its_result_and_a_text_its_file():
    call = {"id": "c1", "name": "find", "arguments": "{}"}
    file = {
        **{"kind": "file", "name": "notes.txt", "type": "text/plain"},
        **{"digest": "d" * 64, "supplied": "e" * 64, "text": "Berth 041", "at": 3},
    }
    messages = [
        message(1, parts=[file]),
        message(2, "", position=1, role="assistant", tool_calls=[call]),
        message(3, "41", position=2, role="tool", tool_call_id="c1", tool_name="find"),
    ]

    (found,), _ = chats_in(document(*messages))

    (notes,) = found.messages[0].parts
    assert (notes.name, notes.data, notes.at) == ("notes.txt", b"Berth 041", 3)
    assert found.messages[1].calls[0].name == "find"
    assert (found.messages[2].role, found.messages[2].call_id) == (Role.TOOL, "c1")


def test_an_answer_has_the_names_of_the_agents_that_its_file_gives():
    generation = str(uuid4())
    slugs_and_names = [("demo", "Demo"), ("guide", "The guide")]
    answered = [
        {"agent": {"slug": slug, "name": name}, "model": f"m/{slug}"}
        for slug, name in slugs_and_names
    ]
    times = {"created": NOON.isoformat(), "kind": "answer", "status": "done"}
    work = {"id": generation, "branch": 1, "turn": 1, "answered_by": answered, **times}
    role = {"role": "assistant"}
    messages = [
        message(1),
        message(2, position=1, generation=generation, agent="demo", **role),
        message(3, position=2, generation=generation, agent="guide", **role),
        message(4, position=3, generation=generation, **role),
        message(5, position=4, agent="An earlier guide", imported=True, model="gpt-5", **role),
        message(6, position=5, agent="slug", **role),
    ]

    told = document(generations=[work])
    del told["messages"]  # In a file, the generations come before the messages.
    (found,), _ = chats_in({**told, "messages": messages})

    assert [(each.agent, each.model) for each in found.messages] == [
        *(("", ""), ("Demo", "m/demo"), ("The guide", "m/guide"), ("Demo", "m/demo")),
        *(("An earlier guide", "gpt-5"), ("", "")),
    ]


def test_an_answer_that_a_newer_message_passed_over_is_so_in_its_copy():
    work = {"id": str(uuid4()), "branch": 1, "turn": 1, "answered_by": [], "kind": "answer"}
    told = {**work, "status": "passed_over", "created": NOON.isoformat()}
    said = message(2, position=1, generation=work["id"], role="assistant")

    whole = document(generations=[told])
    del whole["messages"]
    (found,), _ = chats_in({**whole, "messages": [message(1), said]})

    assert found.messages[1].answer.status == "passed_over"
