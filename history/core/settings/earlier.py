"""Read the reasons of candidates that were stored as sentences; nothing else reads any."""

from collections.abc import Mapping
from typing import Any

from history.core.facts import Fact, Rule, fact
from history.core.wording import printable


def reason_of(candidate: Mapping[str, Any]) -> Fact | None:
    """Make a fact of a stored reason. `rest` is what follows the name and the value in it."""
    stored = candidate.get("reason")
    if not isinstance(stored, str):
        return Fact.from_dict(stored) if stored else None
    if not stored:
        return None
    rest = stored.partition(f"={printable(str(candidate['raw']))}: ")[2]
    return fact(Rule.TOLD, sentence=stored, **({"rest": rest} if rest else {}))
