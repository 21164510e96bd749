"""Convert plans of versions 1 to 4, which held sentences, to today's form."""

from collections.abc import Mapping
from typing import Any

from history.core.facts import Note, Rule, fact, note, warning
from history.core.wording import number, turns

FIRST_WITH_FACTS = 5  # The planner's version.
WARNINGS = (
    "over the context window",
    "has no effect",
    "have no effect",
    "though the budget is",
    "left out,",
    "neither sent nor summarised",
)


def as_now(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return any version's plan JSON in today's form; one of today's is returned unchanged."""
    if plan["version"] >= FIRST_WITH_FACTS:
        return plan
    last_turn = plan["counts"]["last_turn"]
    return {
        **plan,
        "notes": [told(sentence).as_dict() for sentence in plan["notes"]],
        "entries": [_entry(entry, last_turn) for entry in plan["entries"]],
    }


def note_of(stored: str | Mapping[str, Any]) -> Note:
    """Read a snapshot's note of any version: older ones were a plain sentence."""
    return told(stored) if isinstance(stored, str) else Note.from_dict(stored)


def _entry(entry: Mapping[str, Any], last_turn: int) -> dict[str, Any]:
    """Convert an entry: its reason gave the turns first, and further arithmetic last."""
    own = {name: value for name, value in entry.items() if name != "reason"}
    span, reason = turns(entry["first_turn"] or 0, entry["last_turn"] or 0), entry["reason"]
    rest = reason.removeprefix(f"{span} of {number(last_turn)}; ")
    first, _, more = rest.partition("; ")
    figures = {"sentence": first, "beyond": more} if more else {"sentence": first}
    reasons = [fact(Rule.TOLD, **figures).as_dict()] if rest else []
    return {**own, "reasons": reasons, "of_turns": None if rest == reason else last_turn}


def told(sentence: str) -> Note:
    """Make a fact of an old sentence; a phrase in it gave the severity."""
    is_warning = any(phrase in sentence for phrase in WARNINGS)
    return (warning if is_warning else note)(Rule.TOLD, sentence=sentence)
