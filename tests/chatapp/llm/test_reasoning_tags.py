"""Thinking between tags is found, wherever the stream's pieces split the tags."""

from itertools import groupby

import pytest

from chatapp.llm.reasoning.tags import LONGEST_BLANK, TagSplitter

TABLE = [
    pytest.param("<think>Hm.</think>Yes.", [("think", "Hm."), ("", "Yes.")], id="both"),
    pytest.param(
        "\n<think>\nHm\n</think>\n\nYes", [("think", "\nHm\n"), ("", "\n\nYes")], id="lines"
    ),
    pytest.param("<thinking>Hm.</thinking>Yes.", [("thinking", "Hm."), ("", "Yes.")], id="longer"),
    pytest.param("<think>Hm.", [("think", "Hm.")], id="never closed"),
    pytest.param("<think>Hm.</thi", [("think", "Hm.</thi")], id="closed in part"),
    pytest.param("<think></think>Yes.", [("", "Yes.")], id="nothing thought"),
    pytest.param("<think>a </b> </think>", [("think", "a </b> ")], id="other tags"),
    pytest.param("Say <think>x</think>", [("", "Say <think>x</think>")], id="later in the text"),
    pytest.param("<thinker>x", [("", "<thinker>x")], id="another tag"),
    pytest.param("<thi", [("", "<thi")], id="the beginning of one"),
    pytest.param(" " * 300, [("", " " * 300)], id="nothing but blanks"),
    pytest.param("", [], id="nothing"),
]


OPENED = [
    pytest.param("Hm.</think>Yes.", [("think", "Hm."), ("", "Yes.")], id="closed"),
    pytest.param("\nHm.\n</think>\nYes.", [("think", "\nHm.\n"), ("", "\nYes.")], id="lines"),
    pytest.param("<think>Hm.</think>Yes.", [("think", "Hm."), ("", "Yes.")], id="opened again"),
    pytest.param("</think>Yes.", [("", "Yes.")], id="nothing thought"),
    pytest.param("Hm. a < b", [("think", "Hm. a < b")], id="never closed"),
    pytest.param("<thi", [("think", "<thi")], id="the beginning of a tag"),
    pytest.param(" " * 300, [("think", " " * 300)], id="nothing but blanks"),
]


def split(pieces, **how):
    splitter = TagSplitter(**how)
    found = [part for piece in pieces for part in splitter.feed(piece)] + list(splitter.end())
    runs = groupby(found, key=lambda part: part.tag)
    return [(tag, "".join(part.text for part in run)) for tag, run in runs]


@pytest.mark.parametrize(("text", "parts"), TABLE)
@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 1_000])
def test_the_parts_are_the_same_in_pieces_of_any_size(text, parts, size):
    assert split(text[n : n + size] for n in range(0, len(text), size)) == parts


@pytest.mark.parametrize(("text", "parts"), OPENED)
@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_a_text_whose_tag_the_prompt_opened_begins_inside(text, parts, size):
    pieces = [text[n : n + size] for n in range(0, len(text), size)]

    assert split(pieces, opened=True) == parts


def test_without_that_a_closing_tag_alone_is_text():
    assert split(["Hm.</think>Yes."]) == [("", "Hm.</think>Yes.")]


def test_a_text_is_not_held_back_for_ever():
    splitter = TagSplitter()

    assert list(splitter.feed("\n" * LONGEST_BLANK)) == []
    assert "".join(part.text for part in splitter.feed("\n")) == "\n" * (LONGEST_BLANK + 1)
