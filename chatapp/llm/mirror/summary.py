"""How the offline model summarises: it copies out what it can find, and says so."""

import re
from collections.abc import Iterable, Iterator

from chatapp.llm.mirror.facts import facts_in
from history.core.summaries.prompts import SUMMARISER

EXTRACT = "An extract by the offline model, which copies out and does not summarise."
FACTS, SAID = "Facts that the user stated:", "How the user's messages begin:"
SPEAKER = re.compile(r"(User|Assistant|System|Tool)\b[^:\n]{0,60}: ?")
SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
EARLIER = "From earlier summaries:"
LEFT_OUT = re.compile(r"([0-9]+) more left out\.")
ITEM = "- "
SHORTEST, LONGEST = 20, 30  # Words: of an extract that is worth having, and of one line of it.


def is_asked(system: str) -> bool:
    """Whether a prompt is a summariser's."""
    return system.startswith(SUMMARISER)


def extract(system: str, asked: str) -> str:
    """Facts first, then how messages begin, within the words that the prompt allows. Of earlier
    summaries, what they hold.
    """
    limit = re.search(r"at most (\d+) words", system)
    quoted, is_fold = _quoted(asked)
    lines = list(dict.fromkeys(_summarised(quoted) if is_fold else _lines(quoted)))
    facts = _facts(lines)
    rest = [line for line in lines if line not in facts]
    title = EARLIER if is_fold else SAID
    room = max(SHORTEST, int(limit[1]) if limit else SHORTEST)
    kept = list(_within([*facts, *rest], room - _words(f"{EXTRACT} {FACTS} {title}")))
    said = [*_listed(FACTS, kept[: len(facts)]), *_listed(title, kept[len(facts) :])]
    left_out = len(lines) - len(kept) + (_left_out(quoted) if is_fold else 0)
    return "\n".join([EXTRACT, *said, *([f"{left_out} more left out."] if left_out else [])])


def _quoted(asked: str) -> tuple[str, bool]:
    """What stands between the tags, and whether it is summaries."""
    inner = re.search(r"<(conversation|summaries)>\n(.*)\n</\1>", asked, re.DOTALL)
    return (inner[2], inner[1] == "summaries") if inner else ("", False)


def _lines(text: str) -> Iterator[str]:
    """The sentences of the user that state something, and how each message begins."""
    speaker = ""
    for line in text.splitlines():
        named = SPEAKER.match(line)
        speaker = named[1] if named else speaker
        if speaker == "User":
            yield from _sentences(line[named.end() if named else 0 :], is_first=bool(named))


def _summarised(text: str) -> Iterator[str]:
    """The items of an extract as they stand, the sentences of any other summary."""
    for line in text.splitlines():
        if line.startswith(ITEM):
            yield line.removeprefix(ITEM)
        elif line not in {EXTRACT, FACTS, SAID, EARLIER} and not LEFT_OUT.fullmatch(line):
            yield from (s.strip() for s in SENTENCE.findall(line) if s.strip())


def _left_out(text: str) -> int:
    """What the summaries themselves had left out already."""
    return sum(int(found) for found in LEFT_OUT.findall(text))


def _sentences(line: str, *, is_first: bool) -> Iterator[str]:
    for number, sentence in enumerate(SENTENCE.findall(line)):
        if any(facts_in(sentence)) or (is_first and number == 0):
            yield _short(sentence)


def _facts(lines: Iterable[str]) -> list[str]:
    """The newest word on each subject counts."""
    newest = {fact.subject: line for line in lines for fact in facts_in(line)}
    return list(dict.fromkeys(newest.values()))


def _within(lines: Iterable[str], words: int) -> Iterator[str]:
    for line in lines:
        words -= _words(line)
        if words < 0:
            return
        yield line


def _listed(title: str, lines: list[str]) -> list[str]:
    return [title, *(ITEM + line for line in lines)] if lines else []


def _short(sentence: str) -> str:
    words = sentence.split()
    return " ".join(words[:LONGEST]) + (" ..." if len(words) > LONGEST else "")


def _words(text: str) -> int:
    return len(text.split())
