"""A chat as JSON, written in pieces: at most a page of its rows is in memory."""

from collections.abc import Iterable, Iterator

from django.utils import timezone
from pydantic import BaseModel

from history.models import Conversation
from history.services.exports import making
from history.services.exports.reader import ExportReader
from history.services.exports.schema import ExportHead
from history.services.exports.sections import ChatSections


def chat_json(conversation: Conversation, reader: ExportReader) -> Iterator[str]:
    """Yield the text of the file; each row of its lists is one line."""
    sections = ChatSections(conversation, reader, timezone.now())
    head = ExportHead(exported=sections.until, chat=making.chat(conversation))
    yield head.model_dump_json().removesuffix("}")
    for name, items in sections.in_order().items():
        yield f',\n"{name}": ['
        yield from _lines(items)
        yield "]"
    yield "}\n"


def _lines(items: Iterable[BaseModel]) -> Iterator[str]:
    between = "\n"
    for item in items:
        yield between + item.model_dump_json()
        between = ",\n"
