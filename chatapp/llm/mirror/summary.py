"""Summarise as the offline model does: copy the beginnings of people's messages, and say so."""

import re
from itertools import accumulate

from chatapp.llm.mirror.recall import STATED

EXTRACT = "An extract by the offline model, which copies out and does not summarise."
QUOTED = re.compile(r"<(conversation|summaries)>\n(.*)\n</\1>", re.DOTALL)
USER = re.compile(r"^User: (.+)", re.MULTILINE)
LONGEST = 30  # Words per line.


def extract(system: str, asked: str) -> str:
    """Put people's statements first, then the rest, within the word limit of the prompt."""
    limit = re.search(r"at most (\d+) words", system)
    room = int(limit[1]) - len(EXTRACT.split()) if limit else 0
    lines = sorted(dict.fromkeys(_lines(asked)), key=lambda line: not STATED.search(line))
    words = accumulate(len(line.split()) for line in lines)
    kept = [line for line, total in zip(lines, words, strict=True) if total <= room]
    return "\n".join([EXTRACT, *kept])


def _lines(asked: str) -> list[str]:
    """Return the first line of each message from people, or every line of earlier summaries."""
    quoted = QUOTED.search(asked)
    kind, text = quoted.groups() if quoted else ("", "")
    said = USER.findall(text) if kind == "conversation" else text.splitlines()
    lines = (line.removeprefix("- ") for line in said if line and line != EXTRACT)
    return [f"- {' '.join(line.split()[:LONGEST])}" for line in lines]
