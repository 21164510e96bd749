import pytest

from chatapp.markdown import to_html
from chatapp.markdown.joining import joined, open_end

TABLE = "| a | b |\n|---|---|\n"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("One.\n\nTwo is bro", "Two is bro"),
        ("One.\n\n", "One.\n\n"),
        ("```py\nx = 1\ny =", "```py\nx = 1\ny ="),
        (f"Look:\n\n{TABLE}| 1 | ", f"{TABLE}| 1 | "),
        ("So:\n\n- one\n- tw", "- one\n- tw"),
        ("```py\nx = 1\n```", ""),
        ("One.\n\n## A heading", ""),
        ("One.\n\n---", ""),
        ("$$x = 1$$", ""),
        ("", ""),
    ],
)
def test_another_text_can_go_on_in_a_block_that_is_not_closed(text, end):
    assert open_end(text) == end


@pytest.mark.parametrize(
    ("before", "text", "whole"),
    [
        ("It was", "a dark night", "It was a dark night"),
        ("It was", ", they say,", "It was, they say,"),
        ("It was ", "a dark night", "It was a dark night"),
        ("Over.", "And on", "Over. And on"),
        ("Pi is 3.1", "4", "Pi is 3.14"),
        ("well-", "known", "well-known"),
        ("今日は", "いい天気", "今日はいい天気"),
        ("- one", "- two", "- one\n- two"),
        ("Over.", "# Next", "Over.\n# Next"),
        (f"{TABLE}| 1 | 2 |", "| 3 | 4 |", f"{TABLE}| 1 | 2 |\n| 3 | 4 |"),
        (f"{TABLE}| 1 |", " 2 |", f"{TABLE}| 1 | 2 |"),
        ("```py\nde", "f()", "```py\ndef()"),
        ("", "All of it", "All of it"),
    ],
)
def test_only_what_a_model_leaves_out_is_put_between_two_texts(before, text, whole):
    assert joined(before, text) == whole


@pytest.mark.parametrize(
    ("text", "rest", "html"),
    [
        ("One.\n\nIt was", "dark.\n\nSo", "<p>It was dark.</p>\n<p>So</p>\n"),
        (f"{TABLE}| 1 | ", "2 |\n", "<td>2</td>"),
        ("```\none", "\ntwo\n```\n\nSo", "one\ntwo\n</code>"),
    ],
)
def test_a_block_that_was_broken_off_is_one_block_again(text, rest, html):
    assert html in to_html(joined(open_end(text), rest))
