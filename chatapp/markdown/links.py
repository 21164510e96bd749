"""Bare web addresses become links. Their text is the address, so it shows where they lead.

The plugin for this costs quadratic time: for each colon of a text it reads all that came before.
"""

import re
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

SCHEME = re.compile(r"(?<![a-z0-9])https?\Z", re.IGNORECASE)
LONGEST_SCHEME = len("https")
LONGEST = 2_000  # Characters. A longer address is no link, so that each is read in bounded time.
# No address has these. Some languages put no space between an address and their own punctuation.
OTHERS = r"""\s<>"`|\\^{}“”„\u2018\u2019«»\u3000-\u303f\uff00-\uffef"""
REST = re.compile(rf"://[^\W_][^{OTHERS}]{{0,{LONGEST}}}")
HOST = re.compile(r"[\w.-]+")
AFTER_ADDRESSES = "?!.,:;*_~']"  # Rather the end of a sentence, or of emphasis.


def install(md: MarkdownIt) -> None:
    md.inline.ruler.push("bare_address", bare_address)


def bare_address(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 -- the signature of the parser's rules
    """Make a link of an address, at its `://`; the scheme before that is still pending text."""
    if silent or state.linkLevel or not state.src.startswith("://", state.pos):
        return False
    first = max(0, state.pos - LONGEST_SCHEME - 1)
    scheme = SCHEME.search(state.src[first : state.pos])
    rest = REST.match(state.src, state.pos, state.posMax)
    if not scheme or not rest or not state.pending.endswith(scheme[0]):
        return False
    after_scheme = _trimmed(rest[0])
    address = scheme[0] + after_scheme
    if len(rest[0]) > LONGEST or not _has_a_host(address):
        return _skip(state, rest[0])
    state.pending = state.pending.removesuffix(scheme[0])
    _push_link(state, address)
    state.pos += len(after_scheme)
    return True


def _trimmed(address: str) -> str:
    """Remove marks after the address, and brackets that were opened before it."""
    address = address.rstrip(AFTER_ADDRESSES)
    while address.endswith(")") and address.count(")") > address.count("("):
        address = address[:-1].rstrip(AFTER_ADDRESSES)
    return address


def _has_a_host(address: str) -> bool:
    """Whether browsers could open the address: the sanitiser removes others from their links."""
    try:
        parts = urlsplit(address)
        return bool(HOST.fullmatch(parts.hostname or "")) and parts.port != 0
    except ValueError:  # The port is no number, for instance.
        return False


def _skip(state: StateInline, text: str) -> bool:
    state.append_pending(text)
    state.pos += len(text)
    return True


def _push_link(state: StateInline, address: str) -> None:
    state.push("link_open", "a", 1).attrs = {"href": state.md.normalizeLink(address)}
    state.push("text", "", 0).content = address
    state.push("link_close", "a", -1)
