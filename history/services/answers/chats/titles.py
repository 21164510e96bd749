"""Make a chat's title from its first message: its first line, without Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from history.core.transcript.parts import Part, attached

LENGTH = 60
READ = 1_000  # How many characters of a message are read, which is plenty for a title.
BLOCKS = frozenset({"inline", "fence", "code_block"})


def title_of(text: str) -> str:
    """Return the first line that contains words, or else the first line."""
    read = text.strip()[:READ]
    return shortened(next(_lines(read), read.partition("\n")[0]))


def first_title(text: str, parts: Iterable[Part]) -> str:
    """Return the title that a chat with this first message gets: one made from its text, or else
    its first file's name.
    """
    return title_of(text) or next((shortened(part.name) for part in attached(parts)), "")


def shortened(line: str) -> str:
    """Cut a long line at a word."""
    if len(line) <= LENGTH:
        return line
    return line[:LENGTH].rsplit(" ", 1)[0].rstrip(" ,;:.") + "\N{HORIZONTAL ELLIPSIS}"


def _lines(text: str) -> Iterator[str]:
    """Yield the words of each line, without Markdown syntax."""
    for token in _parser().parse(text):
        if token.type in BLOCKS:
            words = _said(token.children) if token.children else token.content
            yield from filter(None, map(str.strip, words.splitlines()))


def _said(tokens: Sequence[Token]) -> str:
    """Return the words of a line; for an image, its description."""
    breaks = {"softbreak": "\n", "hardbreak": "\n"}
    return "".join(
        _said(token.children) if token.children else breaks.get(token.type, token.content)
        for token in tokens
    )


@cache
def _parser() -> MarkdownIt:
    """Return a parser that keeps HTML tags as typed."""
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
