"""A service manager asks whether the process lives, and whether it can store data."""

import time
from pathlib import Path

import httpx
import pytest

from chatapp.server.health import FRESH_SECONDS
from tests.patience import PATIENCE, eventually
from tests.running.refusing_database import held

READY = (200, {"status": "ok"})


def asked(server, path):
    began = time.monotonic()
    answer = httpx.get(f"{server.url}/{path}", timeout=PATIENCE)
    return (answer.status_code, answer.json()), time.monotonic() - began


@pytest.mark.daily
def test_a_server_that_can_store_is_ready(served):
    assert eventually(lambda: asked(served, "readyz")[0] == READY)
    assert asked(served, "healthz")[0] == READY


def test_one_whose_database_cannot_be_written_to_lives_but_is_not_ready(served):
    with held(served):
        time.sleep(FRESH_SECONDS)  # Earlier results have expired.
        found, waited = asked(served, "readyz")
        alive, at_once = asked(served, "healthz")
        again, sooner = asked(served, "readyz")

    assert alive == READY
    assert found in (refusal("timeout"), refusal("unavailable"))
    assert again in (refusal("timeout"), refusal("unavailable"))  # By now the attempt has failed.
    assert max(waited, sooner) < 4  # Shorter than the database's time limit.
    assert at_once < 4


def refusal(code):
    return 503, {"status": "unavailable", "code": code}


def test_the_server_becomes_ready_again_by_itself(served):
    with held(served):
        time.sleep(FRESH_SECONDS)
        asked(served, "readyz")
    assert eventually(lambda: asked(served, "readyz")[0] == READY)


def test_readiness_writes_at_most_every_few_seconds(served):
    def written():
        asked(served, "readyz")
        rows = served.rows("SELECT expire_date FROM django_session WHERE session_key = 'readyz'")
        return rows[0][0]

    began = time.monotonic()
    moments = {written() for _ in range(10)}
    elapsed = time.monotonic() - began

    most = 3 + elapsed / FRESH_SECONDS  # Plus one earlier write, and one under way.
    assert len(moments) <= most


@pytest.mark.parametrize("path", ["healthz", "readyz"])
def test_neither_begins_a_session(served, path):
    assert "set-cookie" not in httpx.get(f"{served.url}/{path}", timeout=PATIENCE).headers


def test_a_database_without_tables_is_not_ready(app):
    server = app()
    server.write("ALTER TABLE django_session RENAME TO gone")

    assert eventually(lambda: asked(server, "readyz")[0] == refusal("failed"))
    assert asked(server, "healthz")[0] == READY


def test_a_server_runs_on_the_quicker_event_loop(served):
    libraries = Path(f"/proc/{served.process.pid}/maps").read_text()

    assert "/uvloop/" in libraries
