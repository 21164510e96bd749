"""While the database refuses, one piece of work keeps trying, and the others wait for it."""

import asyncio
from collections import Counter

import pytest
from django.db import OperationalError

from chatapp.databases import threads
from chatapp.databases.threads import insist


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(threads, "PAUSES", (0.001,))


class Database:
    """A database that refuses the first `refusals` attempts to store something."""

    def __init__(self, refusals):
        self.refusals, self.tries = refusals, []

    async def store(self, name):
        self.tries.append(name)
        if len(self.tries) <= self.refusals:
            raise OperationalError("database or disk is full")
        return name


@pytest.mark.parametrize("refusals", [0, 1, 7])
async def test_what_is_refused_is_tried_until_it_is_done(refusals):
    database = Database(refusals)

    assert await insist(lambda: database.store("an end"), "The end") == "an end"
    assert len(database.tries) == refusals + 1


async def test_only_one_of_many_tries_again():
    database, names = Database(20), [f"end {n}" for n in range(5)]

    done = await asyncio.gather(*(insist(lambda n=n: database.store(n), n) for n in names))

    assert done == names
    assert Counter(database.tries) == {"end 0": 17, **dict.fromkeys(names[1:], 2)}


async def test_another_fault_is_raised_at_once():
    async def broken():
        raise RuntimeError("a fault of the program")

    with pytest.raises(RuntimeError, match="of the program"):
        await insist(broken, "The end")


async def test_each_try_is_logged(caplog):
    database = Database(3)

    await insist(lambda: database.store("an end"), "the end of generation 7")

    told = [record.getMessage() for record in caplog.records]
    assert (
        told
        == [
            "The database refused the end of generation 7, next try in 0.001 s: "
            "database or disk is full"
        ]
        * 2
    )
