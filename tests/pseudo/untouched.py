"""What a page shows in letters that no translation made, and where.

People and models write Japanese in these walks, so nothing of theirs is taken for the app's.
"""

import re
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Page

from history.core.settings.spec import Choice
from history.core.settings.table import SETTINGS
from history.core.stages.processors import LEVELS, PROCESSORS

# Every text and every attribute that is read out or shown, what is hidden as yet included. `#final`
# repeats what is shown, and in `noscript` a browser sees no elements.
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
# The brand; units; the name of a template's version as records have it; and what has a digit, an
# underscore or a capital inside, as settings, variables, models, tools, addresses and slots have.
EXEMPT = re.compile(
    r"\bVitrine\b"
    r"|(?<=\d)\s?(?:ms|min|kB|MB|k)\b"
    r"|\btemplate \S+ v\d+"
    r"|\S*(?:[_/=@{]|\.\w|[a-z][A-Z]|\d)\S*"
    r"|\b[A-Z]{2,}\b"
)
WORD = re.compile(r"[A-Za-z]{2,}")
# Settings, their values, processors' options, and fields of the API, as people write them.
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
    """Reads views one after the other, and keeps what is untouched, once each."""

    found: dict[tuple[str, str], Found] = field(default_factory=dict)

    def page(self, page: Page, view: str) -> None:
        for text, place in page.evaluate(COLLECT):
            self.text(text, place, view)

    def answer(self, response: httpx.Response, view: str) -> None:
        """An error of the API: its code is for programs, all else is for people."""
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
