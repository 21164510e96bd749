"""ChatGPT's export: `conversations.json`, or since 2026 `conversations-000.json` and so on.

OpenAI publishes no schema. This reader expects what many exports contain: a list of chats, each
with a `mapping` of nodes by id. A node has its parent, its children in order, and a message or
none.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any, ClassVar

from history.services.imports.chats import (
    ImportedChat,
    ImportedMessage,
    Read,
    Skipped,
    Unreadable,
    Why,
)
from history.services.imports.formats import Head, Source
from history.services.imports.readers.chatgpt_content import NodeReader
from history.services.imports.readers.chatgpt_files import PointedFiles
from history.services.imports.readers.each import each
from history.services.imports.readers.values import mapping, moment, sequence, text

MOST_BETWEEN = 100  # How many bridged nodes are searched for thoughts.
WRAPPED = "conversations"  # In some exports, the list of chats is in an object under this name.


class ChatGPTReader:
    format: ClassVar[str] = "chatgpt"

    def takes(self, head: Head) -> bool:
        is_wrapped = not head.is_list and head.fields == {WRAPPED}
        return is_wrapped or "mapping" in head.fields

    def read(self, source: Source) -> Iterator[Read]:
        assets = PointedFiles(source.members)
        for document in source.documents:
            values = source.items(document, _path(source.head(document)))
            yield from each(values, partial(chat_of, assets))


def _path(head: Head) -> str:
    if head.is_list:
        return "item"
    return "" if "mapping" in head.fields else f"{WRAPPED}.item"


def chat_of(assets: PointedFiles, chat: Mapping[str, Any]) -> ImportedChat:
    """Read one chat. Raise `Unreadable` if the value is no chat."""
    nodes = chat.get("mapping")
    if not isinstance(nodes, Mapping):
        raise Unreadable(Why.NO_CHAT)
    reader = NodeReader(assets, text(chat.get("default_model_slug")))
    work = _Nodes({name: mapping(node) for name, node in nodes.items()}, reader)
    messages = tuple(work.messages())
    return ImportedChat(
        source=text(chat.get("conversation_id")) or text(chat.get("id")),
        title=text(chat.get("title")),
        created=moment(chat.get("create_time")),
        current=work.shown(text(chat.get("current_node"))),
        messages=messages,
        skipped=tuple(work.told()),
        is_archived=chat.get("is_archived") is True,
    )


class _Nodes:
    """The nodes of one chat. Nodes that show nothing are bridged: whatever follows one is attached
    to the nearest node before it that shows something.
    """

    def __init__(self, nodes: Mapping[str, Mapping[str, Any]], reader: NodeReader) -> None:
        self.nodes = nodes
        self.reader = reader
        self.read: dict[str, ImportedMessage] = {}
        self.bridged: dict[str, str | None] = {}

    def messages(self) -> Iterator[ImportedMessage]:
        """Yield the messages with their parents; children come in the order their parent gives."""
        for name in self._ordered():
            if message := self.reader.read(name, self.nodes[name]):
                self.read[name] = message
        for name, message in self.read.items():
            if (parent := self._parent(name)) and parent not in self.nodes:
                self.reader.skipped.append(Skipped(Why.NO_PARENT, name))
            yield self.reader.placed(message, self.shown(self._parent(name)), self._between(name))

    def shown(self, name: str) -> str | None:
        """Return the node, or else the nearest node before it, that became a message."""
        passed: list[str] = []
        for step in self._upwards(name):
            if step in self.read or step in self.bridged:
                nearest = self.bridged.get(step, step)
                break
            passed.append(step)
        else:
            nearest = None
        # Later calls need not go through these nodes again.
        self.bridged |= dict.fromkeys(passed, nearest)
        return nearest

    def told(self) -> Iterator[Skipped]:
        yield from self.reader.skipped
        if self.reader.hidden:
            yield Skipped(Why.HIDDEN, figures={"count": self.reader.hidden})

    def _between(self, name: str) -> list[str]:
        """Return the bridged nodes directly before this one, the nearest first."""
        between = []
        for step in islice(self._upwards(self._parent(name)), MOST_BETWEEN):
            if step in self.read:
                break
            between.append(step)
        return between

    def _upwards(self, name: str) -> Iterator[str]:
        seen: set[str] = set()
        while name in self.nodes and name not in seen:
            yield name
            seen.add(name)
            name = self._parent(name)

    def _parent(self, name: str) -> str:
        return text(self.nodes[name].get("parent"))

    def _ordered(self) -> list[str]:
        """Return the ids of the nodes; children come in the order that their parent gives."""
        rank: dict[str, int] = {}
        for node in self.nodes.values():
            children = [child for child in sequence(node.get("children")) if isinstance(child, str)]
            rank |= {child: place for place, child in enumerate(children)}
        return sorted(self.nodes, key=lambda name: rank.get(name, 0))
