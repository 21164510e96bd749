"""Split a text into its top-level blocks, and render one block as HTML.

The block parser remembers nothing from one top-level block to the next and never reopens one. So
the blocks can be rendered one by one, and together they are the whole text's HTML. `BlockStream`
relies on this. Therefore every limit here applies to a single block, or to a block together with
those before it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate, pairwise

from django.utils.html import format_html
from django.utils.translation import gettext as _
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from chatapp.markdown.effort import MOST, TooMuch, effort, environment
from chatapp.markdown.math_rules import CLOSERS
from chatapp.markdown.parser import MAX_NESTING, parser
from chatapp.markdown.sanitise import add_copy_buttons, clean

MAX_DEPTH = MAX_NESTING - 2  # The parser may leave out text that is nested deeper.
MAX_INLINE = 50_000  # The most characters of a paragraph, heading or cell.
HIGHEST, LOWEST = 3, 6  # The levels of headings: the page has h1, and each message h2.
BLANK = " \t\n"
NOT_TEXT = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block: its lines, and its tokens as the block parser left them.

    `is_rest` is true for the remainder of a text that costs too much to render.
    """

    source: str
    tokens: list[Token]
    is_rest: bool = False

    @property
    def effort(self) -> int:
        """Its cost in steps. Blank lines after a closed block are free: it is sent before them."""
        source = self.source.rstrip(BLANK) if self.is_closed else self.source
        return effort(source, self.tokens)

    @property
    def closer(self) -> re.Pattern[str] | None:
        """The line that ends it, for fenced code and for mathematics; None for other blocks."""
        kind, markup = (self.tokens[0].type, self.tokens[0].markup) if self.tokens else ("", "")
        if kind == "fence":
            return re.compile(rf" {{0,3}}{re.escape(markup)}{re.escape(markup[0])}*[ \t]*")
        return re.compile(f".*{re.escape(CLOSERS[markup])}.*") if kind == "math_block" else None

    @property
    def is_closed(self) -> bool:
        """Whether the line that ends it is there: nothing that follows can belong to it."""
        if not self.closer:
            return False
        first, *lines = self.source.strip(BLANK).split("\n")
        if self.tokens[0].type == "math_block":
            lines = [first[2:], *lines]
        return any(self.closer.fullmatch(line) for line in lines[-1:])


def normalise(text: str) -> str:
    """Convert line ends for the parser; replace characters that UTF-8 or HTML cannot express."""
    return NOT_TEXT.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def split_blocks(text: str, most: int = MOST) -> list[Block]:
    """Split a normalised text. Each block ends where the next begins, the last with the text.

    If a block costs more than what is left of `most`, it and all that follows form one last block.
    """
    blocks: list[Block] = []
    for start, block in _parsed(text, most):
        most -= block.effort
        if most < 0:
            return [*blocks, Block(text[start:], [], is_rest=True)]
        blocks.append(block)
    return blocks


def _parsed(text: str, most: int) -> Iterator[tuple[int, Block]]:
    """Yield each block with the line of its start. If the parser gave up within a block, that is
    the last.
    """
    tokens: list[Token] = []
    given_up = []
    try:
        parser().block.parse(text, parser(), environment(most), tokens)
    except TooMuch as error:
        given_up = [(error.line, len(tokens))]
    firsts = [i for i, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]
    places = [(_first_line(tokens[i]), i) for i in firsts]
    if given_up and given_up[0][0] > max((line for line, _ in places), default=-1):
        places += given_up  # A paragraph has no tokens until it ends.
    offsets = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    ends = [*((offsets[line], first) for line, first in places), (len(text), len(tokens))]
    for (start, first), (end, last) in pairwise(ends):
        yield start, Block(text[start:end], tokens[first:last])


def render_block(block: Block, *, breaks: bool = False) -> str:
    """Return safe HTML. A block that is nested too deep, or too long, is shown as it was written.

    Call this only once for a block, because it fills in the block's tokens.
    """
    if block.is_rest:
        return too_long() + plain(block.source)
    inline = (token for token in block.tokens if token.type == "inline")
    if _too_deep(block.tokens) or any(len(token.content) > MAX_INLINE for token in inline):
        return plain(block.source)
    md = parser(breaks=breaks)
    state = StateCore(block.source, md, {}, block.tokens)
    md.core.process(state)
    if any(_too_deep(token.children or ()) for token in state.tokens):
        return plain(block.source)
    return add_copy_buttons(clean(md.renderer.render(state.tokens, md.options, state.env)))


def lowered(blocks: list[Block], ranks: list[int]) -> list[Block]:
    """Set the tags of the blocks' headings, so that they begin below those of the page and skip no
    level. `ranks` are the headings above, as they were written, that contain the next one; they are
    updated. No heading depends on those below it, so a text can be sent while it arrives.
    """
    for token in (token for block in blocks for token in block.tokens):
        if token.type == "heading_open":
            rank = int(token.tag[1:])
            while ranks and ranks[-1] >= rank:
                ranks.pop()
            ranks.append(rank)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(HIGHEST + len(ranks) - 1, LOWEST)}"
    return blocks


def plain(source: str) -> str:
    return f'<pre class="plain">{escape(source.strip(chr(10)))}</pre>\n'


def _first_line(token: Token) -> int:
    if token.map is None:
        raise RuntimeError(f"the rule for {token.type} does not say where its block starts")
    return token.map[0]


def _too_deep(tokens: Sequence[Token]) -> bool:
    return any(token.level > MAX_DEPTH for token in tokens)


def too_long() -> str:
    """Return the notice above the remainder of a text that is too long to be formatted."""
    sentence = _("This message is too long to format. The rest is shown as plain text.")
    return format_html('<p class="too-long">{}</p>\n', sentence)
