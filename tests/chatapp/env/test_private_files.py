"""Only the owner may read what is in the data folder."""

import sqlite3
import stat
from contextlib import closing

import pytest

from chatapp.env.private_files import keep_private, kept_secret

SQLITE = "django.db.backends.sqlite3"


def mode(path):
    return oct(stat.S_IMODE(path.stat().st_mode))


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "vitrine.sqlite3"
    keep_private({"ENGINE": SQLITE, "NAME": path})
    return path


def test_the_database_and_the_files_beside_it_are_private(database):
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE word (text)")
        modes = {path.name: mode(path) for path in database.parent.iterdir()}

    assert modes == {
        "vitrine.sqlite3": "0o600",
        "vitrine.sqlite3-wal": "0o600",
        "vitrine.sqlite3-shm": "0o600",
    }


def test_a_database_that_is_there_stays_as_it_is(database):
    database.write_text("something")
    database.chmod(0o640)

    keep_private({"ENGINE": SQLITE, "NAME": database})

    assert (database.read_text(), mode(database)) == ("something", "0o640")


def test_another_kind_of_database_has_no_file(tmp_path):
    keep_private({"ENGINE": "django.db.backends.postgresql", "NAME": tmp_path / "vitrine"})

    assert list(tmp_path.iterdir()) == []


def test_the_secret_is_made_once_and_private(tmp_path):
    path = tmp_path / "secret_key"
    secret = kept_secret(path)

    assert kept_secret(path) == secret
    assert mode(path) == "0o600"


def test_a_fresh_installation_has_a_private_database(migrated):
    assert mode(migrated / "vitrine.sqlite3") == "0o600"


def test_one_in_memory_makes_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    keep_private({"ENGINE": SQLITE, "NAME": ":memory:"})

    assert list(tmp_path.iterdir()) == []
