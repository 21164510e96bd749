"""Errors by which a database refuses work for a while, and errors of the program."""

import sqlite3
from contextlib import closing

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError, IntegrityError, connection, transaction

from chatapp.databases.refusals import refusal_in
from tests import data

ON_SQLITE = pytest.mark.skipif(bool(data.server()), reason="what SQLite says")
ON_POSTGRESQL = pytest.mark.skipif(not data.server(), reason="what PostgreSQL says")
SESSION = "INSERT INTO django_session VALUES ('a', 'b', '2026-01-01')"


@pytest.fixture
def run(transactional_db):
    def run(*statements):
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    yield run
    connection.close()


@pytest.fixture
def locked(run):
    """Hold the database's write lock in another connection, and let this one not wait for it."""
    run("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def said(run, *statements):
    with pytest.raises(DatabaseError) as error:
        run(*statements)
    return error.value


@ON_SQLITE
def test_a_lock_is_a_refusal(run, locked):
    error = said(run, SESSION)

    assert refusal_in(error) is error


@ON_SQLITE
def test_a_session_that_could_not_be_stored_was_refused(run, locked):
    with pytest.raises(UpdateError) as error:
        SessionStore("a" * 32).save()

    assert str(refusal_in(error.value)) == "database is locked"


@ON_SQLITE
def test_a_database_that_may_only_be_read_refuses(run):
    assert refusal_in(said(run, "PRAGMA query_only = 1", SESSION))


@ON_SQLITE
def test_a_full_database_refuses(run):
    filling = "UPDATE django_session SET session_data = hex(randomblob(9999999))"

    assert refusal_in(said(run, "PRAGMA max_page_count = 1", SESSION, filling))


@ON_POSTGRESQL
@pytest.mark.parametrize(
    "statements",
    [
        pytest.param(["SET LOCAL statement_timeout = 20", "SELECT pg_sleep(9)"], id="too slow"),
        pytest.param(["SET TRANSACTION READ ONLY", SESSION], id="read-only"),
        pytest.param(["SELECT pg_terminate_backend(pg_backend_pid())"], id="ended"),
    ],
)
def test_what_postgresql_cannot_do_now_is_a_refusal(run, statements):
    assert refusal_in(said(transaction.atomic(run), *statements))


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("SELECT * FROM nowhere", id="no table"),
        pytest.param("SELECT nothing FROM django_session", id="no column"),
        pytest.param("SELEKT 1", id="no SQL"),
        pytest.param("INSERT INTO django_session VALUES (NULL, NULL, NULL)", id="not null"),
    ],
)
def test_a_fault_of_the_programme_is_none(run, statement):
    assert refusal_in(said(run, statement)) is None


def test_a_row_that_is_there_already_is_none(run):
    run(SESSION)

    with pytest.raises(IntegrityError) as error, transaction.atomic():
        run(SESSION)

    assert refusal_in(error.value) is None


def test_neither_is_anything_else():
    assert refusal_in(None) is None
    assert refusal_in(ValueError("locked")) is None
