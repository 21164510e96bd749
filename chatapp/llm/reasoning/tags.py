"""Split the thinking of local models out of their text: what stands between tags at its start."""

from collections.abc import Iterator
from typing import NamedTuple

TAGS = ("think", "thinking")
LONGEST_BLANK = 100  # After more blank characters than this, a tag is not looked for.


class Piece(NamedTuple):
    """A piece of text; `tag` names the tag around it, if any."""

    text: str
    tag: str = ""


class TagSplitter:
    """Feed it the pieces of a text in order, then `end` it.

    A tag may come in several pieces. One that is never closed holds all that follows; a tag later
    in the text is part of the text. `opened`: the prompt has opened a tag, so that the text begins
    inside, whether or not it opens the tag again.
    """

    def __init__(self, *, opened: bool = False) -> None:
        self.opened = opened
        self.removed = 0  # Characters: the tags themselves, and blanks before the first.
        self._held = ""
        self._tag: str | None = None  # None until it is known, "" outside of any.

    def feed(self, text: str) -> Iterator[Piece]:
        if self._tag == "":
            yield Piece(text)
            return
        self._held += text
        if self._tag is None:
            self._open()
        if self._tag:
            yield from self._inside(f"</{self._tag}>")
        if self._tag == "":
            yield from self.end()

    def end(self) -> Iterator[Piece]:
        """Yield what was held back, because it might have been the beginning of a tag."""
        if self._held:
            yield Piece(self._held, self._untold if self._tag is None else self._tag)
        self._held = ""

    @property
    def _untold(self) -> str:
        """The tag assumed for a text that does not begin with one."""
        return TAGS[0] if self.opened else ""

    def _open(self) -> None:
        start = self._held.lstrip()
        for tag in TAGS:
            if start.startswith(f"<{tag}>"):
                rest = start.removeprefix(f"<{tag}>")
                self.removed += len(self._held) - len(rest)
                self._tag, self._held = tag, rest
                return
        may_follow = any(f"<{tag}>".startswith(start) for tag in TAGS)
        if not may_follow or len(self._held) > LONGEST_BLANK:
            self._tag = self._untold

    def _inside(self, closing: str) -> Iterator[Piece]:
        tag = self._tag or ""
        thought, end, rest = self._held.partition(closing)
        if end:
            self._tag, self._held = "", rest
            self.removed += len(closing)
        else:
            place = len(thought) - _overlap(thought, closing)
            thought, self._held = thought[:place], thought[place:]
        if thought:
            yield Piece(thought, tag)


def _overlap(text: str, closing: str) -> int:
    """Return how many characters at the end of the text may begin the closing tag."""
    sizes = range(min(len(text), len(closing) - 1), 0, -1)
    return next((size for size in sizes if closing.startswith(text[-size:])), 0)
