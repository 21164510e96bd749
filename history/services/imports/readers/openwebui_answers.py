"""The contents of an Open WebUI answer: a list of items or, in older files, HTML."""

import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from typing import Any

from history.core.words.json_text import read_json
from history.services.imports.chats import Skipped, unknown_part
from history.services.imports.readers.pieces import Pieces
from history.services.imports.readers.values import as_json, mapping, sequence, text

# The patterns must not search for the closing tag: a file may have millions of unclosed tags.
FOLDED = re.compile(r'<details type="(reasoning|tool_calls|code_interpreter)"([^<>]*)>')
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
END = "</details>"
INTERPRETER = "code_interpreter"


def take_items(pieces: Pieces, items: list[Any]) -> Iterator[Skipped]:
    """Read the items of an answer; yield `Skipped` for unknown ones."""
    for item in map(mapping, items):
        match kind := text(item.get("type")):
            case "message":
                pieces.text(_texts(item.get("content")))
            case "reasoning":
                pieces.thought(_texts(item.get("summary")) or _texts(item.get("content")))
            case "function_call":
                arguments = item.get("arguments")
                pieces.call(text(item.get("call_id")), text(item.get("name")), _written(arguments))
            case "function_call_output":
                output = item.get("output")
                pieces.result(text(item.get("call_id")), "", text(output) or _texts(output))
            case "open_webui:code_interpreter":
                _interpret(pieces, text(item.get("code")), item.get("output"))
            case _:
                yield unknown_part(kind, pieces.id)


def take_text(pieces: Pieces, content: str) -> None:
    """Read a text in which `<details>` elements contain thoughts and calls."""
    place = 0
    for match in FOLDED.finditer(content):
        if match.start() < place:
            continue
        end = content.find(END, match.end())
        if end < 0:
            break
        pieces.text(content[place : match.start()].strip())
        inner = re.sub(r"^\s*<summary>[^<]*</summary>", "", content[match.end() : end])
        TAKERS[match[1]](pieces, dict(ATTRIBUTE.findall(match[2])), unescape(inner).strip())
        place = end + len(END)
    pieces.text(content[place:].strip() if place else content)


def _thought(pieces: Pieces, _attributes: Mapping[str, str], inner: str) -> None:
    """Read a thought; its lines are quoted."""
    lines = [line.removeprefix(">").strip() for line in inner.splitlines()]
    pieces.thought("\n".join(lines))


def _called(pieces: Pieces, attributes: Mapping[str, str], inner: str) -> None:
    arguments = _plain(attributes.get("arguments", ""))
    id_ = pieces.call(attributes.get("id", ""), attributes.get("name", ""), arguments or "{}")
    if output := _plain(attributes.get("result", "")) or inner:
        pieces.result(id_, "", output)


def _interpreted(pieces: Pieces, attributes: Mapping[str, str], inner: str) -> None:
    code = re.sub(r"^```\w*\n|\n?```$", "", inner)
    _interpret(pieces, code, _plain(attributes.get("output", "")))


def _interpret(pieces: Pieces, code: str, output: object) -> None:
    id_ = pieces.call("", INTERPRETER, as_json({"code": code}))
    if output:
        pieces.result(id_, INTERPRETER, _written(output))


TAKERS: Mapping[str, Callable[[Pieces, Mapping[str, str], str], None]] = {
    "reasoning": _thought,
    "tool_calls": _called,
    INTERPRETER: _interpreted,
}


def _plain(attribute: str) -> str:
    """Decode a text from HTML and then from JSON; what is not a JSON string stays as it is."""
    plain = unescape(attribute)
    try:
        return text(read_json(plain)) or plain
    except ValueError:
        return plain


def _written(value: object) -> str:
    return value if isinstance(value, str) else as_json(value or {})


def _texts(parts: object) -> str:
    texts = (text(mapping(part).get("text")) for part in sequence(parts))
    return "\n".join(filter(None, texts))
