"""Which tools the offline model calls: by what it is asked, what it has, and what it was sent.

Like a small model it takes the conversation for an example. Where it needs a tool and the newest
call that it was sent is of one that it does not have, it makes that call again, word for word. It
cannot be misled by a call that it is not sent.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chatapp.llm.mirror import recall
from chatapp.llm.mirror.notes import notes_in
from chatapp.llm.mirror.places import zone_in
from chatapp.llm.mirror.sent import Sent, text_of
from chatapp.llm.mirror.sums import expressions_in

TRANSFER = "transfer_to_"
TIME = re.compile(r"\bwhat time\b|\b(current|the) (time|date)\b|\bwhat day\b", re.IGNORECASE)
REPORT = re.compile(r"\breport on (?P<topic>[^.!?\n]{1,80})", re.IGNORECASE)
SKILLED = {  # Whose name tells that somebody has the tool.
    "calculator": re.compile(r"account|calculat|math", re.IGNORECASE),
    "current_time": re.compile(r"clock|time", re.IGNORECASE),
    "send_note": re.compile(r"courier|post|mail", re.IGNORECASE),
    "report": re.compile(r"research|report|librar", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class MirrorCall:
    name: str
    arguments: Mapping[str, Any]


def calls_for(asked: str, tools: Sequence[str], talk: Sequence[Sent]) -> tuple[MirrorCall, ...]:
    """What it calls for a message, among all that it was sent; nothing where no tool is needed."""
    wanted = [*_wanted(asked), *_searches(asked, tools, talk)]
    if not wanted:
        return ()
    if example := _example(talk, tools):
        return (example,)
    own = tuple(call for call in wanted if call.name in tools)
    return own or tuple(_handed_over(wanted, tools))[:1]


def in_reach(name: str, tools: Sequence[str]) -> bool:
    """Whether it has the tool, or somebody to hand over to who seems to."""
    return name in tools or bool(_to_skilled(name, tools))


def took_over(talk: Sequence[Sent]) -> bool:
    """Whether the newest round of calls handed the conversation over: to whoever reads this."""
    calls = next((m["tool_calls"] for m in reversed(talk) if m.get("tool_calls")), ())
    moves = {c["id"] for c in calls if c["function"]["name"].startswith(TRANSFER)}
    answers = (str(m.get("content")) for m in talk if m.get("tool_call_id") in moves)
    return any(not answer.startswith("Error:") for answer in answers)


def _wanted(asked: str) -> Iterator[MirrorCall]:
    for expression in expressions_in(asked):
        yield MirrorCall("calculator", {"expression": expression})
    if TIME.search(asked):
        zone = zone_in(asked)
        yield MirrorCall("current_time", {"timezone": zone} if zone else {})
    for to, text in notes_in(asked):
        yield MirrorCall("send_note", {"to": to, "text": text})
    if report := REPORT.search(asked):
        yield MirrorCall("report", {"topic": report["topic"].strip()})


def _searches(asked: str, tools: Sequence[str], talk: Sequence[Sent]) -> Iterator[MirrorCall]:
    """For what it is asked and was not sent."""
    people = [text_of(message) for message in talk if message["role"] == "user"]
    missing = recall.missing(asked, people)
    if missing and recall.TOOL in tools:
        search = {"query": missing, "most": recall.SEARCHED}
        yield MirrorCall(recall.TOOL, search)


def _example(talk: Sequence[Sent], tools: Sequence[str]) -> MirrorCall | None:
    """The newest call in sight, if it is of a tool that it does not have."""
    for message in reversed(talk):
        for call in reversed(message.get("tool_calls") or ()):
            made = call["function"]
            if made["name"].startswith(TRANSFER):
                continue
            return None if made["name"] in tools else _again(made)
    return None


def _again(made: Mapping[str, str]) -> MirrorCall:
    """Arguments that are stored are always JSON."""
    return MirrorCall(made["name"], json.loads(made["arguments"]))


def _handed_over(wanted: Sequence[MirrorCall], tools: Sequence[str]) -> Iterator[MirrorCall]:
    for call in wanted:
        for tool in _to_skilled(call.name, tools):
            yield MirrorCall(tool, {"reason": f"this needs the {call.name.replace('_', ' ')}"})


def _to_skilled(name: str, tools: Sequence[str]) -> list[str]:
    """The transfers to those who seem to have the tool."""
    skill = SKILLED.get(name)
    moves = [tool for tool in tools if tool.startswith(TRANSFER)]
    return [tool for tool in moves if skill and skill.search(tool)]
