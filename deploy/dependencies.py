"""Check what people noted about each locked package: `python -m deploy.dependencies`.

No database of vulnerabilities is asked: `deploy/dependencies.tsv` says what somebody looked up, and
when. The check fails for a locked version without a row, for a row whose version is no longer
locked, and for a licence that is not allowed.

After `make lock`, look up the advisories for each changed package. Then `--add "what you looked
up"` adds rows for them, with the licences that the installed packages name.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import NamedTuple, TypeAlias

FOLDER = Path(__file__).resolve().parent
RECORD = FOLDER / "dependencies.tsv"
# The benchmarks' packages are never installed beside ours.
FOR_BENCH = {FOLDER / "requirements-bench.txt", FOLDER / "requirements-chainlit.txt"}
LOCKS = sorted(set(FOLDER.glob("requirements*.txt")) - FOR_BENCH)
PIN = re.compile(r"^([a-z0-9._-]+)==([^\s;]+)", re.MULTILINE)
ALLOWED = (
    *("0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CNRI-Python", "ISC", "MIT"),
    *("MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0"),
)
# Licences allowed for single packages, which we use as published and never copy into our code.
ALLOWED_FOR = {
    "LGPL-3.0-only": {"psycopg", "psycopg-binary", "psycopg-pool"},
    "GPL-3.0-or-later": {"djlint"},
}
UNKNOWN = "?"
WAYS_TO_SAY = {
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD 2-Clause License": "BSD-2-Clause",
    "BSD License": "BSD",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
HOW_TO_RENEW = f"""
Look up the advisories and the licence of each, then write what you found:
    python -m deploy.dependencies --add "What you looked up, and what it said."
and correct the rows in deploy/{RECORD.name}: an unknown licence is "{UNKNOWN}" until you say it."""
Pin: TypeAlias = tuple[str, str]


class Row(NamedTuple):
    """A row of the record: on `date` somebody looked at this version; `found` says what they
    found.
    """

    package: str
    version: str
    licence: str
    date: str
    found: str

    @property
    def pin(self) -> Pin:
        return self.package, self.version


def locked(locks: Iterable[Path]) -> set[Pin]:
    return {pin for lock in locks for pin in PIN.findall(lock.read_text())}


def read(text: str) -> list[Row]:
    """Read the record. Raise ValueError with the line's number if a line is malformed."""
    _head, *lines = text.splitlines()
    rows = []
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if len(cells) != len(Row._fields) or not all(cells):
            raise ValueError(f"line {number} needs {', '.join(Row._fields)}, parted by tabs")
        rows.append(Row(*cells))
    return rows


def written(rows: Iterable[Row]) -> str:
    return "".join("\t".join(cells) + "\n" for cells in [Row._fields, *sorted(rows)])


def faults(rows: list[Row], pins: set[Pin]) -> Iterator[str]:
    seen = {row.pin for row in rows}
    for package, version in sorted(pins - seen):
        yield f"{package} {version} is locked, and nobody has looked at this version"
    for package, version in sorted(seen - pins):
        yield f"{package} {version} is not locked any more"
    for row in rows:
        if not is_allowed(row):
            yield f"{row.package} {row.version} has a licence that is not allowed: {row.licence}"
        if not _is_date(row.date):
            yield f"{row.package} {row.version} was looked at on no date: {row.date}"


def is_allowed(row: Row) -> bool:
    """Whether the package offers a licence all of whose parts are allowed."""
    offered = [offer.split(" AND ") for offer in row.licence.split(" OR ")]
    return any(all(_may(row.package, part) for part in parts) for parts in offered)


def _may(package: str, licence: str) -> bool:
    return licence in ALLOWED or package in ALLOWED_FOR.get(licence, ())


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def licence_of(package: str) -> str:
    """Return the licence that the installed package names; UNKNOWN if it names none we allow."""
    try:
        told = metadata(package)
    except PackageNotFoundError:
        return UNKNOWN
    if expressions := told.get_all("License-Expression"):
        return str(expressions[0])
    classified = [name.split(" :: ")[-1] for name in told.get_all("Classifier", [])]
    names = [*told.get_all("License", []), *classified]
    known = [WAYS_TO_SAY.get(name, name) for name in names]
    return next((name for name in known if name in ALLOWED), UNKNOWN)


def renewed(rows: list[Row], pins: set[Pin], found: str) -> list[Row]:
    """Keep the rows of versions that are still locked, and add rows for new ones."""
    today = datetime.now(UTC).date().isoformat()
    new = pins - {row.pin for row in rows}
    added = [Row(name, version, licence_of(name), today, found) for name, version in new]
    return [row for row in rows if row.pin in pins] + added


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--add", metavar="FOUND", help="write rows for what is not in the record")
    asked = parser.parse_args()
    rows, pins = read(RECORD.read_text()), locked(LOCKS)
    if asked.add:
        rows = renewed(rows, pins, asked.add)
        RECORD.write_text(written(rows))
    found = list(faults(rows, pins))
    latest = max(row.date for row in rows)
    fine = f"{len(rows)} locked versions were looked at, the latest on {latest}."
    print("\n".join([*found, HOW_TO_RENEW]) if found else fine)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
