"""Many waits share one deadline; no wait outlasts it, even when it is moved."""

import asyncio

import pytest

from chatapp.limits.deadline import Deadline

SOON, LATE = 0.02, 60.0


def after(seconds: float) -> float:
    return asyncio.get_running_loop().time() + seconds


async def test_what_is_late_is_ended():
    waited = asyncio.Event()

    with pytest.raises(TimeoutError):
        await Deadline().bound(waited.wait(), after(SOON))


async def test_what_is_in_time_is_returned():
    assert await Deadline().bound(asyncio.sleep(0, "done"), after(LATE)) == "done"


async def test_a_deadline_that_is_moved_later_ends_nothing_before():
    deadline, loop, waited = Deadline(), asyncio.get_running_loop(), asyncio.Event()
    loop.call_later(SOON / 4, deadline.move, after(LATE))
    loop.call_later(2 * SOON, waited.set)

    assert await deadline.bound(waited.wait(), after(SOON))


async def test_a_deadline_that_is_moved_earlier_counts():
    deadline, waited = Deadline(), asyncio.Event()
    asyncio.get_running_loop().call_later(SOON / 4, deadline.move, after(SOON))

    with pytest.raises(TimeoutError):
        await deadline.bound(waited.wait(), after(LATE))


async def test_the_next_wait_is_bounded_though_the_deadline_passed_between_two():
    deadline, waited = Deadline(), asyncio.Event()
    await deadline.bound(asyncio.sleep(0), after(SOON))
    await asyncio.sleep(2 * SOON)

    with pytest.raises(TimeoutError):
        await deadline.bound(waited.wait(), after(SOON))


async def test_who_is_cancelled_is_not_late():
    waited = asyncio.Event()
    task = asyncio.create_task(Deadline().bound(waited.wait(), after(LATE)))
    await asyncio.sleep(0)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_who_is_cancelled_when_it_is_late_is_cancelled():
    deadline, loop, waited = Deadline(), asyncio.get_running_loop(), asyncio.Event()
    task = asyncio.create_task(deadline.bound(waited.wait(), after(SOON)))
    await asyncio.sleep(0)

    deadline.move(0)
    loop.call_soon(task.cancel)  # In the same round of the loop.

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_late_wait_leaves_no_trace_in_its_task():
    waited = asyncio.Event()
    with pytest.raises(TimeoutError):
        await Deadline().bound(waited.wait(), after(SOON))

    assert asyncio.current_task().cancelling() == 0
    assert await asyncio.sleep(0, "goes on") == "goes on"


async def test_a_sign_of_life_while_a_late_wait_unwinds_changes_nothing():
    deadline = Deadline()
    end = after(SOON)

    async def slow_to_end():
        try:
            await asyncio.Event().wait()
        finally:
            deadline.move(end)  # It has passed, so the timer fires at once.
            await asyncio.sleep(SOON)

    with pytest.raises(TimeoutError):
        await deadline.bound(slow_to_end(), end)

    assert asyncio.current_task().cancelling() == 0


async def test_an_error_of_the_work_after_the_deadline_is_that_error():
    async def fails():
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise KeyError from None

    with pytest.raises(KeyError):
        await Deadline().bound(fails(), after(SOON))

    assert asyncio.current_task().cancelling() == 0
