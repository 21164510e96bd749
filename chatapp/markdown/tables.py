"""Tables: alignment is an attribute, since style attributes are refused, and rows are limited."""

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, table
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

# The most cells that a row may lack; otherwise 2 kB of text become 660 kB of empty cells.
MAX_MISSING = 8


def install(md: MarkdownIt) -> None:
    md.block.ruler.at("table", counted_table, {"alt": ["paragraph", "reference"]})
    md.block.ruler.after("table", "ragged_row", ragged_row, {"alt": ["blockquote"]})
    md.add_render_rule("th_open", _cell)
    md.add_render_rule("td_open", _cell)


def counted_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 -- the signature of the parser's rules
    """Apply the parser's rule for tables, noting the number of columns for `ragged_row`."""
    if start + 1 < end:
        state.env["columns"] = _bars(state, start + 1)
    return table(state, start, end, silent)


def ragged_row(state: StateBlock, start: int, _end: int, _silent: bool) -> bool:  # noqa: FBT001 -- the signature of the parser's rules
    """End a table at a row that lacks too many cells. This rule never begins a block."""
    return state.parentType == "table" and (
        state.env["columns"] - _bars(state, start) > MAX_MISSING
    )


def _bars(state: StateBlock, line: int) -> int:
    return state.src.count("|", state.bMarks[line], state.eMarks[line])


def _cell(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    token = tokens[index]
    if style := token.attrs.pop("style", None):
        token.attrs["align"] = str(style).removeprefix("text-align:")
    return renderer.renderToken(tokens, index, options, env)
