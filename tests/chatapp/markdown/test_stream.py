import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatapp.markdown import BlockStream, stream, to_html
from chatapp.markdown.blocks import normalise, split_blocks

LINES = [
    "a", "*a", "b*", "", "", "", "# h", "#x", "===", "---", "***", "- a", "  - b", "    c",
    "1. a", "1.x", "-x", "```a`", "7) b", "   d", "\te", "> q", "> - q", ">> r", "```", "```py",
    "~~~", "````", "def f(): pass",
    "$$", "$$x$$", "$$x$$ y", "x $$", r"\[", r"\]", r"\[a\] b", "> $$", "- $$", "  $$", "|a|b|",
    "|-|-|", "|1|2|", "|", "[a]: https://b.example", "[a]", "<div>", "</div>", "`a", "b`", "\\",
    "![i](https://c.example)", "a  ", "&amp;", "\u2028", "\x0b", "\0", "e\u0301", "<!--", "- [ ] t",
]  # fmt: skip
CODE, FORMULA = to_html("```\nx\n```"), to_html("$$x$$")
LIST = "- one more\n" * 100
SHOWN_LIST = to_html(LIST)
ENDS = ["\n", "\n", "\n", "\r\n", "\r", "\n\n"]
documents = st.lists(
    st.tuples(st.sampled_from(["", "", "", "  ", "    ", "> ", "- "]), st.sampled_from(LINES))
    | st.tuples(st.just(""), st.text(max_size=12)),
    max_size=25,
).flatmap(
    lambda lines: st.lists(st.sampled_from(ENDS), min_size=len(lines), max_size=len(lines)).map(
        lambda ends: "".join(a + b + end for (a, b), end in zip(lines, ends, strict=True))
    )
)


def deltas(text, sizes):
    """Yield the text in pieces, whose sizes repeat in a cycle."""
    position = 0
    while position < len(text):
        size = sizes[0]
        sizes = [*sizes[1:], size]
        yield text[position : position + size]
        position += size


@settings(max_examples=300, deadline=None)
@given(documents, st.lists(st.integers(1, 30), min_size=1, max_size=10))
def test_streamed_html_is_the_html_of_the_whole_text(text, sizes):
    stream = BlockStream()
    closed = "".join(stream.feed(delta) for delta in deltas(text, sizes))

    assert closed + stream.end() == to_html(text)
    assert stream.text == text


@settings(max_examples=100, deadline=None)
@given(documents)
def test_blocks_are_the_text_without_the_blank_lines_before_it(text):
    text = normalise(text)
    whole = "".join(block.source for block in split_blocks(text))

    assert text.endswith(whole)
    assert text.removesuffix(whole).strip(" \t\n") == ""


@pytest.mark.parametrize(
    ("fed", "html", "tail"),
    [
        pytest.param(["a"], [""], "a", id="half a line"),
        pytest.param(["a\n", "\n"], ["", ""], "a\n\n", id="the last block may go on"),
        pytest.param(["a\n\n", "b\n"], ["", "<p>a</p>\n"], "b\n", id="the next block closes it"),
        pytest.param(["# a\nb\n\nc\n"], ["<h3>a</h3>\n<p>b</p>\n"], "c\n", id="several at once"),
        pytest.param(["a\r", "\n\r\nb\r\n"], ["", "<p>a</p>\n"], "b\n", id="a line end in halves"),
        pytest.param(["```\nx\n", "``", "`\n"], ["", "", CODE], "", id="a fence closes code"),
        pytest.param(["~~~\nx\n", "~~~ \r\ny"], ["", CODE], "y", id="another fence"),
        pytest.param(["````\n", "```\n"], ["", ""], "````\n```\n", id="a shorter fence"),
        pytest.param(["```\n", "```x\n"], ["", ""], "```\n```x\n", id="no closing fence"),
        pytest.param([LIST, "```py", "\n"], ["", "", SHOWN_LIST], "```py\n", id="code ends a list"),
        pytest.param(["$$x$", "$\n"], ["", FORMULA], "", id="mathematics in a line"),
        pytest.param(["$$\nx\n", "$$\n"], ["", FORMULA], "", id="mathematics in lines"),
        pytest.param(["$$\nx\n", "# a\n"], ["", ""], "$$\nx\n# a\n", id="open math swallows lines"),
    ],
)  # fmt: skip
def test_feed(fed, html, tail):
    stream = BlockStream()

    assert [stream.feed(delta) for delta in fed] == html
    assert stream.tail == tail


def test_a_renderer_that_fails_closes_nothing(monkeypatch):
    def broken(block):
        raise RuntimeError("no such rule")

    blocks = BlockStream()
    with monkeypatch.context() as patched:
        patched.setattr(stream, "render_block", broken)
        with pytest.raises(RuntimeError):
            blocks.feed("a\n\nb\n")
    assert blocks.tail == "a\n\nb\n"

    assert blocks.feed("\nlast\n") == "<p>a</p>\n<p>b</p>\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- one more\n" * 4_000, id="a list"),
        pytest.param("````md\n" + "```py\n```\n" * 4_000, id="fences in code"),
        pytest.param("$$\n" + "```\n" * 10_000, id="fences in mathematics"),
    ],
)
def test_a_long_open_block_is_parsed_again_only_when_it_has_grown(monkeypatch, text):
    parsed = []

    def counting(text, most):
        parsed.append(len(text))
        return split_blocks(text, most)

    monkeypatch.setattr(stream, "split_blocks", counting)
    blocks = BlockStream()
    for delta in deltas(text, [7]):
        blocks.feed(delta)

    assert blocks.tail == text
    assert sum(parsed) <= 12 * len(text)
    assert len(parsed) <= 150
