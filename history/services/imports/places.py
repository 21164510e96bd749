"""Keep track of the place in a document that a stream of JSON events has reached."""

from typing import Any

from history.services.imports.chats import Unreadable, Why

STARTS, ENDS = {"start_map", "start_array"}, {"end_map", "end_array"}


class Place:
    """A place in a document, which is compared to a path such as `chats.item`.

    ijson can do this, too, but with prefixes that grow with the document's depth.
    """

    def __init__(self, path: str) -> None:
        self._steps = path.split(".") if path else []
        self._here = [""] * len(self._steps)
        self._depth = 0

    def is_at(self, event: str) -> bool:
        """Return whether the value that begins with this event is at the path."""
        is_value = event not in ENDS and event != "map_key"
        return is_value and self._depth == len(self._steps) and self._here == self._steps

    def move(self, event: str, value: Any) -> None:
        if event in STARTS:
            self._depth += 1
            self._note("item" if event == "start_array" else "")
        elif event in ENDS:
            self._depth -= 1
        elif event == "map_key":
            self._note(value)

    def _note(self, step: str) -> None:
        if self._depth <= len(self._here):
            self._here[self._depth - 1] = step


class Section:
    """A place in an object whose values are lists: outside it, in it, or in one of its lists."""

    def __init__(self) -> None:
        self.name = ""
        self._depth = 0

    def moves(self, event: str, value: Any) -> bool:
        """Follow an event. Return False if a value begins with it, otherwise True. Raise
        `Unreadable` if the document is not an object.
        """
        if self._depth == 0 and event != "start_map":
            raise Unreadable(Why.NO_CHAT)
        if event == "map_key":
            self.name = value
        elif event in ENDS:
            self._depth -= 1
        elif self._depth == 0 or (self._depth == 1 and event == "start_array"):
            self._depth += 1
        else:
            return False
        return True
