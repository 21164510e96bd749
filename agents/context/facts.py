"""The facts of a turn. Texts contain them as blanks, and context providers get them all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from string import Formatter
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of a turn that is about to be answered. `now` is in the site's time zone.

    `user` is the primary key of a signed-in person, else None; `person` is then "a visitor".
    """

    now: datetime
    person: str
    agent: str
    turn: int
    conversation: UUID
    user: int | None = None


BLANKS: Mapping[str, Callable[[Facts], str]] = {
    "date": lambda facts: f"{facts.now:%Y-%m-%d}",
    "time": lambda facts: f"{facts.now:%H:%M %Z}",
    "weekday": lambda facts: f"{facts.now:%A}",
    "person": lambda facts: facts.person,
    "agent": lambda facts: facts.agent,
    "turn": lambda facts: str(facts.turn),
}
KNOWN = ", ".join(f"{{{name}}}" for name in BLANKS)


def filled(text: str, facts: Facts) -> str:
    """Fill in the blanks of a text. Raise ValueError if `blanks_fault` finds a fault."""
    if fault := blanks_fault(text):
        raise ValueError(fault)
    pieces = Formatter().parse(text)
    return "".join(before + (BLANKS[name](facts) if name else "") for before, name, *_ in pieces)


def blanks_fault(text: str) -> str:
    """Say what is wrong with the braces of a text; empty if nothing is."""
    try:
        pieces = list(Formatter().parse(text))
    except ValueError:
        return "unmatched brace; write {{ or }} for a literal one"
    for _, name, spec, conversion in pieces:
        if name is not None and (name not in BLANKS or spec or conversion):
            return f"unknown placeholder {{{name}}}; use {KNOWN}, or {{{{ for a literal brace"
    return ""
