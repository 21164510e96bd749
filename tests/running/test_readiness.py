"""Two questions that a service manager asks: does the process live, and can it store anything?"""

import time

import httpx
import pytest

from tests.running.refusing_database import held

READY = (200, {"status": "ok"})


def asked(server, path):
    began = time.monotonic()
    answer = httpx.get(f"{server.url}/{path}", timeout=30)
    return (answer.status_code, answer.json()), time.monotonic() - began


def test_a_server_that_can_store_is_ready(served):
    assert asked(served, "readyz")[0] == READY
    assert asked(served, "healthz")[0] == READY


def test_one_whose_database_cannot_be_written_to_lives_but_is_not_ready(served):
    with held(served):
        time.sleep(5)  # What was found out before is old.
        found, waited = asked(served, "readyz")
        alive, at_once = asked(served, "healthz")
        again, sooner = asked(served, "readyz")

    assert (found, alive, again) == ((503, refusal()), READY, (503, refusal()))
    assert max(waited, sooner) < 4  # Less than the database is waited for, on a busy machine too.
    assert at_once < 4


def refusal():
    return {"status": "unavailable", "code": "timeout"}


def test_the_server_becomes_ready_again_by_itself(served):
    with held(served):
        time.sleep(5)
        asked(served, "readyz")
    deadline = time.monotonic() + 30
    while asked(served, "readyz")[0] != READY:
        assert time.monotonic() < deadline
        time.sleep(0.5)


def test_readiness_writes_at_most_every_few_seconds(served):
    def written():
        return served.rows("SELECT expire_date FROM django_session WHERE session_key = 'readyz'")

    asked(served, "readyz")
    first = written()
    for _ in range(3):
        asked(served, "readyz")

    assert len(first) == 1
    assert written() == first


@pytest.mark.parametrize("path", ["healthz", "readyz"])
def test_neither_begins_a_session(served, path):
    assert "set-cookie" not in httpx.get(f"{served.url}/{path}").headers


def test_a_database_without_tables_is_not_ready(app):
    server = app()
    server.write("ALTER TABLE django_session RENAME TO gone")

    assert asked(server, "readyz")[0] == (503, {"status": "unavailable", "code": "failed"})
    assert asked(server, "healthz")[0] == READY
