"""Only a few requests of one address begin at once; nobody else waits for the others."""

import asyncio

import pytest

from chatapp.server.fairness import FairQueue
from tests.patience import PATIENCE

EVE, ADA = "10.0.0.66", "10.0.0.1"


class Pages:
    """An application whose answers begin when the test says so."""

    def __init__(self):
        self.begun = []
        self.moments = asyncio.Queue()
        self.go_on = asyncio.Event()

    async def __call__(self, scope, receive, send):
        self.begun.append(scope["client"][0])
        self.moments.put_nowait(asyncio.get_running_loop().time())
        await self.go_on.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})


@pytest.fixture
def pages():
    return Pages()


async def heard(message):
    """Accept whatever comes, as a client."""


def ask(fair, address):
    scope = {"type": "http", "client": (address, 1), "headers": []}
    return asyncio.create_task(fair(scope, None, heard))


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_crowd_of_one_address_waits_behind_itself_and_nobody_else_does(pages):
    fair = FairQueue(pages, at_once=8, seconds=3_600)
    asked = [ask(fair, EVE) for _ in range(100)]
    await settle()
    asked.append(ask(fair, ADA))
    await settle()

    assert pages.begun == [EVE] * 8 + [ADA]
    pages.go_on.set()
    await asyncio.gather(*asked)
    assert pages.begun.count(EVE) == 100


async def test_an_answer_that_has_begun_gives_its_place_to_the_next(pages):
    async def stream(scope, receive, send):
        await pages(scope, receive, send)
        await asyncio.Event().wait()

    pages.go_on.set()
    fair = FairQueue(stream, at_once=1)
    asked = [ask(fair, EVE) for _ in range(3)]
    await settle()

    assert pages.begun == [EVE] * 3
    for each in asked:
        each.cancel()


async def test_one_that_takes_long_gives_its_place_to_the_next(pages):
    fair = FairQueue(pages, at_once=1, seconds=0.05)
    asked = [ask(fair, EVE) for _ in range(2)]
    first, second = [await asyncio.wait_for(pages.moments.get(), PATIENCE) for _ in asked]

    assert second - first >= 0.049
    pages.go_on.set()
    await asyncio.gather(*asked)


async def test_one_that_fails_gives_its_place_to_the_next():
    async def broken(scope, receive, send):
        raise LookupError

    fair = FairQueue(broken, at_once=1)
    answers = await asyncio.gather(*(ask(fair, EVE) for _ in range(3)), return_exceptions=True)

    assert [type(answer) for answer in answers] == [LookupError] * 3


async def test_an_address_that_asks_for_nothing_is_forgotten(pages):
    fair = FairQueue(pages)
    pages.go_on.set()
    await asyncio.gather(*(ask(fair, f"10.0.0.{n}") for n in range(50)))

    assert len(fair._gates) == 0
