"""Add to a plan's JSON, which programs read, the sentences that people read."""

from collections.abc import Mapping
from typing import Any

from history.core.plan.plan import Entry
from history.core.settings.resolved import Candidate
from history.core.words.facts import Note
from history.wording.notes import sentences
from history.wording.reasons import reason_of
from history.wording.settings import reason_of as why_unused


def worded_plan(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Add sentences to the facts of a plan."""
    facts = plan["notes"]
    return {
        **plan,
        "settings": {name: _setting(setting) for name, setting in plan["settings"].items()},
        "entries": list(map(_entry, plan["entries"])),
        "notes": list(sentences(map(Note.from_dict, facts))),
        "note_facts": facts,
    }


def _entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {**entry, "reason": reason_of(Entry.from_dict(entry))}


def _setting(setting: Mapping[str, Any]) -> dict[str, Any]:
    return {**setting, "candidates": list(map(_candidate, setting["candidates"]))}


def _candidate(candidate: Mapping[str, Any]) -> dict[str, Any]:
    reason = why_unused(Candidate.from_dict(candidate))
    return {**candidate, "reason": reason, "reason_fact": candidate["reason"]}
