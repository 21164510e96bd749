"""A start that cannot succeed says why in a sentence, and exits with an error."""

import re
import subprocess
import sys

import pytest

from tests import data
from tests.patience import PATIENCE
from tests.servers import ROOT, manage, surroundings

ON_SQLITE = pytest.mark.skipif(bool(data.server()), reason="a file may be anything")
RECORDED = 'INSERT INTO "django_migrations"'
# Where `migrate` is killed: at the nth statement with this SQL.
KILLED_AT = ((RECORDED, 1), (RECORDED, 11), ('CREATE TABLE "history_wire"', 1))
MIGRATE_AND_DIE = """
import os, signal
from django.core.management import call_command
from django.db import connection

seen = []

def die(execute, sql, *others):
    done = execute(sql, *others)
    if sql.startswith({!r}):
        seen.append(sql)
    if len(seen) == {}:
        os.kill(os.getpid(), signal.SIGKILL)
    return done

with connection.execute_wrapper(die):
    call_command("migrate", verbosity=0)
"""
COLUMNS = """SELECT table_name, column_name, data_type, is_nullable
  FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2"""
INDEXES = "SELECT tablename, indexname FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2"
TRIGGERS = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1"
SCHEMA = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"


def start(folder, *, code="serve", **environment):
    """Run a command; return its output and exit code."""
    done = subprocess.run(
        [sys.executable, "manage.py", code, *(["--port", "0"] if code == "serve" else [])],
        cwd=ROOT,
        env=surroundings(folder, environment),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.stdout + done.stderr, done.returncode


@pytest.fixture
def folder(tmp_path):
    return data.make(tmp_path / "data")


def test_a_database_of_a_newer_version(migrated, tmp_path):
    folder = data.copy(migrated, tmp_path / "newer")
    future = "INSERT INTO django_migrations (app, name, applied) VALUES ('history', ?, ?)"
    data.execute(folder, future, "9999_future", "2030-01-01")

    said, code = start(folder)

    assert code == 1
    assert "made by another Vitrine (history.9999_future)" in said
    assert "Traceback" not in said


def test_tables_that_are_missing_without_serve(folder):
    """A process manager may start uvicorn itself, without `manage.py serve`."""
    done = subprocess.run(
        [sys.executable, "-m", "uvicorn", "chatapp.asgi:application", "--port", "0"],
        cwd=ROOT,
        env=surroundings(folder, {}),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert done.returncode != 0
    assert "Application startup failed" in done.stderr
    assert re.search(r'(no such table: |relation ")history_', done.stderr)


@ON_SQLITE
def test_a_file_that_is_no_database(folder):
    (folder / "vitrine.sqlite3").write_bytes(b"no database " * 500)

    said, code = start(folder)

    assert (code, "Traceback" in said) == (1, False)
    assert "The database cannot be used: file is not a database" in said


@pytest.mark.daily("environment")
@pytest.mark.parametrize("of", ["environment", "folder"])
def test_settings_that_cannot_be_read(folder, tmp_path, of):
    file = tmp_path / "file"
    file.write_bytes(b"\xff\xfeA=1")
    setting = {"environment": {"ENV_FILE": str(file)}, "folder": {"DATA_DIR": str(file)}}[of]

    said, code = start(folder, **setting)

    assert code == 1
    assert said.startswith("Vitrine does not start: ")
    assert str(file) in said
    assert len(said.strip().splitlines()) == 1


def schema(folder):
    queries = [COLUMNS, INDEXES, TRIGGERS] if data.server() else [SCHEMA]
    return [data.execute(folder, query) for query in queries]


def test_a_migration_that_is_killed_is_completed_by_the_next(folder, migrated):
    for statement, count in KILLED_AT:
        code = MIGRATE_AND_DIE.format(statement, count)
        killed = subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
            cwd=ROOT,
            env=surroundings(folder, {}),
            check=False,
        )
        assert killed.returncode == -9
        assert "history_message" not in str(schema(folder))
    manage(folder, "migrate", "--verbosity", "0")

    assert schema(folder) == schema(migrated)
    if not data.server():
        assert data.execute(folder, "PRAGMA integrity_check") == [("ok",)]
