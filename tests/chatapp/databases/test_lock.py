"""Only one server can use a database; a second one exits with an explanation."""

import pytest
from django.core.management import CommandError
from django.db import connection, connections

from chatapp.databases.lock import claim_database, keep_claim, others_serve, serving
from tests import data

pytestmark = pytest.mark.django_db(transaction=True)
ON_POSTGRESQL = pytest.mark.skipif(not data.server(), reason="a SQLite file lies in its folder")
CLAIMANTS = """SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND datname = current_database()"""


def claims():
    """Count the connections that claim this test's database."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM ({CLAIMANTS}) AS claimants")
        return cursor.fetchone()[0]


@ON_POSTGRESQL
def test_one_database_has_one_server():
    with (
        claim_database(),
        pytest.raises(CommandError, match="Another Vitrine is already using the database"),
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
        pytest.raises(CommandError, match=r"DATABASE_URL.*nowhere") as refusal,
        claim_database(),
    ):
        pass

    assert connections["default"].settings_dict["PASSWORD"] not in str(refusal.value)


def end_the_claim():
    """End the claiming connection, as a restart of PostgreSQL does."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_terminate_backend(pid, 60000) FROM ({CLAIMANTS}) AS claimants")


@pytest.fixture
def gave_up():
    return []


@pytest.fixture
def claim(gave_up):
    with claim_database("vitrine a") as claim:
        claim.give_up = lambda: gave_up.append(1)
        yield claim


@ON_POSTGRESQL
def test_a_lock_that_was_lost_is_taken_again(claim, gave_up):
    end_the_claim()

    keep_claim()

    assert (claims(), claim.is_lost, gave_up) == (1, False, [])
    with pytest.raises(CommandError), claim_database():
        pass


@ON_POSTGRESQL
def test_one_that_another_has_taken_is_given_up_once(claim, gave_up):
    end_the_claim()
    with claim_database("vitrine b"):
        claim.keep()
        claim.keep()

        assert (claims(), claim.is_lost, gave_up) == (1, True, [1])


@ON_POSTGRESQL
def test_one_that_is_there_is_left_alone(claim, gave_up):
    keep_claim()

    assert (claims(), claim.is_lost, gave_up) == (1, False, [])


@ON_POSTGRESQL
def test_another_server_that_is_connected_is_noticed(claim):
    assert others_serve("vitrine b")
    assert not others_serve("vitrine a")


def test_without_another_server_there_is_none():
    assert not others_serve("vitrine a")


@pytest.mark.skipif(bool(data.server()), reason="a claim is a lock there")
def test_sqlite_needs_no_claim(django_assert_num_queries):
    with django_assert_num_queries(0), claim_database():
        assert connection.vendor == "sqlite"


@ON_POSTGRESQL
def test_servers_that_share_a_database_are_all_let_in():
    with claim_database("vitrine a", shared=True), claim_database("vitrine b", shared=True):
        assert serving() == {"vitrine a", "vitrine b"}


@ON_POSTGRESQL
@pytest.mark.parametrize("first", [True, False])
def test_one_that_shares_and_one_that_does_not_refuse_each_other(first):
    with (
        claim_database(shared=first),
        pytest.raises(CommandError, match="if REDIS_URL names the same Redis"),
        claim_database(shared=not first),
    ):
        pass
