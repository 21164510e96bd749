"""Turn images into links: an image loads by itself, which tells its server who reads it when."""

from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("inline", "images_to_links", images_to_links)


def images_to_links(state: StateCore) -> None:
    for token in state.tokens:
        if token.children:
            token.children = list(_without_images(token.children))


def _without_images(tokens: list[Token]) -> Iterator[Token]:
    in_link = False
    for token in tokens:
        if token.type in ("link_open", "link_close"):
            in_link = token.type == "link_open"
        if token.type != "image":
            yield token
        elif in_link:  # HTML allows no link within a link.
            yield _text(token)
        else:
            yield Token("link_open", "a", 1, attrs={"href": _address(token), "class": "image"})
            yield _text(token)
            yield Token("link_close", "a", -1)


def _text(image: Token) -> Token:
    return Token("text", "", 0, content=image.content or _address(image))


def _address(image: Token) -> str:
    return str(image.attrs["src"])
