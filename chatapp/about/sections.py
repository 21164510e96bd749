"""Divide the documents into sections."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from django.urls import reverse
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chatapp.about.documents import Document, anchor_of, documents

# What stands for cells and rows in plain text.
DIVIDED = {"th_close": " ·", "td_close": " ·", "tr_close": ";"}
NO_CELL = re.compile(r"( ·)+ ;|( ·)+(?= ·)")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the plain text below it. The first section of a document has no heading, and
    begins below the document's title. `level` is 2 for the highest headings.
    """

    document: Document
    heading: str = ""
    anchor: str = ""
    level: int = 2
    text: str = ""

    @property
    def address(self) -> str:
        page = reverse("document", args=[self.document.name])
        return f"{page}#{self.anchor}" if self.anchor else page


@cache
def sections_of(name: str) -> tuple[Section, ...]:
    return tuple(_sections(documents()[name]))


def contents_of(name: str) -> list[Section]:
    """Return the headings of a document down to the third level."""
    return [section for section in sections_of(name) if section.heading and section.level <= 3]


def _sections(document: Document) -> Iterator[Section]:
    tokens = MarkdownIt("commonmark").enable("table").parse(document.text)
    head, texts = Section(document), list[str]()
    for opening, token in zip([None, *tokens], tokens, strict=False):
        if opening and opening.type == "heading_open":
            yield _with(head, texts)
            level, anchor = int(opening.tag[1:]), anchor_of(token.content)
            head, texts = Section(document, _plain(token), anchor, level), []
        elif token.type in {"inline", "fence", "code_block"}:
            texts.append(_plain(token))
        texts.append(DIVIDED.get(token.type, ""))
    yield _with(head, texts)


def _with(head: Section, texts: Sequence[str]) -> Section:
    text = " ".join(" ".join(texts).split())
    text = NO_CELL.sub(lambda match: ";" * match[0].endswith(";"), text).lstrip(" ·")
    return Section(head.document, head.heading, head.anchor, head.level, text)


def _plain(token: Token) -> str:
    """Return the text of a token as a reader sees it."""
    if token.children is None:
        return token.content
    return "".join(
        child.content if child.content else " " * child.type.endswith("break")
        for child in token.children
    )
