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
# The rules by which messages are held: these are sent whatever the stages say.
HELD = frozenset({PIN, PRESERVE})
CHANGED = frozenset({Verdict.ALTERED, Verdict.PLACEHOLDER})
SENT = CHANGED | {Verdict.KEPT}
