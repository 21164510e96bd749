"""Read the chats of a file one by one, so that a fault in one does not affect the others."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from history.services.imports.chats import ImportedChat, Read, Skipped, Unreadable
from history.services.imports.formats import Source
from history.services.imports.readers.values import chat_in, mapping, text

TITLES = ("title", "name")


def in_documents(
    source: Source, make: Callable[[Mapping[str, Any]], ImportedChat]
) -> Iterator[Read]:
    """Yield the chats of a file's documents; each document is a chat, or a list of chats."""
    for document in source.documents:
        is_list = source.head(document).is_list
        yield from each(source.items(document, "item" if is_list else ""), make)


def each(chats: Iterable[Any], make: Callable[[Mapping[str, Any]], ImportedChat]) -> Iterator[Read]:
    """Yield the chat that `make` makes of each value, or the reason why it makes none."""
    for value in chats:
        if isinstance(value, Skipped):
            yield value
            continue
        try:
            yield make(chat_in(value))
        except Unreadable as error:
            yield with_title(error.skipped, value)


def with_title(skipped: Skipped, value: object) -> Skipped:
    """Add the title to the note on a skipped chat, if the value has a title."""
    titles = (text(mapping(value).get(name)) for name in TITLES)
    where = skipped.where or next(filter(None, titles), "")
    return Skipped(skipped.why, where, skipped.figures)
