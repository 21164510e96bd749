"""Make an export in ChatGPT's format, with more chats than a report first lists, one of them
unreadable.
"""

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

CHATS = (
    ("garden", "What to plant in half shade", "What grows in half shade?", "Ferns."),
    ("capital", "Capitals of the north", "Capital of Norway?", "Oslo."),
    ("dough", "How long dough rests", "How long should dough rest?", "Until it has doubled."),
    ("knot", "A knot for a hammock", "Which knot holds a hammock?", "A bowline."),
    ("moon", "The far side of the moon", "Is it always dark there?", "Only half of the time."),
)


def export() -> bytes:
    chats = [_chat(*chat) for chat in CHATS]
    unfinished = {"title": "Unfinished", "mapping": 7}
    data = BytesIO()
    with ZipFile(data, "w") as archive:
        archive.writestr("conversations.json", json.dumps([*chats, unfinished]))
    return data.getvalue()


def _chat(key: str, title: str, question: str, answer: str) -> dict[str, Any]:
    nodes = [
        {"id": "root", "message": None, "parent": None, "children": ["a"]},
        _node("a", "root", "user", question, ["b"]),
        _node("b", "a", "assistant", answer, []),
    ]
    mapping = {node["id"]: node for node in nodes}
    times = {"create_time": 1_700_000_000.5, "update_time": 1_700_000_900.0}
    return {"title": title, "conversation_id": key, "mapping": mapping, "current_node": "b"} | times


def _node(key: str, parent: str, role: str, text: str, children: list[str]) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    author: dict[str, Any] = {"role": role, "name": None, "metadata": {}}
    message = {"id": key, "author": author, "content": content, "recipient": "all"}
    return {"id": key, "message": message, "parent": parent, "children": children}
