"""A text that still arrives: what can no longer change goes out as HTML."""

from django.utils.safestring import SafeString, mark_safe

from chatapp.markdown.blocks import Block, normalise, render_block, split_blocks

GROWTH = 1.1  # An open block is parsed again when it is this much longer, or lists cost n².


class BlockStream:
    """All HTML that `feed` returned, and `to_html(tail)`, is the HTML of the whole text.

    Every top-level block but the last is closed: nothing that follows can change it.
    """

    def __init__(self) -> None:
        self._deltas: list[str] = []
        self._open: list[str] = []
        self._open_size = 0
        self._next_parse = 0.0

    @property
    def text(self) -> str:
        """Everything, as it was fed."""
        return "".join(self._deltas)

    @property
    def tail(self) -> str:
        """The open block, and what follows it."""
        return "".join(self._open)

    def feed(self, delta: str) -> SafeString:
        """HTML of the blocks that this delta closed, often none."""
        self._deltas.append(delta)
        self._open.append(delta)
        self._open_size += len(delta)
        if "\n" not in delta or self._open_size < self._next_parse:
            return mark_safe("")
        return mark_safe("".join(map(render_block, self._close())))

    def _close(self) -> list[Block]:
        """Take the closed blocks out. Half a line may become anything yet, so it waits."""
        lines, newline, rest = self.tail.rpartition("\n")
        blocks = split_blocks(normalise(lines + newline))
        if len(blocks) < 2:
            self._next_parse = self._open_size * GROWTH
            return []
        self._open = [blocks[-1].source, rest]
        self._open_size = len(blocks[-1].source) + len(rest)
        self._next_parse = 0
        return blocks[:-1]
