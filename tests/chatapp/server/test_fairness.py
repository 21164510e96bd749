"""One address may begin only a few requests at once, and delays nobody else."""

import asyncio

import pytest

from chatapp.server.fairness import READS, FairQueue, Share
from tests.patience import PATIENCE

EVE, ADA = "10.0.0.66", "10.0.0.1"


class Pages:
    """An application that notes each request, and answers when the test sets `go_on`."""

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
    """Accept whatever is sent, like a client."""


def ask(fair, address, method="POST"):
    scope = {"type": "http", "method": method, "client": (address, 1), "headers": []}
    return asyncio.create_task(fair(scope, None, heard))


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_crowd_of_one_address_waits_behind_itself_and_nobody_else_does(pages):
    fair = FairQueue(pages, others=Share(8, 3_600))
    asked = [ask(fair, EVE) for _ in range(100)]
    await settle()
    asked.append(ask(fair, ADA))
    await settle()

    assert pages.begun == [EVE] * 8 + [ADA]
    pages.go_on.set()
    await asyncio.gather(*asked)
    assert pages.begun.count(EVE) == 100


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_of_one_address_fewer_pages_are_made_at_once_than_all_else_begins(pages, method):
    fair = FairQueue(pages)
    asked = [ask(fair, EVE, method) for _ in range(20)]
    asked += [ask(fair, ADA, method), ask(fair, EVE)]
    await settle()

    assert pages.begun == [EVE] * READS.at_once + [ADA, EVE]
    pages.go_on.set()
    await asyncio.gather(*asked)
    assert pages.begun.count(EVE) == 21


async def test_an_answer_that_has_begun_gives_its_place_to_the_next(pages):
    async def stream(scope, receive, send):
        await pages(scope, receive, send)
        await asyncio.Event().wait()

    pages.go_on.set()
    fair = FairQueue(stream, others=Share(1, 3_600))
    asked = [ask(fair, EVE) for _ in range(3)]
    await settle()

    assert pages.begun == [EVE] * 3
    for each in asked:
        each.cancel()


async def test_one_that_takes_long_gives_its_place_to_the_next(pages):
    fair = FairQueue(pages, others=Share(1, 0.05))
    asked = [ask(fair, EVE) for _ in range(2)]
    first, second = [await asyncio.wait_for(pages.moments.get(), PATIENCE) for _ in asked]

    assert second - first >= 0.049
    pages.go_on.set()
    await asyncio.gather(*asked)


async def test_one_that_fails_gives_its_place_to_the_next():
    async def broken(scope, receive, send):
        raise LookupError

    fair = FairQueue(broken, others=Share(1, 3_600))
    answers = await asyncio.gather(*(ask(fair, EVE) for _ in range(3)), return_exceptions=True)

    assert [type(answer) for answer in answers] == [LookupError] * 3


async def test_an_address_that_asks_for_nothing_is_forgotten(pages):
    fair = FairQueue(pages)
    pages.go_on.set()
    await asyncio.gather(*(ask(fair, f"10.0.0.{n}") for n in range(50)))

    assert len(fair._gates) == 0
