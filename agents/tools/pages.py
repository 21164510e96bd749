"""Extract a web page's text, and nothing else.

The page is read in one pass: parsers that repair pages take minutes for 200 kB of nested or
unclosed tags. The result need not be safe HTML, because it is shown as plain text.
"""

import html
import re
from collections.abc import Iterator

TAG = re.compile(r"<([/!?]?[a-zA-Z][^<>]*)>")
NAME = re.compile(r"[a-z][a-z0-9-]*")
INLINE = {
    *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i"),
    *("img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub"),
    *("sup", "time", "tt", "u", "var", "wbr"),
}
UNREAD = {"script", "style", "noscript", "template", "svg", "iframe", "object", "textarea"}


def text_of(page: str) -> str:
    """Return the page's words, with one line for each block."""
    lines = html.unescape("".join(_parts(_uncommented(page)))).splitlines()
    return "\n".join(words for line in lines if (words := " ".join(line.split())))


def _parts(page: str) -> Iterator[str]:
    """Yield pieces of text, and a line end for every tag except inline ones."""
    unread = ""  # The element whose content is skipped.
    for place, part in enumerate(TAG.split(page)):
        if place % 2 == 0:
            yield "" if unread else part
            continue
        name = _name(part)
        if not unread and name in UNREAD and not part.endswith("/"):
            unread = name
        elif part.lower().startswith(f"/{unread}"):
            unread = ""
        yield "" if name in INLINE else "\n"


def _name(tag: str) -> str:
    match = NAME.search(tag[:40].lower())
    return match[0] if match else ""


def _uncommented(page: str) -> str:
    """Remove comments. A comment that is never closed hides the rest, as in a browser."""
    first, *others = page.split("<!--")
    return first + "".join(other.partition("-->")[2] for other in others)
