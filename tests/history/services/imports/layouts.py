"""The same chat in the layout of every program whose files can be imported."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from tests.history.services.imports.files import chatgpt, node, written, zipped
from tests.history.services.imports.test_peers import claude, entry, human, turn
from tests.history.services.imports.test_vitrine import chat, document, message


class Said(NamedTuple):
    id: str
    parent: str | None
    role: str
    text: Any
    time: Any = "2025-11-23T12:00:00Z"


PLAIN = (Said("1", None, "user", "Hi"), Said("2", "1", "assistant", "Hello"))


class Layout(NamedTuple):
    """A program's layout: `chat` makes a chat of messages and a title, `file` a file of chats.

    `place` is the field with the messages. If `has_tree`, each message names the one before it; if
    `can_be_equal`, two messages of a file may have the same id.
    """

    name: str
    chat: Callable[[Sequence[Said], str], dict[str, Any]]
    file: Callable[[Sequence[Any]], bytes]
    place: str
    has_tree: bool = True
    can_be_equal: bool = True


def _in_chatgpt(said, title):
    nodes = [node(m.id, m.parent or "root", m.role, m.text, create_time=m.time) for m in said]
    return chatgpt(*nodes, title=title, id=title)


def _in_claude(said, title):
    sent = [
        human(m.id, m.parent or "00000000-0000-4000-8000-000000000000", m.text)
        | {"created_at": m.time, "sender": "human" if m.role == "user" else "assistant"}
        for m in said
    ]
    return claude(*sent, name=title, uuid=title)


def _in_open_webui(said, title):
    tree = {}
    for m in said:
        tree |= turn(m.id, m.parent, m.role, m.text, timestamp=m.time)
    return {"id": title, "title": title, "chat": {"models": [], "history": {"messages": tree}}}


def _in_librechat(said, title):
    nobody = "00000000-0000-0000-0000-000000000000"
    sent = [
        entry(m.id, m.parent or nobody, m.text, user=m.role == "user", createdAt=m.time)
        for m in said
    ]
    return {"conversationId": title, "title": title, "messages": sent}


def _in_openai(said, title):
    sent = [{"role": m.role, "content": m.text, "created_at": m.time} for m in said]
    return {"id": title, "title": title, "messages": sent}


def _in_vitrine(said, title):
    sent = [
        message(int(m.id), m.text, position=place, role=m.role, created=m.time)
        for place, m in enumerate(said)
    ]
    return document(*sent, chat=chat(title=title, id=str(uuid5(NAMESPACE_URL, title))))


def _in_one_archive(chats):
    return zipped({f"chats/{number}.json": each for number, each in enumerate(chats)})


LAYOUTS = (
    Layout("ChatGPT", _in_chatgpt, written, "mapping", can_be_equal=False),
    Layout(
        "ChatGPT in parts",
        _in_chatgpt,
        lambda chats: zipped({f"conversations-{n:03}.json": [c] for n, c in enumerate(chats)}),
        "mapping",
        can_be_equal=False,
    ),
    Layout("Claude", _in_claude, written, "chat_messages"),
    Layout("Open WebUI", _in_open_webui, written, "chat", can_be_equal=False),
    Layout("LibreChat", _in_librechat, written, "messages"),
    Layout("OpenAI", _in_openai, written, "messages", has_tree=False),
    Layout("Vitrine", _in_vitrine, _in_one_archive, "chat", has_tree=False),
)
