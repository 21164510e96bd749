"""Understand messages as the offline model does: find answers in them, or tools to call.

Like a small model, the mirror follows examples in the conversation: if a message needs a tool, and
the newest call in sight is to a tool that the model does not have, it repeats that call.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from agents.networks.agent_tools import Transfer

Sent: TypeAlias = Mapping[str, Any]  # A message in OpenAI's format.

FACT = re.compile(r"\bwhat(?: i|['\u2019])s my (name|favou?rite \w+)", re.IGNORECASE)
ABOUT = re.compile(r"\bwhat did I say about ([^,.?!\n]+)", re.IGNORECASE)
STATED = re.compile(r"\bmy (?:name|favou?rite \w+) is\b|\bremember that\b", re.IGNORECASE)
# A line in the results of the tool "recall".
FOUND = re.compile(r"^\[turn \d+, user\] (.*)$", re.MULTILINE)
SPECIAL, BACKSLASHED = r"([\\`*_<>|$~#])", r"\\\1"
# A backslash before a bracket would begin a formula.
BRACKETS = str.maketrans({"[": "&#91;", "]": "&#93;"})
EXPRESSION = r"([-\d(](?:% of (?=[\d(])|[\d. ()+*/%^-])*)"
ASKED = r"\b(?:what(?: is|['\u2019]s| about)|how (?:much is|about)|calculate)|^(?:and|then|now)"
SUM = re.compile(rf"(?:{ASKED}) {EXPRESSION}", re.IGNORECASE | re.MULTILINE)
ONLY_A_SUM = re.compile(rf"{EXPRESSION}[=?. ]*", re.IGNORECASE)
OPERATION = re.compile(r"[\d)] ?(?:% of|\*\*|//|[-+*/%^]) ?[-+\d(]", re.IGNORECASE)
PERCENT = re.compile(r"% of", re.IGNORECASE)
TIME = re.compile(r"\bwhat time is it\b(?: in (\w+/[\w/-]+))?", re.IGNORECASE)
NOTE = re.compile(r"\bnote to ([^:\n]{1,100}): *(\S.{0,1999})", re.IGNORECASE)
SOME_NOTE = re.compile(r"\b(?:send|write|leave)\b[^.?!\n]{0,80}\bnote\b", re.IGNORECASE)
REPORT = re.compile(r"\breport (?:on|about) ([^,.!?\n]{1,80})", re.IGNORECASE)
ANY_REPORT = re.compile(r"\b(?:write|make|give)(?: me)? a (?:\w+ )?report\b", re.IGNORECASE)
USUAL_TOPIC = "harbour fees"
# The agent of the demo network that has each tool.
OWNERS = {"calculator": "accountant", "report": "researcher"}
# In the demo network, this agent answers messages that need no tool.
GREETER = f"{Transfer.prefix}greeter"
ATTACHED = re.compile(
    r"(?:<file name=.*?\n</file>|\[(?:Image|File) omitted[^\]\n]*\])\s*", re.DOTALL
)
# How many results to ask "recall" for: many are the model's own answers, which quote others.
SEARCHED = 20


class MirrorCall(NamedTuple):
    name: str
    arguments: Mapping[str, Any]


def text_of(message: Sent) -> str:
    """Return a message's text, without the files that were attached to it."""
    return ATTACHED.sub("", whole_text_of(message))


def whole_text_of(message: Sent) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n\n".join(part["text"] for part in content if part.get("type") == "text")


def from_user(messages: Sequence[Sent]) -> list[str]:
    """Return what people wrote, without the model's own answers, which only echo it."""
    return [text_of(message) for message in messages if message["role"] == "user"]


def required_words(prompt: str) -> list[str]:
    """Return the words that an answer has to contain; none if the message asks no question."""
    if fact := FACT.search(prompt):
        return [f"my {fact[1]} is"]
    about = ABOUT.search(prompt)
    return re.findall(r"\b(?!the\b|our\b|your\b)\w{3,}", about[1]) if about else []


