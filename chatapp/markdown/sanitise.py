"""The last check of HTML: only listed tags pass, whatever the parser, Pygments or LaTeX wrote."""

import nh3
from django.utils.html import format_html
from django.utils.translation import gettext as _
from pygments.token import STANDARD_TYPES

TEXT_TAGS = """
    a blockquote br code em figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre s span
    strong table tbody td th thead tr ul
"""
# Without annotation-xml, mglyph and malignmark, which let HTML into MathML.
MATH_TAGS = """
    math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot
    mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none
"""
MATH_ATTRIBUTES = """
    accent accentunder columnalign columnlines columnspacing depth display displaystyle fence height
    largeop linethickness lspace mathcolor mathvariant maxsize minsize movablelimits notation
    rowlines rowspacing rspace scriptlevel separator stretchy symmetric voffset width
"""
ALIGNMENTS = {"align": {"left", "center", "right"}}
COPY_BUTTON = '<button type="button" class="copy" data-copy>{}</button>'

_math_tags = set(MATH_TAGS.split())
_math_attributes = set(MATH_ATTRIBUTES.split())
_cleaner = nh3.Cleaner(
    tags=set(TEXT_TAGS.split()) | _math_tags,
    attributes={
        "a": {"href", "title"},
        "ol": {"start"},
        **dict.fromkeys(_math_tags, _math_attributes),
    },
    allowed_classes={
        "a": {"image"},
        "figure": {"code"},
        "pre": {"plain"},
        "span": {"code-language", *STANDARD_TYPES.values()} - {""},
    },
    tag_attribute_values={"td": ALIGNMENTS, "th": ALIGNMENTS},
    url_schemes={"http", "https", "mailto"},
    url_relative="deny",
    link_rel="noopener noreferrer nofollow",
    set_tag_attribute_values={
        "a": {"target": "_blank"},
        "pre": {"tabindex": "0"},  # An area that scrolls must be reachable by the keyboard.
        "table": {"tabindex": "0"},
    },
)


def clean(html: str) -> str:
    return _cleaner.clean(html)


def copy_button() -> str:
    return format_html(COPY_BUTTON, _("Copy"))


def add_copy_buttons(html: str) -> str:
    """Add copy buttons, but only to sanitised HTML, in which `<` always starts a tag.

    No text can forge a button, because the sanitiser removes buttons.
    """
    return html.replace("</figcaption>", f"{copy_button()}</figcaption>")
