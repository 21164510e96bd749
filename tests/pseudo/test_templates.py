"""Every text in a template is translated, or marked as one that must not be."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.pseudo.untouched import is_untouched
from tests.servers import ROOT

FOLDER = ROOT / "templates"
TEMPLATES = sorted(path.relative_to(FOLDER) for path in FOLDER.rglob("*.*"))
# Translated texts, comments, tags and values, all of which the test skips.
TAGS = re.compile(
    r"{%-?\s*blocktranslate\b.*?endblocktranslate\s*%}"
    r"|{%\s*comment.*?endcomment\s*%}|{#.*?#}|{%.*?%}|{{.*?}}",
    re.DOTALL,
)
TAG = re.compile(r"{%(?!\s*(?:block)?translate\b).*?%}|{{.*?}}", re.DOTALL)
LITERAL = re.compile(r"""(?<!_\()(["'])(.*?)\1""")  # An untranslated text within a tag.
PHRASE = re.compile(r"[A-Z][a-z]|.*[a-z] [a-z]")
READ_OUT = ("title", "aria-label", "aria-description", "placeholder", "alt", "label")
LEFT_ALONE = {"code", "pre", "kbd", "script", "style"}
EMPTY = {"meta", "link", "input", "br", "hr", "img", "use", "path", "circle", "rect", "polyline"}


class Texts(HTMLParser):
    """The untranslated texts of a template, with the numbers of their lines."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        is_left_alone = tag in LEFT_ALONE or given.get("translate") == "no"
        if tag not in EMPTY:
            self.open.append((tag, is_left_alone))
        for name in READ_OUT:
            self.note(given.get(name, ""))
        if given.get("name") == "description":
            self.note(given.get("content", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self.note(data)

    def note(self, text: str) -> None:
        if is_untouched(text) and not any(is_left_alone for _, is_left_alone in self.open):
            self.found.append(f"{' '.join(text.split())!r} near line {self.getpos()[0]}")


def untouched(template: str) -> list[str]:
    texts = Texts()
    texts.feed(TAGS.sub(lambda tag: "\n" * tag[0].count("\n"), template))
    texts.close()
    literals = [text for tag in TAG.findall(template) for _, text in LITERAL.findall(tag)]
    return [*texts.found, *map(repr, filter(PHRASE.match, literals))]


def test_a_text_that_nobody_translates_is_found():
    template = """<p title="Told {{ n }} times">{% translate "not this" %} but <b>this</b>
    {% blocktranslate trimmed %}nor <i>that</i>
    {% endblocktranslate %}<input placeholder="Name"><code>x y z</code> <s translate="no">Ada</s>
    {{ chat.title|default:"Untitled" }} {{ chat.title|default:_("Untitled") }}
    {% include "a/b.html" with what="this chat" %}
    """

    assert untouched(template) == [
        "'Told times' near line 1",
        "'but' near line 1",
        "'this' near line 1",
        "'Name' near line 3",
        "'Untitled'",
        "'this chat'",
    ]


@pytest.mark.parametrize("template", TEMPLATES, ids=str)
def test_every_text_is_translated(template: Path):
    assert untouched((FOLDER / template).read_text()) == []
