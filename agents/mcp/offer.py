"""The MCP tools of one generation: they stay the same, whatever the servers say later."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from agents.tools.arguments import function_schema
from history.core.words.facts import Note


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool of an offer. `name` is its name for the model, `remote` its name on the server.

    A tool that `needs_approval` is called only after a person has approved the call; all tools in
    older offers need approval.
    """

    name: str
    server: str
    remote: str
    description: str
    parameters: dict[str, Any]
    needs_approval: bool = True

    @property
    def schema(self) -> dict[str, Any]:
        return function_schema(self.name, self.description, self.parameters)


@dataclass(frozen=True, slots=True)
class Offer:
    """The tools that a generation may call. `notes` say which servers and tools were left out."""

    tools: tuple[OfferedTool, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def names(self) -> list[str]:
        return [tool.name for tool in self.tools]

    def schemas(self) -> list[dict[str, Any]]:
        return [tool.schema for tool in self.tools]

    def find(self, name: str) -> OfferedTool | None:
        return next((tool for tool in self.tools if tool.name == name), None)

    def as_text(self) -> str:
        """Write an offer as JSON, the same for the same tools; empty for an empty offer."""
        if not self.tools and not self.notes:
            return ""
        notes = [note.as_dict() for note in self.notes]
        return json.dumps({"tools": list(map(_stored, self.tools)), "notes": notes}, sort_keys=True)


NO_OFFER = Offer()


def offer_from(text: str) -> Offer:
    """Read an offer from the text that `as_text` wrote."""
    if not text:
        return NO_OFFER
    data = json.loads(text)
    return Offer(tuple(map(_tool, data["tools"])), tuple(map(Note.from_dict, data["notes"])))


def _stored(tool: OfferedTool) -> dict[str, Any]:
    own = asdict(tool)
    return {"asks": own.pop("needs_approval"), **own}


def _tool(data: dict[str, Any]) -> OfferedTool:
    return OfferedTool(needs_approval=data.pop("asks", True), **data)
