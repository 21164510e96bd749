"""Even a cancelled task waits for work that must not be left half done."""

import asyncio

import pytest

from chatapp.databases.threads import to_its_end


async def test_the_result_is_the_works():
    async def work():
        return 42

    assert await to_its_end(work()) == 42


async def test_an_error_is_the_callers():
    async def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await to_its_end(fail())


async def test_a_cancelled_task_ends_after_the_work():
    begun, allowed, done = asyncio.Event(), asyncio.Event(), []

    async def work():
        begun.set()
        await allowed.wait()
        done.append("whole")

    task = asyncio.create_task(to_its_end(work()))
    await begun.wait()
    task.cancel()
    await asyncio.sleep(0)
    assert (task.done(), done) == (False, [])
    allowed.set()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert done == ["whole"]
