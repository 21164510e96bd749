"""A person's tools get only a few threads, however many tools never return."""

import threading
from concurrent.futures import wait

import pytest

from chatapp.limits.fair_pool import FairPool
from chatapp.limits.sharing import SharedPlaces
from tests.patience import PATIENCE


def one_thread():
    return FairPool(SharedPlaces("tests", most=2, own=1))


@pytest.fixture
def gate():
    opened = threading.Event()
    yield opened
    opened.set()


def test_what_there_is_no_thread_for_waits_in_order(gate):
    threads, begun = one_thread(), []
    first = threads.submit(lambda: gate.wait(PATIENCE))
    others = [threads.submit(lambda n=n: begun.append(n)) for n in range(3)]

    assert not any(other.running() or other.done() for other in others)
    gate.set()
    wait([first, *others])
    assert begun == [0, 1, 2]


def test_what_is_cancelled_before_it_begins_is_never_run(gate):
    threads, begun = one_thread(), []
    hanging = threads.submit(lambda: gate.wait(PATIENCE))
    given_up = threads.submit(lambda: begun.append("given up"))
    last = threads.submit(lambda: begun.append("last"))

    assert given_up.cancel()
    gate.set()
    wait([hanging, last])
    assert begun == ["last"]


def test_what_hangs_is_not_cancelled_and_keeps_its_thread(gate):
    threads, started = one_thread(), threading.Event()
    hanging = threads.submit(lambda: started.set() or gate.wait(PATIENCE))
    started.wait(PATIENCE)
    next_one = threads.submit(lambda: "done")

    assert (hanging.cancel(), next_one.running()) == (False, False)
    gate.set()
    assert next_one.result(PATIENCE) == "done"


def test_an_error_is_the_callers():
    def fail():
        raise ValueError("no")

    threads = one_thread()

    with pytest.raises(ValueError, match="no"):
        threads.submit(fail).result(PATIENCE)
    assert threads.submit(lambda: "still there").result(PATIENCE) == "still there"


def test_no_thread_keeps_the_process_from_ending(gate):
    seen = one_thread().submit(lambda: threading.current_thread().daemon)

    assert seen.result(PATIENCE)
