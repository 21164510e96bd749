"""docs/engine.md: each drawing shows what the stages make of the page's conversation.

If a drawing is wrong, the test shows the right one.
"""

import re
from pathlib import Path

import pytest

from history.core import Message, project, read_transcript
from history.core.draft.draft import Draft
from history.core.plan.plan import Plan
from history.core.plan.verdict import Verdict
from history.core.projection.project import staged

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "engine.md").read_text()
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
STAGES = [name for name in SECTIONS if name[0].isdigit()]
LINE = re.compile(r" *(\d+)  (\w+) +(.+?)(?: \((\d+) times\))?$")


def blocks(section, language=""):
    pattern = rf"^```{language}\n(.*?)^```$"
    return re.findall(pattern, SECTIONS[section], re.DOTALL | re.MULTILINE)


def read(line):
    """Make a message in OpenAI's format from a line of the page's conversation."""
    _, role, text, times = LINE.match(line).groups()
    if text.startswith("calls "):
        _, id_, name = text.split()
        function = {"name": name, "arguments": "{}"}
        call = {"id": id_, "type": "function", "function": function}
        return {"role": role, "content": None, "tool_calls": [call]}
    id_, _, said = text.partition(": ") if role == "tool" else ("", "", text)
    known = {"tool_call_id": id_} if id_ else {}
    return {"role": role, "content": " ".join([said] * int(times or 1)), **known}


@pytest.fixture
def talk():
    conversation, *_ = blocks("The conversation")
    return read_transcript([read(line) for line in conversation.splitlines()])


@pytest.fixture
def request_of_page(empty_registry):
    names = {}
    exec(blocks("The conversation", "python")[0], names)
    return names["request"]


def letters(draft: Draft) -> list[str]:
    """Return a letter for each message; a dot if no stage has decided about it."""
    rows = (row for row in draft.rows() if isinstance(row.item, Message) and not row.item.label)
    rulings = [row.ruling for row in rows]
    return [
        "." if ruling.verdict is Verdict.KEPT and ruling.rule in {"", "current turn"}
        else str(ruling.verdict)
        for ruling in rulings
    ]  # fmt: skip


def drawing(*rows: tuple[str, list[str]]) -> str:
    """Draw a row of message numbers, and below it a row of letters for each label."""
    numbers = ("", [str(number) for number, _ in enumerate(rows[0][1], start=1)])
    lines = (
        f"{label:6}" + "".join(f"{each:>3}" for each in row) for label, row in (numbers, *rows)
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def history(plan: Plan) -> list[str]:
    entries = [entry for entry in plan.entries if entry.positions]
    return [str(entry.verdict) for entry in entries for _ in entry.positions]


def test_each_stage_is_drawn_before_and_after_it(talk, request_of_page):
    before = ["."] * len(talk.messages)
    for section, (name, draft) in zip(STAGES, staged(talk.messages, request_of_page), strict=True):
        after = letters(draft)
        assert section.partition(". ")[2].lower() == name
        assert blocks(section) == [drawing(("before", before), ("after", after))]
        assert after != before, f"{name} changes nothing in this conversation"
        before = after


def test_what_comes_out_is_the_plan_with_its_reasons(talk, request_of_page):
    plan = project(talk.messages, request_of_page).plan
    reasons = "".join(
        " ".join(map(str, (entry.verdict, _places(entry), *entry.reasons))).rstrip() + "\n"
        for entry in plan.entries
    )

    assert blocks("What comes out") == [drawing(("plan", history(plan))), reasons]


def _places(entry):
    numbers = [place + 1 for place in entry.positions]
    return "-".join(map(str, dict.fromkeys((numbers[0], numbers[-1])))) if numbers else entry.label


def test_there_are_ten_stages_and_each_names_its_code():
    assert [int(name.partition(".")[0]) for name in STAGES] == list(range(1, 11))
    assert [name for name in STAGES if "`history/core/" not in SECTIONS[name]] == []


def test_the_draft_can_be_watched_as_the_page_says(talk, request_of_page, capsys):
    exec(*blocks("What comes out", "python"), {"talk": talk, "request": request_of_page})

    assert len(capsys.readouterr().out.splitlines()) == len(STAGES)
