"""Words that say nothing, in the place of all that `history.wording` says.

With `pytest --gibberish` each has what sentences were once recognised by, and a fact hardly ever
gets the same twice: a test that still passes shows that nothing is decided by them.
"""

from itertools import count

from history.wording import contradictions, faults, notes, reasons, settings

TABLES = (
    *(notes.NOTES, reasons.REASONS, settings.REASONS, settings.PLACES),
    *(faults.FAULTS, faults.VALUES, contradictions.PROBLEMS, contradictions.STEPS),
)
NUMBERS = count()


def gibberish(*_, **__):
    return f"Zub {next(NUMBERS)}; left out, zab=zeb: has no effect"


def install():
    for table in TABLES:
        for rule, words in table.items():
            table[rule] = gibberish if callable(words) else gibberish()
