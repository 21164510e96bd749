"""Find the texts that a page shows without a translation, and their places.

In these tests, people and models write Japanese, so the app's texts are the only ones in Latin
letters.
"""

import re
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Page

from history.core.settings.spec import Choice
from history.core.settings.table import SETTINGS
from history.core.stages.processors import LEVELS, PROCESSORS

# Collect every text and every attribute that people read or hear, even in hidden elements. `#final`
# only repeats other texts, and browsers keep no elements in `noscript`.
COLLECT = """() => {
  const found = [];
  const named = ["title", "aria-label", "aria-description", "placeholder", "alt", "label"];
  const exempt = "code, pre, kbd, script, style, noscript, #final, [translate=no]";
  const kept = (element) => element?.closest(exempt);
  const where = ({ localName, id, classList }) =>
    (localName ?? "") + (id ? `#${id}` : [...(classList ?? [])].map((c) => "." + c).join(""));
  const place = (element) =>
    element?.parentElement && !element.id
      ? `${where(element.parentElement)} > ${where(element)}` : where(element ?? {});
  const read = (root) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      if (kept(node.nodeType === Node.TEXT_NODE ? node.parentElement : node)) continue;
      if (node.nodeType === Node.TEXT_NODE) found.push([node.data, place(node.parentElement)]);
      else {
        for (const name of named)
          if (node.hasAttribute(name))
            found.push([node.getAttribute(name), `${place(node)} @${name}`]);
        if (node.matches("meta[name=description]")) found.push([node.content, "meta @content"]);
        if (node.matches("input[type=submit]")) found.push([node.value, place(node) + " @value"]);
        if (node.localName === "template") read(node.content);
      }
    }
  };
  read(document);
  return found;
}"""
# Exempt are the brand, units, an agent's version as in records, and names: words with a digit, an
# underscore or an inner capital, such as settings, models, tools and addresses.
EXEMPT = re.compile(
    r"\bVitrine\b"
    r"|(?<=\d)\s?(?:ms|min|kB|MB|k)\b"
    r"|\bagent \S+ v\d+"
    r"|\S*(?:[_/=@{]|\.\w|[a-z][A-Z]|\d)\S*"
    r"|\b[A-Z]{2,}\b"
)
WORD = re.compile(r"[A-Za-z]{2,}")
# Names of settings, their values, processors' options, and API fields, which need no translation.
CODE = {
    *("true", "false", "use", "text", "head", "network", *LEVELS),
    *(option.name for processor in PROCESSORS.values() for option in fields(processor)),
    *(spec.name for spec in SETTINGS),
    *(value for spec in SETTINGS if isinstance(spec.kind, Choice) for value in spec.kind.values),
}


def is_untouched(text: str) -> bool:
    words = WORD.findall(EXEMPT.sub(" ", text))
    return not CODE.issuperset(words)


class Found(NamedTuple):
    text: str
    place: str
    view: str

    def __str__(self) -> str:
        return f"{self.view}: {self.text!r} in {self.place}"


@dataclass
class Reader:
    """Reads one view after the other, and keeps each untranslated text once."""

    found: dict[tuple[str, str], Found] = field(default_factory=dict)

    def page(self, page: Page, view: str) -> None:
        for text, place in page.evaluate(COLLECT):
            self.text(text, place, view)

    def answer(self, response: httpx.Response, view: str) -> None:
        """Read an error of the API, all of which is for people except its code."""
        body = response.json()
        for text in strings(body):
            self.text(text, f"{response.status_code} {body.get('code')}", view)

    def text(self, text: str, place: str, view: str) -> None:
        text = " ".join(text.split())
        if is_untouched(text):
            self.found.setdefault((text, place), Found(text, place, view))

    def told(self) -> str:
        return "\n".join(map(str, self.found.values()))


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, part in value.items() if key != "code" for text in strings(part)]
    if isinstance(value, list):
        return [text for part in value for text in strings(part)]
    return [value] if isinstance(value, str) else []
