"""Render a text while it arrives: whatever can no longer change is sent as HTML."""

import re

from django.utils.safestring import SafeString, mark_safe

from chatapp.markdown.blocks import (
    Block,
    lowered,
    normalise,
    plain,
    render_block,
    split_blocks,
    too_long,
)
from chatapp.markdown.effort import MOST

# An open block is parsed again when it has grown by this factor; sooner, lists would cost n².
GROWTH = 1.25
GROWTH_OF_LARGE = 1.5
LARGE = 4_000  # An open block with more characters counts as large.
FENCE = re.compile(r"```[^`]*|~~~.*")  # The line that begins code, and so ends any other block.
MOST_OF_LINE = 200  # Characters.


class BlockStream:
    """Renders a text as it arrives: the HTML from every `feed` and from `end` is the whole text's.

    Every top-level block but the last is closed, and the last as well if its own last line ends it:
    nothing that follows can change it. If `feed` raises, it has taken in the delta, but closed
    nothing. Once the text costs too much, the stream `is_full`, and what follows is never parsed.
    """

    def __init__(self, most: int = MOST) -> None:
        self._deltas: list[str] = []
        self._open: list[str] = []
        self.open_size = 0  # The number of characters in the open block.
        self.is_full = False
        self._ranks: list[int] = []  # Those of the headings that contain what follows.
        self._most = most
        self._next_parse = 0.0
        self._line = ""  # How the line begins that has no end yet.
        self._closer = FENCE  # A line that ends the open block, however little that has grown.

    @property
    def text(self) -> str:
        """The whole text, as it was fed."""
        return "".join(self._deltas)

    @property
    def tail(self) -> str:
        """The open block, and the text after it."""
        return "".join(self._open)

    def is_due(self, delta: str) -> bool:
        """Whether the next `feed` would have to parse."""
        if self.is_full or "\n" not in delta:
            return False
        is_grown = self.open_size + len(delta) >= self._next_parse
        *lines, _ = (self._line + delta).split("\n")
        return is_grown or any(self._closer.fullmatch(line.rstrip("\r")) for line in lines)

    def feed(self, delta: str) -> SafeString:
        """Return the HTML of the blocks that this delta closed; often there are none."""
        is_due = self.is_due(delta)
        self._deltas.append(delta)
        self._open.append(delta)
        self.open_size += len(delta)
        _, is_ended, line = delta.rpartition("\n")
        self._line = line[:MOST_OF_LINE] if is_ended else (self._line + line)[:MOST_OF_LINE]
        return mark_safe(self._close() if is_due else "")

    def end(self) -> SafeString:
        """Return the HTML of the tail, once the text has ended."""
        tail = normalise(self.tail)
        if self.is_full:
            return mark_safe(plain(tail))
        blocks = lowered(split_blocks(tail, self._most), self._ranks.copy())
        return mark_safe("".join(map(render_block, blocks)))

    def _close(self) -> str:
        """Remove the closed blocks from the tail, and return their HTML.

        A line without its end stays in the tail, because it may still become anything.
        """
        growth = GROWTH if self.open_size < LARGE else GROWTH_OF_LARGE
        self._next_parse = self.open_size * growth
        lines, newline, rest = self.tail.rpartition("\n")
        blocks = split_blocks(normalise(lines + newline), self._most)
        last = blocks.pop() if blocks and not blocks[-1].is_closed else Block("", [])
        self._closer = last.closer or FENCE
        if not blocks and not last.is_rest:
            return ""
        effort, ranks = sum(block.effort for block in blocks), self._ranks.copy()
        html = "".join(map(render_block, lowered(blocks, ranks)))
        html += too_long() if last.is_rest else ""
        self._most, self._ranks = self._most - effort, ranks
        self.is_full = last.is_rest
        self._open = [last.source, rest]
        self.open_size = len(last.source) + len(rest)
        self._next_parse = 0
        return html
