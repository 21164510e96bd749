"""Read what earlier versions stored as sentences: plans of versions 1 to 4, and candidates."""

from collections.abc import Mapping
from typing import Any

from history.core.facts import Fact, Note, Rule, fact, note, warning
from history.core.wording import number, printable, turns

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


def reason_of(candidate: Mapping[str, Any]) -> Fact | None:
    """Read a candidate's reason of any version. `rest` is what followed the name and the value."""
    stored = candidate.get("reason")
    if not isinstance(stored, str):
        return Fact.from_dict(stored) if stored else None
    if not stored:
        return None
    rest = stored.partition(f"={printable(str(candidate['raw']))}: ")[2]
    return fact(Rule.TOLD, sentence=stored, **({"rest": rest} if rest else {}))


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
