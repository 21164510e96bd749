"""The formats in which a chat can be exported."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from history.models import Conversation
from history.services.exports.chat_json import chat_json
from history.services.exports.reader import ExportReader


@dataclass(frozen=True, slots=True)
class Form:
    """A format of exports. `write` yields the text of one chat's file, piece by piece. `kind` tells
    downloads of one format apart by their names.
    """

    ending: str
    media_type: str
    write: Callable[[Conversation], Iterator[str]]
    kind: str = ""

    @property
    def suffix(self) -> str:
        """The end of a download's name."""
        return f"-{self.kind}.{self.ending}" if self.kind else f".{self.ending}"


def as_json(reader: ExportReader) -> Form:
    return Form("json", "application/json", partial(chat_json, reader=reader))
