"""The notes that the offline model is asked to send."""

import pytest

from chatapp.llm.mirror.mind import answer
from chatapp.llm.mirror.notes import notes_in
from chatapp.llm.mirror.tools import MirrorCall


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("Send a note to Ada: come at eight.", [("Ada", "come at eight.")]),
        ("A note for Grace Hopper:  bring: charts", [("Grace Hopper", "bring: charts")]),
        ("note to A: one\nnote to B: two", [("A", "one"), ("B", "two")]),
        ("Which notes have you sent?", []),
        ("Send a note to Ada", []),
        ("Send a note to : nobody", []),
    ],
)
def test_notes_are_found(text, notes):
    assert notes_in(text) == notes


def test_the_mirror_calls_the_tool_if_it_has_it():
    asked = [{"role": "user", "content": "Send a note to Ada: come."}]
    call = MirrorCall("send_note", {"to": "Ada", "text": "come."})

    assert answer(asked, ["send_note"]).calls == (call,)
    assert answer(asked, ["calculator"]).calls == ()
