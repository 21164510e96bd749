"""Put tool calls together from pieces, in whatever order and shape a provider sends them."""

import re
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from chatapp.generation.reading.thoughts import new_in, size_of
from chatapp.llm.chunks import CallDelta
from history.core.transcript.messages import ToolCall

MOST_CALLS = 64
LONGEST_ARGUMENTS = 200_000  # Twice what a tool accepts, so that the tool itself refuses it.


@dataclass(slots=True)
class _Pieces:
    id: str
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    length: int = 0
    fields: dict[str, Any] = field(default_factory=dict)

    def add(self, delta: CallDelta) -> None:
        self.id = self.id or delta.id
        self.name = self.name or delta.name
        self.fields.update(delta.fields)
        piece = delta.arguments[: LONGEST_ARGUMENTS - self.length]
        self.length += len(piece)
        self.arguments.append(piece)


class CallAssembler:
    """Puts tool calls together: `add` each piece, then read `calls()`.

    A piece belongs to the newest call of its index. A piece with another id begins a new call,
    because some servers number every call 0. Missing and duplicate ids are replaced by `prefix` and
    a number. `left_out` counts the calls beyond the 64th, which are dropped.
    """

    def __init__(self, prefix: str = "call") -> None:
        self.left_out = 0
        self._prefix = prefix
        self._pieces: list[_Pieces] = []
        self._open: dict[int, _Pieces] = {}

    def growth(self, delta: CallDelta) -> int:
        """Return how many bytes a piece would add, not counting its arguments, which have a limit
        of their own.
        """
        pieces = self._newest(delta)
        fields = {"id": pieces.id, **pieces.fields} if pieces else {}
        return size_of(new_in({"id": delta.id, **delta.fields}, fields))

    def add(self, delta: CallDelta) -> None:
        pieces = self._newest(delta)
        if pieces is None:
            pieces = self._open[delta.index] = self._opened(delta)
        pieces.add(delta)

    def _newest(self, delta: CallDelta) -> _Pieces | None:
        """Return the call that goes on with this piece, if any does."""
        pieces = self._open.get(delta.index)
        opens = pieces and delta.id and pieces.id and delta.id != pieces.id
        return None if opens else pieces

    def calls(self) -> tuple[ToolCall, ...]:
        """Return the calls in the order in which they began, each with an id of its own."""
        ids: set[str] = set()
        return tuple(self._call(number, pieces, ids) for number, pieces in enumerate(self._pieces))

    def _opened(self, delta: CallDelta) -> _Pieces:
        pieces = _Pieces(delta.id)
        if len(self._pieces) < MOST_CALLS:
            self._pieces.append(pieces)
        else:
            self.left_out += 1
        return pieces

    def _call(self, number: int, pieces: _Pieces, ids: set[str]) -> ToolCall:
        call_id = pieces.id.strip()
        own_ids = (f"{self._prefix}_{n}" for n in count(number))
        while not call_id or call_id in ids:
            call_id = next(own_ids)
        ids.add(call_id)
        arguments = "".join(pieces.arguments)
        return ToolCall(call_id, _sendable(pieces.name), arguments, fields=pieces.fields)


def _sendable(name: str) -> str:
    """Return a valid name: providers reject transcripts with invalid ones, even if a model made
    them up.
    """
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "unnamed"
