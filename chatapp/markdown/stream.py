"""A text that still arrives: what can no longer change goes out as HTML."""

from django.utils.safestring import SafeString, mark_safe

from chatapp.markdown.blocks import normalise, render_block, split_blocks

GROWTH = 1.1  # An open block is parsed again when it is this much longer, or lists cost n².


class BlockStream:
    """All HTML that `feed` returned, and `to_html(tail)`, is the HTML of the whole text.

    Every top-level block but the last is closed: nothing that follows can change it. A `feed` that
    raises has taken the delta in, and closed nothing.
    """

    def __init__(self) -> None:
        self._deltas: list[str] = []
        self._open: list[str] = []
        self.open_size = 0  # Characters.
        self._next_parse = 0.0

    @property
    def text(self) -> str:
        """Everything, as it was fed."""
        return "".join(self._deltas)

    @property
    def tail(self) -> str:
        """The open block, and what follows it."""
        return "".join(self._open)

    def is_due(self, delta: str) -> bool:
        """Whether `feed` would have to parse."""
        return "\n" in delta and self.open_size + len(delta) >= self._next_parse

    def feed(self, delta: str) -> SafeString:
        """HTML of the blocks that this delta closed, often none."""
        is_due = self.is_due(delta)
        self._deltas.append(delta)
        self._open.append(delta)
        self.open_size += len(delta)
        return mark_safe(self._close() if is_due else "")

    def _close(self) -> str:
        """Take the closed blocks out, as HTML. Half a line may become anything yet, so it waits."""
        self._next_parse = self.open_size * GROWTH
        lines, newline, rest = self.tail.rpartition("\n")
        blocks = split_blocks(normalise(lines + newline))
        if len(blocks) < 2:
            return ""
        html = "".join(map(render_block, blocks[:-1]))
        self._open = [blocks[-1].source, rest]
        self.open_size = len(blocks[-1].source) + len(rest)
        self._next_parse = 0
        return html
