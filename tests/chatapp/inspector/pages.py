"""Read the panel's HTML as a person would."""

import re
from html.parser import HTMLParser
from typing import Any


class Table(HTMLParser):
    """The rows of the map. Each row has its attributes and its text, in which blanks are single."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[dict[str, Any]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "tr" and "data-verdicts" in given:
            self.rows.append({**given, "text": ""})
        self.inside = (tag == "tr" and "data-verdicts" in given) or (self.inside and tag != "tr")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "tr"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1]["text"] = " ".join(f"{self.rows[-1]['text']} {data}".split())


def map_of(response: Any) -> list[dict[str, Any]]:
    table = Table()
    table.feed(response.content.decode())
    return table.rows


def verdicts_of(response: Any) -> list[tuple[str, str]]:
    """Return each row's letters and position; injected rows have no position."""
    return [(row["data-verdicts"], row.get("data-position", "")) for row in map_of(response)]


class Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def text_of(response: Any) -> str:
    """Return the whole text of a page, in which blanks are single."""
    text = Text()
    text.feed(re.sub("</?code>", "", response.content.decode()))  # So no blanks surround code.
    return " ".join(" ".join(text.parts).split())
