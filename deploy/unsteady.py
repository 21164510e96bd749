"""Check that unsteady tests are mended within 30 days: `python -m deploy.unsteady`.

Each row of `tests/unsteady.md` names an unsteady test, the day on which it was seen, and its cause.
"""

import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = Path("tests/unsteady.md")
LONGEST = timedelta(days=30)


def main() -> int:
    text = (ROOT / RECORD).read_text()
    wrong = list(faults(text, datetime.now(UTC).date()))
    print("\n".join(wrong) or f"{len(list(rows(text)))} unsteady tests are known.")
    return int(bool(wrong))


def rows(text: str) -> Iterator[list[str]]:
    """Yield the cells of each row of the table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    for line in lines[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def faults(text: str, today: date) -> Iterator[str]:
    """Yield the fault of each row, and how to mend it."""
    for row in rows(text):
        if len(row) != 3 or not all(row):
            yield f"{RECORD}: a row needs the test, the day and the cause: {' | '.join(row)}"
            continue
        test, seen, _cause = row
        if not is_there(test):
            yield f"{RECORD}: there is no {test}. Remove its row."
        try:
            age = today - date.fromisoformat(seen)
        except ValueError:
            yield f"{RECORD}: {test} was seen on a day like 2026-11-24, not {seen}."
            continue
        if age < timedelta():
            yield f"{RECORD}: {test} was not seen on {seen}, which is still to come."
        if age > LONGEST:
            yield f"{RECORD}: {test} is unsteady since {seen}. Mend it, and remove its row."


def is_there(test: str) -> bool:
    """Whether a file contains this test, named as pytest names it."""
    file, _, name = test.partition("::")
    path = ROOT / file
    function = name.partition("[")[0].split("::")[-1]
    return path.is_file() and f"def {function}(" in path.read_text()


if __name__ == "__main__":
    sys.exit(main())
