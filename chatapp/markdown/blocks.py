"""A text as its top-level blocks, and one block as HTML.

The block parser has no memory between top-level blocks and never reopens one, so blocks can be
rendered one by one: together they are the whole text's HTML. `BlockStream` rests on this, and
therefore every limit here is a limit on one block.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate, pairwise

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from chatapp.markdown.parser import MAX_NESTING, parser
from chatapp.markdown.sanitise import add_copy_buttons, clean

MAX_DEPTH = MAX_NESTING - 2  # Deeper, and the parser may have left text out.
MAX_INLINE = 50_000  # Characters in one paragraph, heading or cell.
NOT_TEXT = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block: its lines, and its tokens as the block parser left them."""

    source: str
    tokens: list[Token]


def normalise(text: str) -> str:
    """Line ends as the parser wants them; what UTF-8 and HTML cannot carry, replaced."""
    return NOT_TEXT.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def split_blocks(text: str) -> list[Block]:
    """The blocks of a normalised text. Each runs to the start of the next, the last to the end."""
    tokens: list[Token] = []
    parser().block.parse(text, parser(), {}, tokens)
    firsts = [i for i, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]
    offsets = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    starts = [offsets[_first_line(tokens[i])] for i in firsts]
    return [
        Block(text[start:end], tokens[first:last])
        for (start, end), (first, last) in zip(
            pairwise([*starts, len(text)]), pairwise([*firsts, len(tokens)]), strict=True
        )
    ]


def render_block(block: Block, *, breaks: bool = False) -> str:
    """Safe HTML. A block that is nested too deep or too long is shown as it was written.

    Once only: the tokens are filled in on the way.
    """
    if _too_deep(block.tokens) or any(len(token.content) > MAX_INLINE for token in _inline(block)):
        return plain(block.source)
    md = parser(breaks=breaks)
    state = StateCore(block.source, md, {}, block.tokens)
    md.core.process(state)
    if any(_too_deep(token.children or ()) for token in state.tokens):
        return plain(block.source)
    return add_copy_buttons(clean(md.renderer.render(state.tokens, md.options, state.env)))


def plain(source: str) -> str:
    return f'<pre class="plain">{escape(source.strip(chr(10)))}</pre>\n'


def _inline(block: Block) -> list[Token]:
    return [token for token in block.tokens if token.type == "inline"]


def _first_line(token: Token) -> int:
    if token.map is None:
        raise RuntimeError(f"the rule for {token.type} does not say where its block starts")
    return token.map[0]


def _too_deep(tokens: Sequence[Token]) -> bool:
    return any(token.level > MAX_DEPTH for token in tokens)
