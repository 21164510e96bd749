"""Each known unsteady test has a day and a cause, and its row expires."""

from datetime import date

import pytest

from deploy.unsteady import faults, rows

HEAD = "# Unsteady tests\n\n| test | seen | cause |\n|---|---|---|\n"
HERE = "tests/deploy/test_unsteady.py::test_a_row"
TODAY = date(2026, 11, 24)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        pytest.param(f"| {HERE} | 2026-10-25 | A race. |", "", id="thirty days old"),
        pytest.param(f"| {HERE} | 2026-10-24 | A race. |", "Mend it", id="older"),
        pytest.param(f"| {HERE} | yesterday | A race. |", "not yesterday", id="no day"),
        pytest.param(f"| {HERE} | 2026-11-24 |  |", "the cause", id="no cause"),
        pytest.param(f"| {HERE} | 2026-11-24 |", "needs", id="a cell too few"),
        pytest.param(f"| {HERE} | 2027-11-24 | A race. |", "to come", id="a day to come"),
        pytest.param(f"| {HERE}_gone | 2026-11-24 | A race. |", "there is no", id="gone too"),
        pytest.param("| tests/gone.py::x | 2026-11-24 | A race. |", "there is no", id="gone"),
    ],
)
def test_a_row(row: str, says: str) -> None:
    found = list(faults(f"{HEAD}{row}\n", TODAY))

    assert len(found) == bool(says)
    assert says in "".join(found)


def test_an_empty_table_has_no_rows() -> None:
    assert list(rows(HEAD)) == []
