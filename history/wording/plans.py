"""Word a plan's JSON for programs: the sentences that people read, next to the facts."""

from collections.abc import Mapping
from typing import Any

from history.core.facts import Note
from history.core.plan.earlier import FIRST_WITH_FACTS
from history.core.plan.plan import Entry
from history.wording.notes import sentences
from history.wording.reasons import reason_of


def worded_plan(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Add sentences to a plan. One older than facts has its sentences already, and nothing else."""
    if plan["version"] < FIRST_WITH_FACTS:
        return dict(plan)
    facts = plan["notes"]
    return {
        **plan,
        "entries": list(map(_entry, plan["entries"])),
        "notes": list(sentences(map(Note.from_dict, facts))),
        "note_facts": facts,
    }


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {**entry, "reason": reason_of(Entry.from_dict(entry))}
