"""The formats in which a chat can be exported."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from history.models import Conversation
from history.services.exports.chat_json import chat_json
from history.services.exports.reader import ExportReader


@dataclass(frozen=True, slots=True)
class Form:
    """A format of exports. `write` yields the text of one chat's file, piece by piece."""

    ending: str
    media_type: str
    write: Callable[[Conversation], Iterator[str]]


def as_json(reader: ExportReader) -> Form:
    return Form("json", "application/json", partial(chat_json, reader=reader))
