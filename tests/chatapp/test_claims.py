"""One server for one database, and a sentence where there is none."""

import pytest
from django.core.management import CommandError
from django.db import connection, connections

from chatapp.claims import claim_database
from tests import data

pytestmark = pytest.mark.django_db
ON_POSTGRESQL = pytest.mark.skipif(not data.server(), reason="a SQLite file lies in its folder")
CLAIMS = """SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND datname = current_database()"""


def claims():
    """How many there are on the database of this test."""
    with connection.cursor() as cursor:
        cursor.execute(CLAIMS)
        return cursor.fetchone()[0]


@ON_POSTGRESQL
def test_one_database_has_one_server():
    with (
        claim_database(),
        pytest.raises(CommandError, match="Another Vitrine already serves the database"),
        claim_database(),
    ):
        pass


@ON_POSTGRESQL
def test_a_server_that_has_gone_leaves_its_database_free():
    with claim_database():
        first = claims()
    with claim_database():
        second = claims()

    assert (first, second) == (1, 1)


@ON_POSTGRESQL
def test_a_database_that_is_not_there_is_a_sentence(monkeypatch):
    monkeypatch.setitem(connections["default"].settings_dict, "NAME", "nowhere")

    with (
        pytest.raises(CommandError, match=r"does not answer.*nowhere") as refusal,
        claim_database(),
    ):
        pass

    assert connections["default"].settings_dict["PASSWORD"] not in str(refusal.value)


@pytest.mark.skipif(bool(data.server()), reason="a claim is a lock there")
def test_sqlite_needs_no_claim(django_assert_num_queries):
    with django_assert_num_queries(0), claim_database():
        assert connection.vendor == "sqlite"
