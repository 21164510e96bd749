"""Estimate how much work it is to render a text, and stop where it is too much.

A step, such as a token of the parser, a line, or a mark within a line, takes ten to thirty
microseconds. Code and mathematics cost by the character. A growing block never costs less than
before, so a stream and the whole text become too long at the same block.
"""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from chatapp.markdown.highlight import MAX_CODE

# The most steps for one text: a list of 5,000 items, or a table of 3,300 rows of two cells.
MOST = 30_000
MARKS = re.compile(r"[!$&*:<\[\\\]_`~]|//")
DEAR = re.compile(r"\$|\\[(\[]|```|~~~")  # What begins mathematics, or code inside another block.
CHARACTERS = 4  # How many characters of code or mathematics make one step.
FRAME = 5  # The fewest steps that a code block takes.


class TooMuch(Exception):
    """A text costs more than `most` steps; the block that was one too many began at `line`."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def install(md: MarkdownIt) -> None:
    alternatives = ["paragraph", "reference", "blockquote", "list"]
    md.block.ruler.before("table", "limit", limit, {"alt": alternatives})


def environment(most: int) -> dict[str, int]:
    """Return the parser's environment for `limit`, with the most steps and the block's line."""
    return {"most": most, "block": 0}


def limit(state: StateBlock, start: int, _end: int, silent: bool) -> bool:  # noqa: FBT001 -- the signature of the parser's rules
    """Raise TooMuch at a line that may begin a block, if the text has cost too much by then.

    The parser takes this for the rule of a block that never matches.
    """
    if state.level == 0 and not silent:
        state.env["block"] = start
    if len(state.tokens) + start - state.env["block"] > state.env["most"]:
        raise TooMuch(state.env["block"])
    return False


def effort(source: str, tokens: Sequence[Token]) -> int:
    """Count the steps that rendering a block takes."""
    if tokens and tokens[0].type in ("fence", "code_block"):
        return FRAME + min(len(source), MAX_CODE) // CHARACTERS
    by_character = len(source) // CHARACTERS if DEAR.search(source) else 0
    return len(tokens) + source.count("\n") + len(MARKS.findall(source)) + by_character
