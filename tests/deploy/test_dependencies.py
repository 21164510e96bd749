"""The check fails for a locked version that nobody has looked up, and for a forbidden one."""

import pytest

from deploy import dependencies
from deploy.dependencies import Row, faults, read, renewed, written

SEEN = Row("good", "1.0", "MIT", "2026-11-24", "No advisory.")


def test_what_is_locked_now_was_looked_at():
    assert list(faults(read(dependencies.RECORD.read_text()), locked_now())) == []


def locked_now():
    pins = dependencies.locked(dependencies.LOCKS)
    assert ("uv", "0.13.8") in pins or len(pins) > 100
    return pins


def test_a_version_that_nobody_has_seen_is_named():
    (fault,) = faults([SEEN], {SEEN.pin, ("good", "1.1")})

    assert fault == "good 1.1 is locked, and nobody has looked at this version"


def test_a_row_that_no_lock_has_any_more_is_named():
    assert list(faults([SEEN], set())) == ["good 1.0 is not locked any more"]


@pytest.mark.parametrize(
    "licence",
    ["MIT", "Apache-2.0 OR GPL-3.0-or-later", "MPL-2.0 AND MIT"],
)
def test_a_licence_that_is_allowed(licence):
    assert list(faults([SEEN._replace(licence=licence)], {SEEN.pin})) == []


@pytest.mark.parametrize(
    "licence",
    ["?", "AGPL-3.0-only", "MIT AND AGPL-3.0-only", "LGPL-3.0-only", "GPL-3.0-or-later"],
)
def test_a_licence_that_is_not_allowed_is_named(licence):
    (fault,) = faults([SEEN._replace(licence=licence)], {SEEN.pin})

    assert fault == f"good 1.0 has a licence that is not allowed: {licence}"


def test_a_licence_may_be_allowed_for_one_package_alone():
    row = SEEN._replace(package="psycopg", licence="LGPL-3.0-only")

    assert list(faults([row], {row.pin})) == []


def test_a_day_that_is_none_is_named():
    (fault,) = faults([SEEN._replace(date="yesterday")], {SEEN.pin})

    assert fault == "good 1.0 was looked at on no date: yesterday"


def test_renewing_keeps_what_is_locked_and_adds_what_is_new():
    old = SEEN._replace(package="gone")

    rows = renewed([SEEN, old], {SEEN.pin, ("pytest", "9.9"), ("made-up", "1")}, "Looked.")

    assert [row[:3] for row in sorted(rows)] == [
        ("good", "1.0", "MIT"),
        ("made-up", "1", "?"),
        ("pytest", "9.9", "MIT"),
    ]
    assert read(written(rows)) == sorted(rows)


@pytest.mark.parametrize("line", ["good 1.0 MIT 2026-11-24 No", "good\t1.0\tMIT\t2026-11-24\t"])
def test_a_line_that_is_no_row_is_named(line):
    with pytest.raises(ValueError, match="line 2 needs package, version, licence, date, found"):
        read(f"{written([])}{line}\n")
