"""Read a server's list of tools: nothing in it is trusted, and nothing is dropped silently."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from history.core.words.wording import number, printable

if TYPE_CHECKING:
    from mcp_types import Tool

MOST_TOOLS = 120  # For one server: providers accept 128 in a request.
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1_024
LONGEST_SCHEMA = 10_000  # The longest schema, in characters of JSON.
LONGEST_SCHEMAS = 250_000  # The limit for all schemas of a server.
MOST_NOTES = 20


@dataclass(slots=True)
class Listing:
    """The tools of a server, and notes on those that cannot be offered.

    `tools` are JSON objects with the fields name, remote, description and parameters of an
    `OfferedTool`, and `reads_only`, the server's hint.
    """

    server: str
    tools: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    room: int = LONGEST_SCHEMAS

    def add(self, tool: "Tool") -> None:
        """Add a tool, or a note if it cannot be offered."""
        text = _written(tool.input_schema)
        if fault := self._fault(tool, text):
            self.notes.append(f"{printable(tool.name)!r} is left out because {fault}.")
            return
        self.room -= len(text)
        wanted_name = offered_name(self.server, tool.name)
        name = free_name(wanted_name, {each["name"] for each in self.tools})
        if name != wanted_name:
            self.notes.append(
                f"{printable(tool.name)!r} is called {name}, because {wanted_name} is taken."
            )
        described = _described(tool.description or "")
        self.tools.append(
            {
                "name": name,
                "remote": tool.name,
                "description": described,
                "parameters": tool.input_schema,
                "reads_only": bool(tool.annotations and tool.annotations.read_only_hint),
            }
        )

    def _fault(self, tool: "Tool", schema: str) -> str:
        """Say why the tool cannot be offered; empty if it can."""
        if len(self.tools) == MOST_TOOLS:
            return (
                f"a server can offer at most {MOST_TOOLS} tools; list the ones you need on its page"
            )
        if not tool.name or len(tool.name) > 200 or not tool.name.isprintable():
            return "its name is empty, too long or contains unprintable characters"
        if not schema:
            return "its arguments aren't a JSON schema of an object"
        if len(schema) > LONGEST_SCHEMA:
            most = number(LONGEST_SCHEMA)
            return f"its schema has {number(len(schema))} characters; the limit is {most}"
        if len(schema) > self.room:
            return "the schemas of the earlier tools already use up the limit"
        return ""


def listing(server: str, tools: "Iterable[Tool]", only: Sequence[str] = ()) -> Listing:
    """Make a server's listing; `only` names the wanted tools, and empty means all."""
    server_listing = Listing(server)
    missing = dict.fromkeys(only)
    for tool in tools:
        if only and tool.name not in only:
            continue
        missing.pop(tool.name, None)
        server_listing.add(tool)
    server_listing.notes += [
        f"{printable(name)!r} is listed, but the server has no such tool." for name in missing
    ]
    server_listing.notes = shortened_notes(server_listing.notes)
    return server_listing


def shortened_notes(notes: list[str]) -> list[str]:
    if len(notes) <= MOST_NOTES:
        return notes
    return [*notes[:MOST_NOTES], f"And {number(len(notes) - MOST_NOTES)} more."]


def offered_name(server: str, tool: str) -> str:
    """Make a tool's name that has only characters that all providers accept."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"{server}__{tool}")[:LONGEST_NAME]


def free_name(name: str, names: Iterable[str]) -> str:
    """Return the wanted name, with a number at its end if it is taken."""
    if name not in (others := set(names)):
        return name
    endings = (f"_{n}" for n in count(2))
    candidates = (name[: LONGEST_NAME - len(ending)] + ending for ending in endings)
    return next(each for each in candidates if each not in others)


def _described(text: str) -> str:
    clean = "".join(c if c.isprintable() or c == "\n" else " " for c in text.strip())
    if len(clean) <= LONGEST_DESCRIPTION:
        return clean
    return clean[: LONGEST_DESCRIPTION - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _written(schema: object) -> str:
    """Write a schema as JSON; empty if it is no object schema, or cannot be stored."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return ""
    try:
        text = json.dumps(schema, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, RecursionError):
        return ""
    return "" if "\\u0000" in text else text
