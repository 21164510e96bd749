"""Join a text that was broken off with its continuation, which goes on in the same block.

A continuation begins with a word: models leave out the space or the line break before it.
"""

import logging
import re
from unicodedata import east_asian_width

from chatapp.markdown.blocks import Block, normalise, split_blocks

logger = logging.getLogger(__name__)
# Blocks with which a continuation cannot go on.
WHOLE = frozenset({"heading_open", "hr", "math_block"})
# A mark at the beginning of a line, for a list, a quotation or a heading.
MARKER = re.compile(r"(?:[-*+>]|\d{1,9}[.)]|#{1,6})\s")
ENDS_WORD = re.compile(r"[\w.,;:!?)\]}%\u201d\u2019]")
BEGINS_WORD = re.compile(r"[\w(\[\u201c\u2018\"'`$]")


def open_end(text: str) -> str:
    """Return the block in which a broken-off text can go on; empty if a new one must begin."""
    try:
        blocks = split_blocks(normalise(text))
    except Exception:
        logger.exception("A text of %d characters could not be read", len(text))
        return ""
    return blocks[-1].source if blocks and _is_open(blocks[-1]) else ""


def joined(before: str, text: str) -> str:
    """Return a broken-off text together with its continuation."""
    return before + seam(before, text) + text


def seam(before: str, text: str) -> str:
    """Return the space or line break that is missing between both; empty if none is missing."""
    if not before or not text or before[-1].isspace() or text[0].isspace() or _is_verbatim(before):
        return ""
    if MARKER.match(text) or (before[-1] == text[0] == "|"):
        return "\n"
    return " " if _are_words(before[-1], text[0]) else ""


def _is_open(block: Block) -> bool:
    if block.is_rest or not block.tokens or block.is_closed:
        return False
    return block.tokens[0].type not in WHOLE


def _is_verbatim(before: str) -> bool:
    return before.lstrip().startswith(("```", "~~~"))


def _are_words(last: str, first: str) -> bool:
    """Return whether a space belongs between two characters, as between words of most scripts."""
    is_number = last in "0123456789." and first.isdigit()
    is_wide = east_asian_width(last) in "WF" or east_asian_width(first) in "WF"
    return bool(
        ENDS_WORD.match(last) and BEGINS_WORD.match(first) and not is_number and not is_wide
    )
