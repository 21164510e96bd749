"""A text that is too costly to format is shown unformatted from the costly block on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatapp.markdown import BlockStream, to_html
from chatapp.markdown.blocks import plain, split_blocks, too_long
from chatapp.markdown.effort import MOST
from tests.chatapp.markdown.audit import text_of
from tests.chatapp.markdown.test_bounds import MEGABYTE, PATTERNS, calls
from tests.chatapp.markdown.test_stream import deltas, documents

pytestmark = pytest.mark.whole

DEAR = [
    "- a\n\n", "- - - a\n", "> > > a\n\n", "|a|b|c|d|\n", "|\\||\n", "---\n", "$$a$$\n\n", "a b c ",
    "*a* ", "[a](https://b.example) ", "$a$ ", "$x^2$ ", "$abcdefghijklmnopqrstuvwxyz$ ",
    "```py\nx = 1\n```\n", "```py\n(+;\n(+;\n```\n", "- ```py\n  (+;\n  ```\n",
    "word " * 50 + "\n\n", "http://a.b ",
]  # fmt: skip
LINES = ["- a\n", "|a|b|\n", "# a\n", "a\n\n", "a\n", "*a* ", "$a$ ", "![["]
CALLS = 600  # The most calls per unit of effort.


@pytest.mark.parametrize("pattern", [*PATTERNS, *DEAR], ids=repr)
def test_effort_is_what_it_costs(pattern):
    text = "|a|b|\n|-|-|\n" * pattern.startswith("|") + pattern * (3_000 // len(pattern))

    steps = sum(block.effort for block in split_blocks(text))

    assert calls(text) <= CALLS * steps + 10 * len(text)


@pytest.mark.parametrize("line", ["- a\n", "|a|b|\n"], ids=repr)
def test_a_megabyte_costs_no_more_than_the_most(line):
    text = "|a|b|\n|-|-|\n" * line.startswith("|") + line * (MEGABYTE // len(line))

    assert calls(text) <= 100 * MOST + 5 * len(text)


@pytest.mark.parametrize("line", LINES, ids=repr)
def test_all_of_a_text_that_is_too_long_is_shown(line):
    head = "# *Before*\n\n" + "|a|b|\n|-|-|\n" * line.startswith("|")
    text = (head + line * 40_000).strip()

    before, sentence, rest = to_html(text).partition(too_long())

    assert before.startswith("<h3><em>Before</em></h3>\n")
    assert sentence
    assert rest.startswith('<pre class="plain">')
    assert text.endswith(text_of(rest).strip())
    assert len(before) + len(rest) >= len(text) - len(head)


def test_what_is_shown_plainly_is_escaped():
    rest = "<b>*c*</b>\n\n- d"

    assert to_html(f"a\n\n{rest}", most=5) == f"<p>a</p>\n{too_long()}{plain(rest)}"
    assert "&lt;b&gt;*c*" in to_html("<b>*c*</b>", most=0)


@settings(max_examples=300, deadline=None)
@given(documents, st.lists(st.integers(1, 30), min_size=1, max_size=10), st.integers(0, 80))
def test_a_stream_becomes_too_long_where_the_whole_text_does(text, sizes, most):
    stream = BlockStream(most)
    closed = "".join(stream.feed(delta) for delta in deltas(text, sizes))

    assert closed + stream.end() == to_html(text, most=most)
    assert stream.text == text


@settings(max_examples=30, deadline=None)
@given(documents, st.integers(0, 60))
def test_a_stream_that_ends_anywhere_becomes_too_long_at_the_same_place(text, most):
    stream, closed = BlockStream(most), ""
    for end in range(len(text)):
        closed += stream.feed(text[end])
        assert closed + stream.end() == to_html(text[: end + 1], most=most)


@settings(max_examples=200, deadline=None)
@given(documents, st.data())
def test_a_block_that_grows_never_costs_less(text, data):
    blocks = split_blocks(text)
    lines = text.splitlines(keepends=True)
    part = "".join(lines[: data.draw(st.integers(0, len(lines)))])

    before = split_blocks(part)

    assert len(before) <= len(blocks)
    costs = zip(before, blocks, strict=False)
    assert all(one.effort <= other.effort for one, other in costs)


def test_a_long_stream_is_parsed_no_further_than_it_is_rendered():
    text = "- one more\n" * 40_000
    stream = BlockStream()

    closed = "".join(stream.feed(delta) for delta in deltas(text, [997]))

    assert closed == too_long()
    assert stream.is_full
    assert stream.end() == plain(text)
    assert not stream.is_due("\n" * 1_000)
