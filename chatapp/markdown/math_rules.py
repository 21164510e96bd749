r"""Recognise math: `$..$` and `\(..\)` in a line, `$$..$$` and `\[..\]` also as a block."""

import re
from collections.abc import Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from chatapp.markdown.mathml import MAX_LATEX, to_mathml

CLOSERS = {"$$": "$$", r"\[": r"\]", r"\(": r"\)"}
BLOCK_OPENERS = ("$$", r"\[")
# The pattern must not match prices and names: "$5 and $10", "US$5", "$HOME and $PATH".
DOLLARS = re.compile(r"(?<![\w$])\$(?![\s$])(?:\\.|[^\\$])+(?<!\s)\$(?![\w$])", re.DOTALL)


def install(md: MarkdownIt) -> None:
    md.block.ruler.before(
        "fence", "math_block", math_block, {"alt": ["paragraph", "blockquote", "list"]}
    )
    md.inline.ruler.before("escape", "math", math)
    md.add_render_rule("math_block", _render_block)
    md.add_render_rule("math", _render)


def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 -- the signature of the parser's rules
    """Begin at the opener; end after the line with the closer, or before a blank line.

    Only the first line decides whether a block begins. Otherwise a stream would show HTML that a
    later line makes wrong. So an opener without a closer stays a block of literal text.
    """
    first = _line(state, start)
    opener = first[:2]
    if opener not in BLOCK_OPENERS or state.is_code_block(start):
        return False
    if CLOSERS[opener] in first[2:-2]:
        return False  # Text follows the closer, so this is a line that contains math.
    if not silent:
        state.line = _last_line(state, start, end, CLOSERS[opener]) + 1
        _push(state, start, opener)
    return True


def _last_line(state: StateBlock, start: int, end: int, closer: str) -> int:
    line = start
    is_closed = closer in _line(state, start)[2:]
    while not is_closed and line + 1 < end and _belongs(state, line + 1):
        line += 1
        is_closed = closer in _line(state, line)
    return line


def _belongs(state: StateBlock, line: int) -> bool:
    return not state.isEmpty(line) and state.sCount[line] >= state.blkIndent


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()


def _push(state: StateBlock, start: int, opener: str) -> None:
    """Push one token for the math, or a paragraph if text follows the closer on its line."""
    lines = [start, state.line]
    content = state.getLines(start, state.line, state.blkIndent, keepLastLF=False).strip()
    if not 0 < content.find(CLOSERS[opener], 2) < len(content) - 2:
        token = state.push("math_block", "math", 0)
        token.map, token.content, token.markup, token.block = lines, content, opener, True
        return
    state.push("paragraph_open", "p", 1).map = lines
    token = state.push("inline", "", 0)
    token.map, token.content, token.children = lines, content, []
    state.push("paragraph_close", "p", -1)


def math(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 -- the signature of the parser's rules
    if state.src[state.pos] not in "$\\":
        return False
    opener = state.src[state.pos : state.pos + 2]
    end = _pair_end(state, CLOSERS[opener]) if opener in CLOSERS else _dollar_end(state)
    if not end:
        return False
    if not silent:
        token = state.push("math", "math", 0)
        token.content = state.src[state.pos : end]
        token.markup = opener if opener in CLOSERS else "$"
    state.pos = end
    return True


def _pair_end(state: StateInline, closer: str) -> int:
    limit = min(state.posMax, state.pos + MAX_LATEX)
    start = state.src.find(closer, state.pos + 2, limit)
    return start + 2 if start > 0 else 0


def _dollar_end(state: StateInline) -> int:
    limit = min(state.posMax, state.pos + MAX_LATEX)
    match = DOLLARS.match(state.src, state.pos, limit)
    return match.end() if match else 0


def _render(
    _renderer: RendererHTML, tokens: Sequence[Token], index: int, *_: OptionsDict | EnvType
) -> str:
    token = tokens[index]
    size = len(token.markup)
    mathml = to_mathml(token.content[size:-size], display=token.markup in BLOCK_OPENERS)
    return mathml or f"<code>{escape(token.content)}</code>"


def _render_block(
    _renderer: RendererHTML, tokens: Sequence[Token], index: int, *_: OptionsDict | EnvType
) -> str:
    token = tokens[index]
    source = escape(token.content)
    if not token.content[2:].endswith(CLOSERS[token.markup]):
        return f"<p>{source}</p>\n"  # The formula has no closer, or not yet.
    mathml = to_mathml(token.content[2:-2], display=True)
    return f"{mathml}\n" if mathml else f"<p><code>{source}</code></p>\n"
