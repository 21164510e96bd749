"""Show an import's changes, field by field, in lines for a terminal."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from history.core.wording import printable

NOT_SET = "not set"
LONGEST = 200  # Characters of a line.


@dataclass(frozen=True, slots=True)
class FieldChange:
    """`field` of one history setting is `history_settings.length`. None is not set."""

    field: str
    before: Any
    after: Any

    def lines(self) -> Iterator[str]:
        """Yield one line, or for longer texts the lines that differ."""
        if not self._is_long:
            yield f"{self.field}: {_shown(self.before)} -> {_shown(self.after)}"
            return
        yield f"{self.field}:"
        before, after = (str(text or "").split("\n") for text in (self.before, self.after))
        for line in list(unified_diff(before, after, lineterm="", n=1))[2:]:
            yield f"  {printable(line, LONGEST)}"

    @property
    def _is_long(self) -> bool:
        texts = [text for text in (self.before, self.after) if isinstance(text, str)]
        return any("\n" in text for text in texts)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[FieldChange, ...]:
    """Compare two templates' values, which name the same fields."""
    return tuple(_changes(before, after))


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[FieldChange]:
    for name, new in after.items():
        old = before[name]
        if isinstance(new, dict):
            yield from _inner(name, old, new)
        elif old != new:
            yield FieldChange(name, old, new)


def _inner(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[FieldChange]:
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key) or (key in old) != (key in new):
            yield FieldChange(f"{name}.{key}", old.get(key), new.get(key))


def _shown(value: Any) -> str:
    return NOT_SET if value is None else printable(json.dumps(value, ensure_ascii=False), LONGEST)
