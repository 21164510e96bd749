"""The only Markdown parser: CommonMark, tables, strikethrough, task lists, bare addresses and math,
without raw HTML.

Link reference definitions are off: a later one would change text that is already on the page, and
they hide where a link leads.
"""

import re
from functools import cache

from markdown_it import MarkdownIt

from chatapp.markdown import effort, highlight, images, links, math_rules, tables, task_lists

# Levels of nesting; a list takes two. The parser leaves out deeper text: see blocks.py.
MAX_NESTING = 32
WEB_OR_MAIL = re.compile(r"https?://|mailto:", re.IGNORECASE)


@cache
def parser(*, breaks: bool = False) -> MarkdownIt:
    """Return the parser. Its `block.parse` finds blocks; `core.process` finishes each by itself."""
    options = {"html": False, "maxNesting": MAX_NESTING, "breaks": breaks}
    md = MarkdownIt("commonmark", options)
    md.enable(["table", "strikethrough"])
    md.disable(["reference", "html_block", "html_inline", "normalize", "block"])
    md.validateLink = leads_outside  # type: ignore[method-assign]  # markdown-it itself does so.
    for part in (effort, highlight, images, links, math_rules, tables, task_lists):
        part.install(md)
    return md


def leads_outside(url: str) -> bool:
    """Allow links only to other sites: a model must not offer addresses of this Vitrine."""
    return WEB_OR_MAIL.match(url) is not None
