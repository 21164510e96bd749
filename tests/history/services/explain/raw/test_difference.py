"""The differences between two requests, message by message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.services.explain.raw.difference import ChangeKind, changes, difference
from history.services.explain.raw.request import RebuiltRequest, SentMessage

PROMPT = SentMessage(None, "system prompt", {"role": "system", "content": "Be kind"})
TODAY = SentMessage(None, "date", {"role": "user", "content": "Monday"})


def said(position, text=""):
    content = {"role": "user", "content": text or f"message {position}"}
    return SentMessage(position, "", content)


def request(*sent, **parameters):
    return RebuiltRequest(
        {"messages": [s.content for s in sent], **parameters}, sent, "", matches=True
    )


def kinds(before, after):
    """Return each change as its kind's first letter with its position or label."""
    found = changes(before, after)
    return [f"{c.kind[0]}{c.sent.label or c.sent.position}" for c in found]


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        pytest.param([PROMPT, said(0)], [PROMPT, said(0)], "usystem prompt u0", id="the same"),
        pytest.param([said(0)], [said(0), said(1), said(2)], "u0 a1 a2", id="it goes on"),
        pytest.param(
            [said(0), said(1), said(2)],
            [said(2), said(3)],
            "r0 r1 u2 a3",
            id="the window slides",
        ),
        pytest.param(
            [said(1), said(2)],
            [said(1, "[Omitted]"), said(2)],
            "c1 u2",
            id="a message is another",
        ),
        pytest.param(
            [said(0), TODAY, said(1)],
            [said(0), said(1), TODAY, said(2)],
            "u0 rdate u1 adate a2",
            id="a text moves with the turn",
        ),
        pytest.param([], [said(0)], "a0", id="from nothing"),
        pytest.param([said(0)], [], "r0", id="to nothing"),
    ],
)
def test_requests_are_compared_by_message(before, after, found):
    assert " ".join(kinds(before, after)) == found


@given(st.lists(st.integers(0, 30), unique=True), st.lists(st.integers(0, 30), unique=True))
def test_the_changes_lead_from_one_to_the_other(before, after):
    """The changes contain all messages of both requests, whatever their order."""
    found = list(changes([said(n) for n in before], [said(n) for n in after]))

    assert [c.was.position for c in found if c.was] == before
    assert [c.now.position for c in found if c.now] == after


def test_runs_are_counted_by_kind():
    found = difference(request(said(0), said(1)), request(said(1), said(2), said(3)))

    assert [(stretch.kind, len(stretch.changes)) for stretch in found.stretches] == [
        *((ChangeKind.REMOVED, 1), (ChangeKind.SAME, 1), (ChangeKind.ADDED, 2))
    ]
    assert found.counts == {
        ChangeKind.SAME: 1,
        ChangeKind.REMOVED: 1,
        ChangeKind.ADDED: 2,
        ChangeKind.CHANGED: 0,
    }


def test_parameters_and_tools_are_compared_beside_the_messages():
    before = request(said(0), model="a", temperature=0.2)
    after = request(said(0), model="a", temperature=0.7, tools=[{"type": "function"}])

    found = difference(before, after)

    assert found.parameters == (("temperature", 0.2, 0.7),)
    assert found.tools


def test_equal_requests_do_not_differ():
    found = difference(request(said(0), model="a"), request(said(0), model="a"))

    assert (found.parameters, found.tools) == ((), False)
    assert [stretch.kind for stretch in found.stretches] == [ChangeKind.SAME]


def test_a_changed_text_is_told_line_by_line():
    (change,) = changes([said(0, "one\ntwo\nthree")], [said(0, "one\n2\nthree")])

    assert change.lines == ["@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"]


def test_a_call_is_a_line_of_its_own():
    call = {"id": "c1", "function": {"name": "search", "arguments": "{}"}}
    calling = SentMessage(0, "", {"role": "assistant", "content": None, "tool_calls": [call]})
    (change,) = changes([calling], [SentMessage(0, "", {"role": "assistant", "content": "No"})])

    assert change.lines[1:] == ["-", '-{"arguments":"{}","name":"search"}', "+No"]


def test_a_very_long_text_is_not_compared():
    (change,) = changes([said(0, "a" * 30_000)], [said(0, "b")])

    assert change.lines is None


def test_images_are_compared_by_their_bytes_and_told_by_their_size():
    def shown(data, text="Look"):
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}
        return SentMessage(
            0, "", {"role": "user", "content": [image, {"type": "text", "text": text}]}
        )

    (other,) = changes([shown("AAAA")], [shown("AAAB")])
    (worded,) = changes([shown("AAAA")], [shown("AAAA", "See")])

    assert (other.kind, other.lines) == (ChangeKind.CHANGED, [])
    image = " [image/png;base64, 4 characters]"
    assert (worded.kind, worded.lines[1:]) == (ChangeKind.CHANGED, [image, "-Look", "+See"])