def matching_sentences(prompt: str, texts: Iterable[str]) -> list[str]:
    """Return the sentences that answer a question, because they contain all its words."""
    patterns = [
        re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in required_words(prompt)
    ]
    return [text for text in _statements(texts) if all(each.search(text) for each in patterns)]


def stated(texts: Iterable[str]) -> list[str]:
    """Return the sentences that state something worth remembering."""
    return [text for text in _statements(texts) if STATED.search(text)]


def quoted(text: str, length: int = 200) -> str:
    """Quote the beginning of a text on one line, without the characters special to Markdown."""
    words = " ".join(text.split())
    short = f"{words[:length].rstrip()}…" if len(words) > length else words
    return f"“{re.sub(SPECIAL, BACKSLASHED, short).translate(BRACKETS)}”"


def _statements(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for statement in re.split(r"\n|(?<=[.!?])\s", text):
            if not statement.endswith("?") and not required_words(statement):
                yield statement.removeprefix("- ")


def calls_for(prompt: str, tools: Sequence[str], talk: Sequence[Sent]) -> tuple[MirrorCall, ...]:
    """Return the calls that answer a message, given the whole request; none if it needs no tool."""
    calls = list(_wanted(prompt, talk))
    if calls and (example := _example(talk, tools)):
        return (example,)
    own = tuple(call for call in calls if call.name in tools)
    return own or tuple(_handed_over(calls, tools))[:1] or tuple(_handed_back(tools))


def _wanted(prompt: str, talk: Sequence[Sent]) -> Iterator[MirrorCall]:
    alone = ONLY_A_SUM.fullmatch(prompt)
    for expression in [alone[1]] if alone else SUM.findall(prompt):
        if OPERATION.search(expression):
            yield MirrorCall("calculator", {"expression": _as_a_sum(expression)})
    if time := TIME.search(prompt):
        yield MirrorCall("current_time", {"timezone": time[1]} if time[1] else {})
    for to, text in NOTE.findall(prompt):
        yield MirrorCall("send_note", {"to": to, "text": text})
    if (report := REPORT.search(prompt)) or ANY_REPORT.search(prompt):
        yield MirrorCall("report", {"topic": report[1] if report else USUAL_TOPIC})
    if (words := required_words(prompt)) and not matching_sentences(prompt, from_user(talk)):
        yield MirrorCall("recall", {"query": " ".join(words), "most": SEARCHED})


def is_unreadable_note(prompt: str) -> bool:
    """Return whether the text asks for a note, but not in the only form that is understood."""
    return bool(SOME_NOTE.search(prompt)) and not NOTE.search(prompt)


def _as_a_sum(expression: str) -> str:
    """Write percentages as the calculator reads them: to the calculator `%` means the remainder."""
    return PERCENT.sub(" / 100 *", expression.strip(" ."))


def _example(talk: Sequence[Sent], tools: Sequence[str]) -> MirrorCall | None:
    """Return the newest call in sight, except hand-overs, if its tool is not among `tools`."""
    calls = [call["function"] for message in talk for call in message.get("tool_calls") or ()]
    newest = next(
        (call for call in calls[::-1] if not call["name"].startswith(Transfer.prefix)), None
    )
    if newest is None or newest["name"] in tools:
        return None
    return MirrorCall(newest["name"], json.loads(newest["arguments"]))


def within_reach(tools: Sequence[str]) -> list[str]:
    """Return the model's own tools, and those of agents to which it can hand over."""
    others = (tool for tool, owner in OWNERS.items() if Transfer.prefix + owner in tools)
    return [*tools, *others]


def _handed_over(calls: Sequence[MirrorCall], tools: Sequence[str]) -> Iterator[MirrorCall]:
    for call in calls:
        if (transfer := Transfer.prefix + OWNERS.get(call.name, "")) in tools:
            yield MirrorCall(transfer, {"reason": f"this needs the {call.name}"})


def _handed_back(tools: Sequence[str]) -> Iterator[MirrorCall]:
    if GREETER in tools:
        yield MirrorCall(GREETER, {"reason": "this needs none of my tools"})
