"""The extracted text of a web page is its words, with one line for each block."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.tools.pages import text_of


@pytest.mark.parametrize(
    ("page", "text"),
    [
        pytest.param("<h1>Tea</h1><p>Hot.</p>", "Tea\nHot.", id="blocks"),
        pytest.param("<p>very <b>hot</b> tea", "very hot tea", id="words within a line"),
        pytest.param("<ul><li>one<li>two</ul>", "one\ntwo", id="tags that nobody closed"),
        pytest.param("a<br>b<br/>c", "a\nb\nc", id="line ends"),
        pytest.param("1 &lt; 2 &amp;&amp; 3", "1 < 2 && 3", id="entities"),
        pytest.param("1 < 2 and 3 <4", "1 < 2 and 3 <4", id="signs that are no tags"),
        pytest.param("a<script>b < c</script>d<STYLE>e</STYLE>", "a\nd", id="what is not read"),
        pytest.param("a<script><p>b</p></script>c", "a\nc", id="tags in what is not read"),
        pytest.param("a <!-- <p>b > c --> d", "a d", id="a comment"),
        pytest.param("a <!-- b", "a", id="a comment without end"),
        pytest.param("a<script>b", "a", id="a script without end"),
        pytest.param('<p title="x">a</p>', "a", id="attributes"),
        pytest.param("  a \n\n b\t c ", "a\nb c", id="blanks"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_a_page_becomes_text(page, text):
    assert text_of(page) == text


@pytest.mark.parametrize("part", ["<div>", "<a ", "<!--", "<script>", "</", "&", "<", "<![CDATA["])
def test_a_page_of_one_thing_repeated_is_read_to_its_end(part):
    """Other parsers take minutes for some of these pages."""
    assert len(text_of(part * 200_000)) <= len(part) * 200_000


@given(st.text(alphabet="<>/!-ab= \n&;'\"pscrit"))
def test_whatever_the_page_it_has_a_text(page):
    assert text_of(page) == text_of(page).strip()
