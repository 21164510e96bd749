"""However many places one person takes, other people get a place."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from chatapp.limits.fair_pool import FairPool
from chatapp.limits.shared_places import FILES, SHARED_PLACES, behind
from chatapp.limits.sharing import Patience, RequestPlaces, SharedPlaces
from chatapp.limits.spending import TooMany
from tests.patience import PATIENCE, eventually

pytestmark = pytest.mark.django_db  # Threads give connections back before they wait for a place.
FOR_REQUESTS = [each for each in SHARED_PLACES if isinstance(each, RequestPlaces)]
named = pytest.mark.parametrize("places", SHARED_PLACES, ids=lambda each: each.name)
for_requests = pytest.mark.parametrize("places", FOR_REQUESTS, ids=lambda each: each.name)


@named
def test_one_fills_it_and_another_one_gets_in(places):
    with ExitStack() as stack:
        for _ in range(places.most):
            asked = places.ask("eve", lambda: stack.callback(places.leave, "eve"))
            stack.callback(places._withdraw, asked)

        came = threading.Event()
        places.ask("ada", came.set)

        assert came.is_set()
        places.leave("ada")


@named
def test_of_one_person_no_more_work_begins_than_their_share(places):
    with ExitStack() as stack:
        taken = [places.enter("eve") for _ in range(places.most)]
        for _ in filter(None, taken):
            stack.callback(places.leave, "eve")

        assert taken.count(True) == places.own
        assert places.enter("ada")
        places.leave("ada")


@for_requests
def test_beyond_share_and_line_a_request_is_refused_at_once(places):
    gate = threading.Event()
    there = places.own + places.patience.line

    def hold():
        with places.held("eve"):
            gate.wait(PATIENCE)

    with ThreadPoolExecutor(there) as pool:
        holding = [pool.submit(hold) for _ in range(there)]
        try:
            eventually(lambda: _count(places, "eve") == there)
            with pytest.raises(TooMany) as refusal, places.held("eve"):
                pytest.fail("there was a place")
            with places.held("ada"):
                pass
        finally:
            gate.set()
        for each in holding:
            each.result(PATIENCE)

    assert str(places.sentence) in refusal.value.message
    assert (refusal.value.status, refusal.value.seconds) == (429, 2)


def _count(places, who):
    waiting = sum(asked.who == who for asked in places._waiting)
    return places._held[who] + waiting


def test_who_waits_in_vain_is_refused_and_leaves_the_line():
    places = RequestPlaces("tests", "Too many.", most=2, own=1, patience=Patience(0, 0.01))

    with (
        places.held("eve"),
        places.held("bob"),
        pytest.raises(TooMany, match="Many people are doing this"),
        places.held("ada"),
    ):
        pytest.fail("there was a place")
    with places.held("ada"), places.held("eve"):
        assert not places._waiting


def test_a_share_that_is_the_whole_is_refused():
    with pytest.raises(ValueError, match="must leave a place to others"):
        SharedPlaces("tests", most=2, own=2)


def test_a_persons_files_in_the_background_leave_their_own_hands_free():
    with FILES.waited(behind("eve")), FILES.held("eve"), FILES.held("ada"):
        assert FILES._held.total() == FILES.most


def test_work_of_another_person_goes_ahead_of_what_waits_for_its_own():
    threads = FairPool(SharedPlaces("tests", most=2, own=1))
    gate = threading.Event()
    try:
        first = threads.submit(lambda: gate.wait(PATIENCE), "eve")
        second = threads.submit(lambda: "eve's second", "eve")

        assert threads.submit(lambda: "ada's", "ada").result(PATIENCE) == "ada's"
        assert not second.done()
    finally:
        gate.set()
    assert first.result(PATIENCE)
    assert second.result(PATIENCE) == "eve's second"


def test_at_the_end_what_waits_is_not_begun():
    threads = FairPool(SharedPlaces("tests", most=2, own=1))
    begun, gate = threading.Event(), threading.Event()
    running = threads.submit(lambda: begun.set() or gate.wait(PATIENCE), "eve")
    waiting = threads.submit(lambda: "never", "eve")
    begun.wait(PATIENCE)

    ending = threading.Thread(target=threads.shutdown)
    ending.start()
    eventually(waiting.cancelled)
    assert ending.is_alive()
    gate.set()
    ending.join(PATIENCE)

    assert (running.done(), ending.is_alive()) == (True, False)
