"""The keyboard shortcuts of the page, as its sheet of shortcuts lists them.

`modules` are the scripts that listen. A test compares this table with the scripts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chatapp.about.documents import Document
from chatapp.about.sections import Section

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Keys:
    """One or several combinations of keys to press, and what they do."""

    modules: str  # Names of the scripts that listen for these keys, with spaces between them.
    ways: tuple[tuple[str, ...], ...]
    does: "StrOrPromise"


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the page, with the keys that work there. The sheet of shortcuts lists it only on a
    page that has an element matching the CSS selector `needs`; an empty `needs` matches every page.
    """

    name: "StrOrPromise"
    keys: tuple[Keys, ...]
    needs: str = ""


# Names of the scripts in which Esc closes or ends something.
CLOSED = "menus more verdict sidebar editing completion choosing follow_up closing"
PLACES = (
    Place(
        _("Anywhere, even while writing"),
        (
            Keys("shortcuts", (("Ctrl", "K"),), _("Search your chats")),
            Keys("shortcuts", (("Ctrl", "Shift", "O"),), _("New chat")),
            Keys("shortcuts", (("Alt", "↑"), ("Alt", "↓")), _("Chat above or below in the list")),
            Keys("shortcuts", (("Shift", "Esc"),), _("Write a message")),
            Keys("shortcuts", (("Ctrl", "End"),), _("Newest message")),
            Keys("shortcuts", (("Ctrl", "Shift", "C"),), _("Copy the newest answer")),
            Keys("shortcuts", (("Ctrl", "I"),), _("Open or close the inspector")),
            Keys("shortcuts", (("Ctrl", "B"),), _("Open or close the sidebar")),
            Keys("shortcuts", (("Ctrl", "/"),), _("Show this list")),
            Keys("shortcuts", (("Ctrl", "Z"),), _("Undo, while it is offered")),
            Keys(
                f"shortcuts {CLOSED}",
                (("Esc",),),
                _(
                    "Close a menu or dialog, or the inspector if you are in it; else end editing or"
                    " selecting; else stop the answer"
                ),
            ),
        ),
    ),
    Place(
        _("Outside of fields"),
        (
            Keys("shortcuts", (("/",),), _("Search your chats")),
            Keys("shortcuts", (("?",),), _("Show this list")),
        ),
    ),
    Place(
        _("While writing"),
        (
            Keys("composer", (("Enter",),), _("Send; on a phone, a new line")),
            Keys("composer", (("Shift", "Enter"),), _("New line")),
            Keys("shortcuts", (("↑",),), _("Edit your last message, if nothing is written")),
            Keys("completion", (("↑",), ("↓",)), _("Choose a command, after /")),
            Keys("completion", (("Tab",),), _("Complete the command")),
            Keys("completion", (("Enter",),), _("Run the command")),
        ),
    ),
    Place(
        _("In the search"),
        (
            Keys("searching", (("↑",), ("↓",)), _("Move through the results")),
            Keys("searching", (("Home",), ("End",)), _("First or last result")),
            Keys("searching", (("Enter",),), _("Open the first result")),
            Keys("searching", (("Esc",),), _("Back to the message field")),
        ),
    ),
    Place(
        _("While stepping through matches"),
        (
            Keys("hits", (("F3",), ("Ctrl", "G")), _("Next match")),
            Keys("hits", (("Shift", "F3"), ("Ctrl", "Shift", "G")), _("Previous match")),
        ),
        needs=".hits",
    ),
    Place(
        _("In menus"),
        (
            Keys("walking", (("↓",),), _("Open the menu of a button")),
            Keys("walking", (("↑",), ("↓",)), _("Move through an open menu")),
            Keys("walking", (("Home",), ("End",)), _("First or last entry of a menu")),
        ),
    ),
    Place(
        _("In the inspector"),
        (
            Keys("turns", (("[",), ("←",)), _("Previous turn")),
            Keys("turns", (("]",), ("→",)), _("Next turn")),
            Keys("panel", (("J",), ("↓",)), _("Next message")),
            Keys("panel", (("K",), ("↑",)), _("Previous message")),
            Keys("panel", (("Enter",),), _("Show the message in the chat")),
            Keys("edge", (("←",), ("→",)), _("On its edge: wider or narrower")),
            Keys("edge", (("Home",), ("End",)), _("On its edge: as wide or narrow as possible")),
            Keys("finder", (("Enter",),), _("Show the message that was found")),
        ),
        needs="#panel",
    ),
    Place(
        _("On the chart of the staff's overview"),
        (
            Keys("bars", (("←",), ("↓",)), _("Previous day or week")),
            Keys("bars", (("→",), ("↑",)), _("Next day or week")),
            Keys("bars", (("Home",), ("End",)), _("First or last day or week")),
            Keys("bars", (("Enter",),), _("Only that day or week")),
        ),
        needs="#trend-table",
    ),
    Place(
        _("While selecting chats"),
        (
            Keys("choosing", (("↑",), ("↓",)), _("Previous or next chat")),
            Keys("choosing", (("Space",),), _("Select the chat")),
            Keys("choosing", (("Shift", "Click"),), _("Select a range")),
            Keys("choosing", (("Ctrl", "A"),), _("Select all that are shown")),
        ),
        needs="[data-choosing]",
    ),
)


def sections_of_keys() -> Iterator[Section]:
    """Yield the places as sections for the search, as if their page were a document."""
    sheet = Document("docs/keys.md", gettext("Keyboard shortcuts"), "")
    yield Section(sheet, text="; ".join(str(place.name) for place in PLACES))
    for number, place in enumerate(PLACES, 1):
        text = "; ".join(f"{keys.does}: {_pressed(keys)}" for keys in place.keys)
        yield Section(sheet, str(place.name), f"place-{number}", text=text)


def _pressed(keys: Keys) -> str:
    return ", ".join("+".join(way) for way in keys.ways)
