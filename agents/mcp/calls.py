"""Read the arguments a model wrote for a server's tool, and prepare the answer for the model."""

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from agents.tools import Picture, ToolResult, refused, shortened
from agents.tools.arguments import LONGEST, SHOWN, ArgumentsRefused
from history.core.words.wording import printable

if TYPE_CHECKING:
    from mcp_types import CallToolResult

MOST_PICTURES = 8  # The most pictures in one result.
NOTHING = "(The tool returned nothing.)"


def is_readable(text: str) -> bool:
    """Whether arguments can be read; if not, the call is refused before a person is asked."""
    try:
        arguments_of(text)
    except ArgumentsRefused:
        return False
    return True


def arguments_of(text: str) -> dict[str, Any]:
    """Return the arguments as a JSON object, which the server checks against its own schema. Raise
    `ArgumentsRefused`.
    """
    if len(text) > LONGEST:
        raise ArgumentsRefused(f"the arguments are longer than {LONGEST:,} characters.")
    try:
        values = from_json(text or "{}", allow_inf_nan=False)
        json.dumps(values, allow_nan=False)  # 1e999 is read as infinity, which JSON can't express.
    except ValueError as error:
        reason = str(error)[: SHOWN * 2]
        raise ArgumentsRefused(f"the arguments are not valid JSON ({reason}).") from error
    if not isinstance(values, dict):
        raise ArgumentsRefused("the arguments must be a JSON object.")
    return values


def result_of(answer: "CallToolResult", limit: int) -> ToolResult:
    """Make a tool result; `limit` is in characters. Audio and the like become a short marker."""
    pictures = {} if answer.is_error else dict(_pictures(answer.content))
    parts = [part for place, part in enumerate(answer.content) if place not in pictures]
    text = "\n".join(map(_said, parts))
    text = text or ("" if pictures else _structured(answer.structured_content))
    if answer.is_error:
        return refused(shortened(text or "the tool failed without giving a reason.", limit))
    text = shortened(text or ("" if pictures else NOTHING), limit)
    return ToolResult(text, pictures=tuple(pictures.values()))


def _pictures(content: Sequence[Any]) -> Iterator[tuple[int, Picture]]:
    """Yield the pictures with their places, up to a limit."""
    parts = ((place, part) for place, part in enumerate(content) if part.type == "image")
    for place, part in islice(parts, MOST_PICTURES):
        with suppress(ValueError):
            yield place, Picture(b64decode(part.data, validate=True))


def _said(part: Any) -> str:
    return SAID.get(part.type, _unknown)(part)


def _media(part: Any) -> str:
    size = f"about {len(part.data) * 3 // 4:,} bytes"
    return f"[{part.type}, {printable(part.mime_type)}, {size}: not shown]"


def _link(part: Any) -> str:
    return f"[link to {printable(part.name)}: {printable(str(part.uri), 500)}]"


def _resource(part: Any) -> str:
    resource = part.resource
    text: str | None = getattr(resource, "text", None)
    return f"[file {printable(str(resource.uri), 500)}: not shown]" if text is None else text


def _unknown(part: Any) -> str:
    return f"[{printable(str(part.type))}: not shown]"


SAID: Mapping[str, Callable[[Any], str]] = {
    "text": lambda part: str(part.text),
    "image": _media,
    "audio": _media,
    "resource_link": _link,
    "resource": _resource,
}


def _structured(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if value is not None else ""
