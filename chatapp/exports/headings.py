"""Headings of messages in an export: they begin below those of the file, as they do on a page."""

import re
from collections.abc import Iterator

from markdown_it.token import Token

from chatapp.markdown.blocks import lowered, normalise, split_blocks

MAY_BE_HEADING = re.compile(r"^ {0,3}(#|=+[ \t]*$|-+[ \t]*$)", re.MULTILINE)
SIGNS = re.compile(r" {0,3}#+")


def rewritten(text: str) -> str:
    """Return a text with the signs of its headings changed to the levels that it has on a page."""
    if not MAY_BE_HEADING.search(text):
        return text
    text = normalise(text)
    lines: list[str] = text.split("\n")
    for token in reversed(list(_headings(text))):
        first, end = token.map or (0, 0)
        lines[first:end] = [_line(lines[first:end], token)]
    return "\n".join(lines)


def _headings(text: str) -> Iterator[Token]:
    """Yield the headings that are in no list or quotation."""
    for block in lowered(split_blocks(text), []):
        yield from (token for token in block.tokens[:1] if token.type == "heading_open")


def _line(lines: list[str], token: Token) -> str:
    signs = "#" * int(token.tag[1:])
    if token.markup.startswith("#"):
        return SIGNS.sub(signs, lines[0], count=1)
    return " ".join([signs, *(line.strip() for line in lines[:-1])])
