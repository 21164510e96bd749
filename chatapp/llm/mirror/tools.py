"""Choose the tools that the offline model calls.

Like a small model it follows examples in the conversation: if it needs a tool, and the newest call
that it sees is to a tool that it does not have, it repeats that call.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from agents.networks.transfers import PREFIX
from chatapp.llm.mirror.recall import Sent, found, from_user, sought

SUM = re.compile(r"\b(?:what is|calculate) ([-\d(][\d. ()+*/%^-]*)", re.IGNORECASE)
OPERATION = re.compile(r"[\d)] ?[-+*/%^]")
TIME = re.compile(r"\bwhat time is it\b(?: in (\w+/[\w/-]+))?", re.IGNORECASE)
NOTE = re.compile(r"\bnote to ([^:\n]{1,100}): *(\S.{0,1999})", re.IGNORECASE)
REPORT = re.compile(r"\breport on ([^.!?\n]{1,80})", re.IGNORECASE)
OWNERS = {"calculator": "accountant", "report": "researcher"}  # In the demo network.
SEARCHED = 20  # The model's own answers quote what they were sent, and are found, too.


class MirrorCall(NamedTuple):
    name: str
    arguments: Mapping[str, Any]


def calls_for(asked: str, tools: Sequence[str], talk: Sequence[Sent]) -> tuple[MirrorCall, ...]:
    """Return its calls for a message, given everything it was sent; none if no tool is needed."""
    wanted = list(_wanted(asked, talk))
    if wanted and (example := _example(talk, tools)):
        return (example,)
    own = tuple(call for call in wanted if call.name in tools)
    return own or tuple(_handed_over(wanted, tools))[:1]


def _wanted(asked: str, talk: Sequence[Sent]) -> Iterator[MirrorCall]:
    for expression in SUM.findall(asked):
        if OPERATION.search(expression):
            yield MirrorCall("calculator", {"expression": expression.strip(" .")})
    if time := TIME.search(asked):
        yield MirrorCall("current_time", {"timezone": time[1]} if time[1] else {})
    for to, text in NOTE.findall(asked):
        yield MirrorCall("send_note", {"to": to, "text": text})
    if report := REPORT.search(asked):
        yield MirrorCall("report", {"topic": report[1]})
    if (words := sought(asked)) and not found(asked, from_user(talk)):
        yield MirrorCall("recall", {"query": " ".join(words), "most": SEARCHED})


def _example(talk: Sequence[Sent], tools: Sequence[str]) -> MirrorCall | None:
    """Return the newest call in sight, if it is to a tool that it does not have."""
    made = [call["function"] for message in talk for call in message.get("tool_calls") or ()]
    newest = next((call for call in made[::-1] if not call["name"].startswith(PREFIX)), None)
    if newest is None or newest["name"] in tools:
        return None
    return MirrorCall(newest["name"], json.loads(newest["arguments"]))


def _handed_over(wanted: Sequence[MirrorCall], tools: Sequence[str]) -> Iterator[MirrorCall]:
    for call in wanted:
        if (transfer := PREFIX + OWNERS.get(call.name, "")) in tools:
            yield MirrorCall(transfer, {"reason": f"this needs the {call.name}"})
