"""Convert LaTeX to MathML, which browsers show without any script."""

import re
from html import unescape
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import Converter

MAX_LATEX = 2_000  # The most characters of LaTeX to convert.
# Far below Python's recursion limit, so that the caller's depth has no effect on the result.
MAX_DEPTH = 50
# Commands that define macros, which may grow endlessly.
MACRO = re.compile(r"\\(?:[gex]?def|let|(?:re)?new|provide|Declare)")


def to_mathml(latex: str, *, display: bool) -> str | None:
    """Return a `<math>` element; None if the LaTeX cannot be converted, so that its source is
    shown.
    """
    if not latex.strip() or len(latex) > MAX_LATEX or MACRO.search(latex):
        return None
    try:
        tree = Converter(display="block" if display else "inline").convert_to_element(latex)
    # On bad input the converter also raises IndexError, KeyError, RecursionError and others.
    except Exception:
        return None
    return None if _is_deep(tree) else _serialise(tree)


def _is_deep(tree: Element) -> bool:
    level = [tree]
    for _ in range(MAX_DEPTH):
        level = [child for element in level for child in element]
    return bool(level)


def _serialise(tree: Element) -> str:
    r"""Write the tree as text. The converter's own `convert` would unescape all output, even tags
    in `\text{}`.

    The tree's texts contain entities, so each text is unescaped here, and escaped again when it is
    written.
    """
    for element in tree.iter():
        element.text = unescape(element.text or "")
        element.tail = unescape(element.tail or "")
    return tostring(tree, encoding="unicode", short_empty_elements=False)
