"""Injected texts, which are sent although no message of the transcript contains them."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from history.core.plan.plan import Entry, digest
from history.core.plan.verdict import Verdict
from history.core.transcript.messages import Role
from history.core.words.facts import Rule, fact

SYSTEM_PROMPT = "system prompt"
NEW_PROMPT = "system prompt from turn "  # The label ends with the number of the turn.
TOOL_SCHEMAS = "tool schemas"
FRAMING = "framing"  # The label of the tokens that a request's format costs besides its texts.
# The rule for texts of this turn, which the next turn does not send.
OF_THE_TURN = "injected for the turn"
# The label of a text that precedes a request which would not begin with the user.
OPENING = "opening"
CONTINUE = "continue instruction"
CONTINUE_INSTRUCTION = (
    "Continue your answer exactly where it ended. Do not repeat anything and do not comment on it."
)
CONTEXT = "context "  # The label ends with the name of the context text.

T = TypeVar("T")
Place = Literal["start", "past", "turn", "end"]


def is_prompt(label: str) -> bool:
    """Return whether the template's author wrote the text, so not everybody may read it."""
    return label.startswith((SYSTEM_PROMPT, CONTEXT))


@dataclass(frozen=True, slots=True)
class Injected:
    """A text that is sent before the transcript, after it, or directly before a turn.

    Texts that are rebuilt for each turn go before the current turn, so that the prefix before them
    stays the same. A text with the place `past` goes before the turn `turn`, and stays there in
    later requests. `covers` are the first and the last place that a summary replaces.
    """

    label: str
    role: Role
    text: str
    tokens: int
    place: Place = "start"
    covers: tuple[int, int] | None = None
    turn: int = 0

    @property
    def is_summary(self) -> bool:
        return self.covers is not None


def entry_label(entry: Entry) -> str:
    """Return an entry's label for people. Without tools, the entry for tool schemas contains only
    the framing, and is named so.
    """
    return FRAMING if entry.label == TOOL_SCHEMAS and not entry.digest else entry.label


def new_prompt(turn: int, text: str, tokens: int) -> Injected:
    """Return a system prompt that replaces the earlier one from this turn on."""
    return Injected(f"{NEW_PROMPT}{turn}", Role.SYSTEM, text, tokens, "past", turn=turn)


def entries(texts: Iterable[Injected], place: Place) -> Iterator[Entry]:
    for text in texts:
        if text.place == place:
            text_entry = entry(text.label, text.tokens, place, digest(text.text))
            yield replace(text_entry, rule=OF_THE_TURN) if place == "turn" else text_entry


def with_past(
    items: Iterable[T], texts: Iterable[Injected], turn_of: Callable[[T], int]
) -> Iterator[T | Injected]:
    """Put each text with the place `past` before the first item of its turn, or of a later one."""
    waiting = deque(text for text in texts if text.place == "past")
    for item in items:
        while waiting and waiting[0].turn <= turn_of(item):
            yield waiting.popleft()
        yield item
    yield from waiting


def past_entry(text: Injected) -> Entry:
    """Return the entry of a text with the place `past`."""
    reasons = (fact(Rule.NEW_PROMPT, turn=text.turn),)
    text_entry = entry(text.label, text.tokens, text.place, digest(text.text))
    return replace(text_entry, setting="prefix", reasons=reasons)


def entry(label: str, tokens: int, where: str, mark: str = "") -> Entry:
    return Entry(
        Verdict.INJECTED,
        sent_tokens=tokens,
        rule="injected",
        reasons=(fact(Rule.INJECTED, place=where),),
        label=label,
        digest=mark,
    )
