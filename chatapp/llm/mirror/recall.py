"""Find answers in the messages that the offline model was sent. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Sent: TypeAlias = Mapping[str, Any]  # A message in OpenAI's format.

FACT = re.compile(r"\bwhat(?: i|['\u2019])s my (name|favou?rite \w+)", re.IGNORECASE)
ABOUT = re.compile(r"\bwhat did I say about ([^,.?!\n]+)", re.IGNORECASE)
STATED = re.compile(r"\bmy (?:name|favou?rite \w+) is\b|\bremember that\b", re.IGNORECASE)
FOUND = re.compile(r"^\[turn \d+, user\] (.*)$", re.MULTILINE)  # Used by the tool "recall".
SPECIAL, BACKSLASHED = r"([\\`*_\[\]<>|$~#])", r"\\\1"


def text_of(message: Sent) -> str:
    return str(message.get("content") or "")


def from_user(messages: Sequence[Sent]) -> list[str]:
    """Return what people wrote: the model's own answers only echo it."""
    return [text_of(message) for message in messages if message["role"] == "user"]


def sought(asked: str) -> list[str]:
    """Return the words that an answer must contain; none if the message asks for nothing."""
    if fact := FACT.search(asked):
        return [f"my {fact[1]} is"]
    about = ABOUT.search(asked)
    return re.findall(r"\b(?!the\b|our\b|your\b)\w{3,}", about[1]) if about else []


def found(asked: str, texts: Iterable[str]) -> list[str]:
    """Return the sentences that answer a question: they contain all its words."""
    patterns = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in sought(asked)]
    return [said for said in _statements(texts) if all(each.search(said) for each in patterns)]


def stated(texts: Iterable[str]) -> list[str]:
    """Return the sentences that are worth noting."""
    return [said for said in _statements(texts) if STATED.search(said)]


def quoted(text: str, length: int = 200) -> str:
    """Quote its beginning on one line, without Markdown's special characters."""
    words = " ".join(text.split())
    short = f"{words[:length].rstrip()}…" if len(words) > length else words
    return f"“{re.sub(SPECIAL, BACKSLASHED, short)}”"


def _statements(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for said in re.split(r"\n|(?<=[.!?])\s", text):
            if not said.endswith("?") and not sought(said):
                yield said.removeprefix("- ")
