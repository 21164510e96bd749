"""What the offline model looks up, where it was not sent it, and what it says of it. Pure."""

import re
from collections.abc import Mapping, Sequence

from chatapp.llm.mirror.facts import ANYTHING, asked_about, known

TOOL = "recall"
PLACES = r"(?:our|this|the)(?: whole)? (?:conversation|chat|transcript)"
QUESTIONS = (
    r"\A(?:please |do you |can you )?recall(?: what \w+ said about)? (?P<what>.+)",
    rf"\A(?:please )?search(?: {PLACES})? for (?P<what>.+)",
    r"\bwhat did (?:I|we|you) (?:say|tell you|write|decide|agree) (?:about|on) (?P<what>.+)",
    r"\b(?:when|where) did (?:I|we|you) (?:mention|say anything about) (?P<what>.+)",
)
SEARCHES: Mapping[str, str] = {  # What somebody said who stated such a fact.
    "your name": "my name is",
    "your home": "I live in",
    "your note": "remember",
}
IDLE = {"the", "that", "this", "our", "your", "and", "was", "were", "are", "for", "with", "about"}
FOUND = re.compile(r"^\[turn (\d+), ([^\]]+)\] (.*)$", re.MULTILINE)
SEARCHED, SHOWN = 20, 3  # Finds. Its own answers quote what they were sent, and are found, too.
AROUND = 60  # Characters of an excerpt, on both sides of the words.
SPECIAL, BACKSLASHED = r"([\\`*_\[\]<>|$~#])", r"\\\1"


def sought(asked: str) -> str:
    """What a message asks to be looked up in what was said; empty where it asks for nothing."""
    if asked_about(asked):
        return ""
    matches = (re.search(pattern, asked, re.IGNORECASE) for pattern in QUESTIONS)
    first = next((match for match in matches if match), None)
    return first["what"].strip(" .?!\"'") if first else ""


def missing(asked: str, people: Sequence[str]) -> str:
    """What to search for, since it is asked for and was not sent; empty where there is no need.

    `people` are the texts of people before the question: its own answers only echo them.
    """
    words = _words(asked)
    subject = asked_about(asked)
    if subject and subject != ANYTHING:
        return "" if subject in known(people) else words
    return "" if any(holds(text, words) for text in people) else " ".join(_telling(words)) or words


def holds(text: str, words: str) -> bool:
    """Whether the text has all of the words that tell something, and does not ask for them."""
    wanted = _telling(words)
    return bool(wanted) and all(_find(word, text) for word in wanted) and not sought(text)


def excerpt(text: str, words: str) -> str:
    """What of a text that holds them shows the words, on one line."""
    line = " ".join(text.split())
    places = [found.span() for word in _telling(words) if (found := _find(word, line))]
    start = max(0, min(start for start, _ in places) - AROUND)
    end = max(end for _, end in places) + AROUND
    return f"{'…' if start else ''}{line[start:end].strip()}{'…' if end < len(line) else ''}"


def told(asked: str, result: str) -> str:
    """What the tool's result comes to, for the question it was asked for."""
    searched = "I was not sent that, so I searched the whole conversation"
    found = FOUND.findall(result)
    if not found:
        return f"{searched}. {quoted(result)}"
    subject = asked_about(asked) or ""
    said = [(turn, text) for turn, who, text in found if who == "user"]
    for turn, text in said:
        if subject in (facts := known([text])):
            return f"I was not sent that, but `{TOOL}` found it in turn {turn}: {facts[subject]}."
    words = _words(asked)
    lines = [f"- turn {turn}, user: {quoted(text)}" for turn, text in said if holds(text, words)]
    if not lines:
        return f"{searched} with `{TOOL}`. No message of yours that it found holds that."
    return "\n".join([f"{searched} with `{TOOL}`. It found:", "", *lines[:SHOWN]])


def _words(asked: str) -> str:
    """What a message that holds the answer would hold."""
    subject = asked_about(asked)
    if subject is None or subject == ANYTHING:
        return sought(asked)
    return SEARCHES.get(subject, subject.replace("your", "my", 1))


def _telling(words: str) -> list[str]:
    return [word for word in re.findall(r"\w+", words) if len(word) > 2 and not _is_idle(word)]


def _is_idle(word: str) -> bool:
    return word.lower() in IDLE


def _find(word: str, text: str) -> re.Match[str] | None:
    """Where a word begins with it."""
    return re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE)


def quoted(text: str) -> str:
    """With nothing in it that Markdown would take for its own."""
    return re.sub(SPECIAL, BACKSLASHED, text)
