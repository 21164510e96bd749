"""The verdict on a message in a request: the letter that the map, the panel and the API show."""

from enum import StrEnum


class Verdict(StrEnum):
    KEPT = "K"
    ALTERED = "A"
    PLACEHOLDER = "P"
    TRIMMED = "T"
    FILTERED = "F"
    SUMMARISED = "S"
    EXCLUDED = "X"
    REPAIRED = "!"
    INJECTED = "+"


PIN, PRESERVE = "pin", "preserve_system_messages"
HELD = frozenset({PIN, PRESERVE})  # The rules by which a message is sent whatever the stages say.
CHANGED = frozenset({Verdict.ALTERED, Verdict.PLACEHOLDER})
SENT = CHANGED | {Verdict.KEPT}
