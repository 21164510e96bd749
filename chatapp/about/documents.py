"""The documents that come with Vitrine, as pages: their links and pictures work there.

The documents are our own texts, so they need neither the limits nor the checks that apply to what a
model writes.
"""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from chatapp.markdown import highlight, tables

DOCS = "docs/"
ELSEWHERE = ("README.md", "CONTEXT.md", "CHANGELOG.md", "LICENSE", "history/core/README.md")
SUPPLEMENTS = {  # The files that documents may show or link to: their endings, and their types.
    ".png": "image/png",
    ".webp": "image/webp",
    ".json": "application/json",
}
OUTSIDE = re.compile(r"https?://")


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the project. `path` is relative to the project's folder."""

    path: str
    title: str
    text: str

    @property
    def name(self) -> str:
        """The document's name in addresses: `history`, `adr/0001-append-only`, `README`."""
        return _name(self.path)


@cache
def documents() -> dict[str, Document]:
    """Return all documents, by their names in addresses."""
    folder = settings.BASE_DIR / DOCS
    others = [settings.BASE_DIR / name for name in ELSEWHERE]
    paths = [*others, *folder.glob("*.md"), *folder.glob("adr/*.md")]
    return {document.name: document for document in map(_document, paths)}


@cache
def supplements() -> dict[str, Path]:
    """Return the files that documents show or link to, by their names in addresses."""
    files = (settings.BASE_DIR / DOCS).rglob("*")
    return {_name(_path(file)): file for file in files if file.suffix in SUPPLEMENTS}


@cache
def page_of(name: str) -> SafeString:
    """Render a document's text below its title."""
    document = documents()[name]
    html: str = _parser().render(document.text, {"path": document.path})
    return SafeString(html)


def _document(file: Path) -> Document:
    first, _, rest = file.read_text(encoding="utf-8").partition("\n")
    return Document(_path(file), first.lstrip("# "), rest)


def _path(file: Path) -> str:
    return file.relative_to(settings.BASE_DIR).as_posix()


def _name(path: str) -> str:
    return path.removeprefix(DOCS).removesuffix(".md")


@cache
def _parser() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    tables.install(md)
    md.add_render_rule("fence", _code)
    md.add_render_rule("table_open", _table)
    md.core.ruler.push("addresses", _set_addresses)
    md.core.ruler.push("corners", _leave_corners)
    return md


def _code(
    _renderer: RendererHTML, tokens: Sequence[Token], index: int, *_: OptionsDict | EnvType
) -> str:
    """Render a code block that can take the focus, so that the keyboard can scroll it."""
    block = highlight.code_block(tokens[index].content, tokens[index].info.strip())
    return block.replace("<pre>", '<pre tabindex="0">', 1)


def _table(*_: object) -> str:
    """Let a table take the focus, so that the keyboard can scroll one that is too wide."""
    return '<table tabindex="0">\n'


def _set_addresses(state: StateCore) -> None:
    """Give headings their anchors, and make links lead to this server's own pages."""
    path = str(state.env["path"])
    for opening, token in zip([None, *state.tokens], state.tokens, strict=False):
        if opening and opening.type == "heading_open":
            opening.attrs["id"] = anchor_of(token.content)
        for child in token.children or ():
            _set_address(child, path)


def _leave_corners(state: StateCore) -> None:
    """Turn empty header cells into plain cells, since they are no heading of anything."""
    for opening, text, closing in zip(
        state.tokens, state.tokens[1:], state.tokens[2:], strict=False
    ):
        if opening.type == "th_open" and not text.content:
            opening.tag = closing.tag = "td"


def _set_address(token: Token, path: str) -> None:
    if token.type == "image":
        token.attrs["src"] = address_of(str(token.attrs["src"]), path)
        token.attrs["loading"] = "lazy"
    elif token.type == "link_open":
        token.attrs["href"] = address_of(str(token.attrs["href"]), path)


def address_of(link: str, path: str) -> str:
    """Return where a document's link leads in this Vitrine. Links to the web stay as they are."""
    if OUTSIDE.match(link):
        return link
    file, _, anchor = link.partition("#")
    beside = posixpath.join(posixpath.dirname(path), file)
    name = _name(posixpath.normpath(beside) if file else path)
    if name in supplements():
        return reverse("document_file", args=[name])
    return reverse("document", args=[name]) + (f"#{anchor}" if anchor else "")


def anchor_of(heading: str) -> str:
    """Return a heading's anchor as GitHub forms it, so that the same links work there and here."""
    return escape(re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-"))
