"""Rules for rendered HTML, written independently of the app and checked by another parser."""

import re
from html.parser import HTMLParser

TEXT = "a blockquote br code em h1 h2 h3 h4 h5 h6 hr li ol p pre s span strong ul"
FRAMES = "button figcaption figure table tbody td th thead tr"
MATH = """
math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow
mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none
"""
MATH_TAGS = frozenset(MATH.split())
TAGS = MATH_TAGS | frozenset(TEXT.split()) | frozenset(FRAMES.split())
ATTRIBUTES = {
    "a": {"href", "title", "class", "rel", "target"},
    "button": {"type", "class", "data-copy"},
    "figure": {"class"},
    "ol": {"start"},
    "pre": {"class", "tabindex"},
    "table": {"tabindex"},
    "span": {"class"},
    "td": {"align"},
    "th": {"align"},
}
NOT_IN_MATH = re.compile(r"on|style$|class$|href$|src|id$|xlink|action|data")
COPY_BUTTON = {"type": "button", "class": "copy", "data-copy": None}


class Audit(HTMLParser):
    """Collects `faults` in HTML; safe HTML has none."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.faults = []
        self.buttons = self.captions = 0
        self.feed(html)
        self.close()
        if self.buttons != self.captions:
            self.faults.append(f"{self.buttons} buttons for {self.captions} code blocks")

    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            self.faults.append(f"<{tag}>")
        self.captions += tag == "figcaption"
        for name, value in attrs:
            self._attribute(tag, name, value or "")
        if tag == "a":
            self._link(dict(attrs))
        if tag == "button":
            self.buttons += 1
            self.faults += [] if dict(attrs) == COPY_BUTTON else [f"button {attrs}"]

    def _attribute(self, tag, name, value):
        allowed = (
            not NOT_IN_MATH.match(name) if tag in MATH_TAGS else name in ATTRIBUTES.get(tag, ())
        )
        if not allowed:
            self.faults.append(f"<{tag} {name}>")
        if "<" in value and name != "title":
            self.faults.append(f"<{tag} {name}={value!r}>")

    def _link(self, attrs):
        if not re.match(r"(https?://|mailto:)", attrs.get("href") or "", re.IGNORECASE):
            self.faults.append(f"href={attrs.get('href')!r}")
        if attrs.get("rel") != "noopener noreferrer nofollow" or attrs.get("target") != "_blank":
            self.faults.append(f"link {attrs}")

    def handle_comment(self, data):
        self.faults.append(f"<!--{data}-->")

    def handle_decl(self, decl):
        self.faults.append(f"<!{decl}>")

    def handle_pi(self, data):
        self.faults.append(f"<?{data}>")


def faults(html):
    return Audit(html).faults


def text_of(html):
    """Return the text that a reader sees, without that of copy buttons."""
    return _Text(html).text


class _Text(HTMLParser):
    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.feed(html.replace('<button type="button" class="copy" data-copy>Copy</button>', ""))
        self.close()

    def handle_data(self, data):
        self.text += data
