"""Parse the panel's HTML into values."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

Fetch = Callable[[str], str]


@dataclass
class Row:
    """A row of the map: its letters, its position if it has one, and its cells' texts.

    `opens` is the address that the button of a folded run of rows requests.
    """

    letters: str
    position: int | None
    words: list[list[str]] = field(default_factory=list)
    opens: str = ""

    @property
    def place(self) -> tuple[str, int | None]:
        return self.letters, self.position

    @property
    def text(self) -> str:
        return folded(self.words[1])

    @property
    def tokens(self) -> tuple[int, int | None]:
        """Return the message's own tokens, and the tokens that were sent if they differ."""
        held, _, sent = folded(self.words[2]).partition("\N{RIGHTWARDS ARROW}")
        return figure(held), figure(sent) if sent else None


class Page(HTMLParser):
    """The rows of the map and the whole text, in which runs of blanks become one blank."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._words: list[str] = []
        self._row: Row | None = None
        self.feed(html)

    @property
    def text(self) -> str:
        return folded(self._words)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "tr":
            self._row = _row(given) if "data-verdicts" in given else None
            self.rows += [self._row] if self._row else []
        elif self._row and tag == "td":
            self._row.words.append([])
        elif self._row and tag == "button" and not self._row.opens:
            self._row.opens = given["hx-get"]

    def handle_endtag(self, tag: str) -> None:
        if tag == "tr":
            self._row = None

    def handle_data(self, data: str) -> None:
        self._words.append(data)
        if self._row and self._row.words:
            self._row.words[-1].append(data)


def _row(given: dict[str, Any]) -> Row:
    position = given.get("data-position")
    return Row(given["data-verdicts"], None if position is None else int(position))


def folded(words: list[str]) -> str:
    return " ".join(" ".join(words).split())


def figure(text: str) -> int:
    """Read a number such as `1,234`."""
    return int(text.replace(",", ""))


def opened_rows(page: Page, fetch: Fetch) -> Iterator[Row]:
    """Yield every row of the map; open each folded run by its button's address."""
    for row in page.rows:
        if row.opens:
            yield from opened_rows(Page(fetch(row.opens)), fetch)
        else:
            yield row


def figures(pattern: str, text: str) -> tuple[int, ...]:
    """Return the numbers that a pattern captures."""
    match = re.search(pattern, text)
    assert match, f"{pattern} is not in {text}"
    return tuple(map(figure, match.groups()))
