"""Token buckets are shared in a real Redis; two objects stand for two processes."""

import time
from threading import Thread

import pytest

from chatapp.limits.buckets import Limit
from chatapp.limits.shared import SharedBuckets
from chatapp.limits.spending import TooMany, spend
from tests.patience import eventually, seconds

LIMIT = Limit("sends", 3, 60, "At most {most}.")
pytestmark = pytest.mark.usefixtures("shared")


@pytest.fixture
def pair():
    return SharedBuckets(), SharedBuckets()


def test_what_one_process_takes_the_other_lacks(pair):
    here, there = pair

    assert [here.take(LIMIT, "ada"), there.take(LIMIT, "ada"), here.take(LIMIT, "ada")] == [0, 0, 0]
    assert there.take(LIMIT, "ada") == pytest.approx(20, abs=2)
    assert there.take(LIMIT, "bob") == 0


def test_what_is_given_back_can_be_taken_by_the_other(pair):
    here, there = pair
    here.charge(LIMIT, "ada", 5)
    refused = there.take(LIMIT, "ada")
    there.charge(LIMIT, "ada", -5)

    assert refused == pytest.approx(60, abs=2)
    assert here.take(LIMIT, "ada", 3) == 0


def test_a_bucket_fills_again(pair):
    quick = Limit("quick", 10, 0.2, "")
    pair[0].take(quick, "ada", 10)
    assert eventually(lambda: not pair[1].take(quick, "ada", 10))


def test_nobody_takes_more_than_there_is_however_many_try_at_once(pair):
    taken = []
    limit = Limit("crowd", 20, 3600, "")

    def take(buckets):
        taken.extend(buckets.take(limit, "ada") == 0 for _ in range(20))

    threads = [Thread(target=take, args=(buckets,)) for buckets in pair * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(taken) == 20


def test_all_or_none_of_several_limits_is_taken(pair):
    small = Limit("small", 1, 60, "At most {most}.")
    spend((small, "net", 1), buckets=pair[0])
    with pytest.raises(TooMany, match="At most 1"):
        spend((LIMIT, "ada", 3), (small, "net", 1), buckets=pair[1])

    assert pair[0].take(LIMIT, "ada", 3) == 0


@pytest.mark.parametrize("how", ["stopped", "frozen"])
def test_without_redis_each_process_counts_alone_and_nobody_waits_long(pair, shared, how):
    here, there = pair
    with shared.frozen() if how == "frozen" else shared.stopped():
        began = time.monotonic()
        results = [here.take(LIMIT, "ada") for _ in range(4)] + [there.take(LIMIT, "ada")]
        took = time.monotonic() - began

    assert results[:3] == [0, 0, 0]
    assert results[3] > 0
    assert results[4] == 0
    assert took < seconds(4)
