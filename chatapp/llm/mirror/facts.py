"""What the offline model can pick up from people's messages, and what it is asked about them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

ANYTHING = "everything"  # The subject of "what do you know about me?"

# Capitalised words, unless they say where somebody is from: "I'm Ada Lovelace", not "I'm Danish".
PEOPLES = (
    "American|Australian|Austrian|Belgian|Brazilian|British|Canadian|Catholic|Chinese|Christian"
    "|Danish|Dutch|Egyptian|English|European|Finnish|French|German|Greek|Hindu|Indian|Iranian|Irish"
    "|Italian|Japanese|Jewish|Korean|Mexican|Muslim|Norwegian|Polish|Portuguese|Russian|Scottish"
    "|Spanish|Swedish|Swiss|Turkish|Ukrainian|Welsh"
)
SMALL = r"a-z\u00df-\u00ff'\u2019-"
WORD = rf"[^\W\d_{SMALL}][{SMALL}][\w'\u2019-]*"
NAME = rf"(?-i:(?!(?:{PEOPLES})\b){WORD}(?: {WORD})*)"

STATEMENTS: Mapping[str, str] = {
    r"\bmy name is (?P<value>[^,;]+?)(?=,|;| and |$)": "your name",
    rf"\bI(?:['\u2019]m| am) (?P<value>{NAME})(?=,|;| and | from |$)": "your name",
    r"\bI live in (?P<value>[^,;]+?)(?=,|;| and |$)": "your home",
    r"\bmy favou?rite (?P<what>\w[\w -]*?) is (?P<value>.+)": "your favourite {what}",
    r"\bremember (?:that )?(?!my |I )(?P<value>.+)": "your note",
}
QUESTIONS: Mapping[str, str] = {
    r"\bwhat(?: i|')s my name\b|\bwho am I\b": "your name",
    r"\bdo you (?:know|remember) (?:my name|who I am)\b": "your name",
    r"\bwhere do I live\b|\bdo you (?:know|remember) where I live\b": "your home",
    r"\bmy favou?rite (?P<what>\w[\w -]*?)\s*\?": "your favourite {what}",
    r"\bwhat did I (?:ask|tell) you to remember\b|\bwhat should you remember\b": "your note",
    r"\bwhat do you (?:know|remember)\b(?: about me)?": ANYTHING,
}


@dataclass(frozen=True, slots=True)
class Fact:
    """`subject` as in "your name"; `value` as the person wrote it."""

    subject: str
    value: str

    def __str__(self) -> str:
        return f"{self.subject} is **{self.value}**"


def facts_in(text: str) -> Iterator[Fact]:
    """What a message states. Its questions state nothing."""
    for sentence in re.findall(r"[^.!?\n]+[.!?]?", text):
        if sentence.endswith("?"):
            continue
        for pattern, subject in STATEMENTS.items():
            if found := re.search(pattern, sentence.rstrip(".!"), re.IGNORECASE):
                groups = found.groupdict()
                value = groups["value"].strip()
                yield Fact(_named(subject, groups), value[:80])


def asked_about(text: str) -> str | None:
    """The subject that a message asks for, if it asks for a fact."""
    for pattern, subject in QUESTIONS.items():
        if found := re.search(pattern, text, re.IGNORECASE):
            return _named(subject, found.groupdict())
    return None


def known(texts: Iterable[str]) -> dict[str, Fact]:
    """The facts of several messages by subject; the newest word on each counts."""
    return {fact.subject: fact for text in texts for fact in facts_in(text)}


def _named(subject: str, groups: Mapping[str, str | None]) -> str:
    """One spelling, so that a question finds what was said in the other."""
    what = (groups.get("what") or "").lower()
    return subject.format(what=re.sub(r"\bcolor\b", "colour", what))
