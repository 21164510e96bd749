"""Convert LaTeX to MathML, which browsers show without a script."""

import re
from html import unescape
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import Converter

MAX_LATEX = 2_000  # Characters.
MAX_DEPTH = 50  # Far below Python's recursion limit, or the caller's depth would change the result.
MACRO = re.compile(r"\\(?:[gex]?def|let|(?:re)?new|provide|Declare)")  # Macros may grow endlessly.


def to_mathml(latex: str, *, display: bool) -> str | None:
    """Return a `<math>` element; None if it cannot be shown, so that its source is shown
    instead.
    """
    if not latex.strip() or len(latex) > MAX_LATEX or MACRO.search(latex):
        return None
    try:
        tree = Converter(display="block" if display else "inline").convert_to_element(latex)
    except Exception:  # It also raises IndexError, KeyError, RecursionError ... on bad input.
        return None
    return None if _is_deep(tree) else _serialise(tree)


def _is_deep(tree: Element) -> bool:
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for element in level for child in element]
    return bool(level)


def _serialise(tree: Element) -> str:
    r"""Write the tree. The converter's own `convert` unescapes all its output, even tags in
    `\text{}`.

    Its texts contain entities, so they are unescaped one by one, and escaped again on the way out.
    """
    for element in tree.iter():
        element.text = unescape(element.text or "")
        element.tail = unescape(element.tail or "")
    return tostring(tree, encoding="unicode", short_empty_elements=False)
