"""The overview's table can be downloaded as a file."""

import csv
from decimal import Decimal
from io import StringIO

import pytest

from chatapp.overview import paging
from tests.factories import make_conversation


def rows_of(response):
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(StringIO(response.content.decode())))


def test_the_table_is_downloaded_with_all_its_pages(boss, call, rome, paris, monkeypatch):
    monkeypatch.setattr(paging, "PAGE", 1)
    call(rome, cost=Decimal("0.02"), first_ms=48.2, total_ms=2_100.0)
    call(paris, cache_read=None, cost=None)

    dear, unknown = rows_of(boss.get("/inspect/figures.csv?sort=-cost"))

    assert dear == {
        "conversation": str(rome.pk),
        "title": "Rome",
        "person": "ada",
        "agent": "Demo",
        "last_request": "2026-11-18T12:00:00+00:00",
        "requests": "1",
        "tokens": "120",
        "cache_hits_percent": "50.0",
        "left_out_percent": "25.0",
        "failures": "0",
        "stopped": "0",
        "first_token_ms_median": "48",
        "first_token_ms_p95": "48",
        "duration_ms_median": "2100",
        "duration_ms_p95": "2100",
        "cost_usd": "0.02",
        "requests_of_unknown_cost": "0",
        "requests_that_brought_nothing": "0",
    }
    names = ("person", "cost_usd", "cache_hits_percent", "duration_ms_p95")
    assert {unknown[name] for name in names} == {""}


def test_the_file_heeds_the_same_conditions_and_who_sees_costs(staff, call, rome, paris):
    call(rome)
    call(paris)
    (row,) = rows_of(staff.get("/inspect/figures.csv?by=person&person=0"))

    assert (row["person"], row["requests"]) == ("Visitors", "1")
    assert "cost_usd" not in row
    assert staff.get("/inspect/figures.csv?sort=-cost").status_code == 422


@pytest.mark.parametrize(
    ("query", "stopped"),
    [
        ("?sort=-tokens", {"Rome": "2", "Paris": "0"}),
        ("?person=0", {"Paris": "0"}),
        ("?by=person&sort=-tokens", {"ada": "2", "Visitors": "0"}),
        ("?by=agent", {"Demo": "2"}),
        ("?by=model", {"demo/mirror": "2"}),
        ("?failures=on", {"Paris": "0"}),
    ],
)
def test_the_file_counts_the_answers_that_a_person_stopped(boss, call, rome, paris, query, stopped):
    for status in ("stopped", "stopped", "done"):
        call(rome, status=status)
    call(rome, days=40, status="stopped")
    call(paris, status="failed")

    rows = rows_of(boss.get(f"/inspect/figures.csv{query}"))
    name = next(name for name in ("title", "person", "agent", "model") if name in rows[0])
    assert {row[name]: row["stopped"] for row in rows} == stopped


def test_a_spreadsheet_runs_no_title(boss, call, agent):
    call(make_conversation(agent, title='=HYPERLINK("https://evil.example")'))
    (row,) = rows_of(boss.get("/inspect/figures.csv"))

    assert row["title"] == '\'=HYPERLINK("https://evil.example")'
