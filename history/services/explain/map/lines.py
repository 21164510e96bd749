"""What a row of the map shows of a message: its author, how it begins, and its tokens."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models.functions import Left
from django.utils.translation import gettext_lazy as _

from history.core.transcript.messages import Role
from history.core.transcript.parts import Part, part_from_dict
from history.core.words.wording import printable
from history.models import Branch, Message
from history.services.explain.map.speakers import AGENT, ALONE, Speakers
from history.services.path.reading import on_path

EXCERPT = 60
# How many characters to fetch: more than are shown, because whitespace is collapsed.
READ = 4 * EXCERPT

FIELDS = (
    *("position", "turn", "role", "agent", "parts", "tool_name", "tool_calls"),
    *("tokens", "tokens_through"),
)
WHO = {
    Role.USER: _("user"),
    Role.ASSISTANT: AGENT,
    Role.SYSTEM: _("system"),
    Role.TOOL: _("tool"),
}


@dataclass(frozen=True, slots=True)
class MessageLine:
    """What a row shows of a message. `through` is the sum of tokens up to and including it."""

    position: int
    turn: int
    starts_turn: bool
    who: str
    text: str
    tokens: int
    through: int
    parts: tuple[Part, ...] = ()


def read_lines(
    branch: Branch, head: int, positions: Iterable[int], speakers: Speakers = ALONE
) -> dict[int, MessageLine]:
    """Read lines by position, in one query that fetches only the beginnings of texts."""
    rows = Message.objects.filter(on_path(branch, head), position__in=positions)
    beginnings = rows.annotate(start=Left("text", READ)).values(*FIELDS, "start")
    return {row["position"]: _line(row, speakers) for row in beginnings}


def _line(row: dict[str, Any], speakers: Speakers) -> MessageLine:
    return MessageLine(
        position=row["position"],
        turn=row["turn"],
        starts_turn=row["role"] == Role.USER,
        who=_who(row, speakers),
        text=_text(row),
        tokens=row["tokens"],
        through=row["tokens_through"],
        parts=tuple(map(part_from_dict, row["parts"])),
    )


def _who(row: dict[str, Any], speakers: Speakers) -> str:
    role = Role(row["role"])
    if role is Role.ASSISTANT:
        return speakers.who(row["agent"], row["tool_calls"])
    return " ".join(filter(None, [str(WHO[role]), row["tool_name"]]))


def _text(row: dict[str, Any]) -> str:
    """Return how the message begins: its text, followed by its calls."""
    calls = " ".join(f"{call['name']}({call['arguments']})" for call in row["tool_calls"])
    return excerpt(f"{row['start']} {calls}")


def excerpt(text: str) -> str:
    return printable(" ".join(text.split()), EXCERPT)
