"""Build files as other programs write them, by what is known of their layouts."""

import json
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from history.services.imports.chats import ImportedChat, Skipped, Unreadable
from history.services.imports.known import read_chats, recognised
from history.services.imports.source import Bounds, SuppliedFile

BOUNDS = Bounds(documents=50_000_000, member=1_000_000)


def zipped(members, compression=ZIP_DEFLATED):
    """Make a ZIP archive; members that are neither text nor bytes are written as JSON."""
    data = BytesIO()
    with ZipFile(data, "w", compression) as archive:
        for name, content in members.items():
            is_ready = isinstance(content, str | bytes)
            archive.writestr(name, content if is_ready else json.dumps(content))
    return data.getvalue()


def written(content):
    return content if isinstance(content, bytes) else json.dumps(content).encode()


def source_of(content, name="export.json", bounds=BOUNDS):
    return SuppliedFile(BytesIO(written(content)), name, bounds)


def chats_in(content, bounds=BOUNDS):
    """Read a file; return its chats, and what was skipped. If reading stopped early, the last
    skipped entry says where."""
    found = []
    try:
        source = source_of(content, bounds=bounds)
        found.extend(read_chats(source, recognised(source)))
    except Unreadable as error:
        found.append(error.skipped)
    chats = [each for each in found if isinstance(each, ImportedChat)]
    return chats, [each for each in found if isinstance(each, Skipped)]


def chat_in(content):
    (chat,), _ = chats_in(content)
    return chat


def said(chat):
    return [(message.role, message.text) for message in chat.messages]


def node(name, parent=None, role="user", text="", children=(), **message):
    """Make a node of a ChatGPT chat."""
    content = message.pop("content", None) or {"content_type": "text", "parts": [text]}
    author = {"role": role, "name": message.pop("author", None), "metadata": {}}
    told = {"id": name, "author": author, "content": content, "recipient": "all", **message}
    return {name: {"id": name, "message": told, "parent": parent, "children": list(children)}}


ROOT: dict = {"root": {"id": "root", "message": None, "parent": None, "children": []}}


def chatgpt(*nodes, title="A trip", current="", **fields):
    mapping = {name: each for part in (ROOT, *nodes) for name, each in part.items()}
    times = {"create_time": 1_700_000_000.5, "update_time": 1_700_000_900.0}
    id_ = fields.pop("id", "c-1")
    return {"title": title, "conversation_id": id_, "mapping": mapping, **times} | (
        {"current_node": current} | fields
    )
