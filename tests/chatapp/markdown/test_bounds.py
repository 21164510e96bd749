"""The cost of a hostile text grows only with its length. Calls are counted, not time."""

import sys

import pytest

from chatapp.markdown import to_html
from chatapp.markdown.blocks import MAX_INLINE
from tests.chatapp.markdown.audit import text_of

MEGABYTE = 1 << 20


def calls(text):
    """Count the Python and C function calls that rendering `text` takes."""
    counted = 0

    def count(_frame, event, _argument):
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        to_html(text)
    finally:
        sys.setprofile(before)
    return counted


PATTERNS = [
    "[", "![", "[a](", "[a](<b", '[a](b "', "[[](", "[![](", "](", "*a ", "**a", "_a*", "*a*b*",
    "~~a ", "`a", "`a``", "\\", "\\(", "\\[", "$a", "$", "$$", "<", "<a@", "<http:", "&", "&#",
    "- a\n", "> a\n", ">> a\n", "1. a\n\n", "a\n", "# a\n", "a\n---\n", "```\n", "~~~\n", "    a\n",
    "|a|b|\n", "|\n", "\n", "\t", "- \n", "$$\n", "\\[\n", "$$a\n\n", "*a _b ", "a  \n",
    "[a]: b\n", "> - a\n", ":", "://", "http://", "xhttp://", "http://a ", "http://a)", "http://a*",
    "- [ ] a\n",
]  # fmt: skip


@pytest.mark.whole
@pytest.mark.parametrize("pattern", PATTERNS, ids=repr)
def test_twice_the_text_costs_no_more_than_twice_as_much(pattern):
    once, twice = (calls(pattern * (size // len(pattern))) for size in (2_000, 4_000))

    assert twice <= 2.2 * once + 1_000
    assert once <= 2_000 * 500


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(">" * 100_000 + "end", id="quotes"),
        pytest.param("> " * 100_000 + "end", id="spaced quotes"),
        pytest.param("- " * 100_000 + "end", id="lists"),
        pytest.param("1. " * 100_000 + "end", id="numbered lists"),
        pytest.param("".join("  " * n + "- a\n" for n in range(100)), id="a list a line deeper"),
        pytest.param("*a _b " * 40 + "x" + "y_ z*" * 40, id="emphasis"),
        pytest.param("a" * MEGABYTE, id="one line"),
    ],
)
def test_what_is_too_deep_or_too_long_is_shown_as_it_was_written(text):
    html = to_html(text)

    assert html.startswith('<pre class="plain">')
    assert text_of(html).strip() == text.strip()


def test_only_the_block_that_is_too_long_is_shown_plainly():
    long = "a" * (MAX_INLINE + 1)

    assert to_html(f"*a*\n\n{long}\n\n*b*") == (
        f'<p><em>a</em></p>\n<pre class="plain">{long}</pre>\n<p><em>b</em></p>\n'
    )


def test_a_long_list_is_still_a_list():
    assert to_html("- a\n" * 4_900).count("<li>a</li>") == 4_900


def test_a_megabyte_of_code_is_still_code():
    code = "x = 1\n" * (MEGABYTE // 6)

    assert f'<pre tabindex="0"><code>{code}</code></pre>' in to_html(f"```python\n{code}```")


def test_a_small_table_does_not_grow_without_end():
    columns = 200
    text = "|" + "a|" * columns + "\n|" + "-|" * columns + "\n" + "|\n" * columns

    assert len(to_html(text)) <= 40 * len(text)


def test_a_row_may_lack_a_few_cells():
    columns = 9
    head = "|" + "a|" * columns + "\n|" + "-|" * columns + "\n"

    assert to_html(f"{head}|b|\n").count("<td>") == columns
    assert to_html(f"{head}b\n").endswith("</table>\n<p>b</p>\n")
