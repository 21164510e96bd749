"""What the offline model looks up, where it was not sent it, and what it says of it. Pure."""

import re
from collections.abc import Iterable, Mapping

from chatapp.mirror_facts import ANYTHING, asked_about, known

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
    "your note": "remember that",
}
IDLE = {"the", "that", "this", "our", "your", "and", "was", "were", "are", "for", "with", "about"}
FOUND = re.compile(r"^\[turn (\d+), ([^\]]+)\] (.*)$", re.MULTILINE)
SEARCHED, SHOWN = 20, 3  # Finds. Its own answers quote what they were sent, and are found, too.
SPECIAL, BACKSLASHED = r"([\\`*_\[\]<>|$~#])", r"\\\1"


def sought(asked: str) -> str:
    """What a message asks to be looked up in what was said; empty where it asks for nothing."""
    if asked_about(asked):
        return ""
    matches = (re.search(pattern, asked, re.IGNORECASE) for pattern in QUESTIONS)
    first = next((match for match in matches if match), None)
    return first["what"].strip(" .?!\"'") if first else ""


def missing(asked: str, people: Iterable[str], earlier: Iterable[str]) -> str:
    """What to search for, since it is asked for and was not sent; empty where there is no need.

    `people` are the texts of people, `earlier` all texts before the question.
    """
    subject = asked_about(asked)
    if subject and subject != ANYTHING:
        search = SEARCHES.get(subject, subject.replace("your", "my", 1))
        return "" if subject in known(people) else search
    words = sought(asked)
    return "" if any(holds(text, words) for text in earlier) else words


def holds(text: str, words: str) -> bool:
    """Whether the text has all of the words that tell something, and does not ask for them."""
    wanted = [w for w in re.findall(r"\w+", words.lower()) if len(w) > 2 and w not in IDLE]
    return bool(wanted) and all(word in text.lower() for word in wanted) and not sought(text)


def told(asked: str, result: str) -> str:
    """What the tool's result comes to, for the question it was asked for."""
    finds = sorted(FOUND.findall(result), key=lambda find: find[1] != "user")  # People first.
    if not finds:
        return f"I was not sent that, so I searched the whole conversation. {quoted(result)}"
    subject = asked_about(asked) or ""
    for turn, who, said in finds:
        if who == "user" and subject in (facts := known([said])):
            return f"I was not sent that, but `{TOOL}` found it in turn {turn}: {facts[subject]}."
    lines = [f"- turn {turn}, {who}: {quoted(said)}" for turn, who, said in finds[:SHOWN]]
    head = f"I was not sent that, so I searched the whole conversation with `{TOOL}`. It found:"
    return "\n".join([head, "", *lines])


def quoted(text: str) -> str:
    """With nothing in it that Markdown would take for its own."""
    return re.sub(SPECIAL, BACKSLASHED, text)
