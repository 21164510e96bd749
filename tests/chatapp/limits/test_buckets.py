from concurrent.futures import ThreadPoolExecutor

import pytest

from chatapp.limits.buckets import Limit, MemoryBuckets
from chatapp.limits.limits import spoken_size
from chatapp.limits.spending import TooMany, spend, spoken

SENDS = Limit("sends", 3, 60, "You've sent {most} messages in a minute.")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def buckets(clock):
    return MemoryBuckets(clock)


def test_a_limit_may_be_used_up_at_once_and_comes_back_evenly(buckets, clock):
    assert [buckets.take(SENDS, "ada") for _ in range(4)] == [0, 0, 0, 20]
    clock.now = 19
    assert buckets.take(SENDS, "ada") == 1
    clock.now = 20
    assert [buckets.take(SENDS, "ada") for _ in range(2)] == [0, 20]


def test_nobody_pays_for_another(buckets):
    for _ in range(4):
        buckets.take(SENDS, "ada")

    assert buckets.take(SENDS, "bob") == 0


def test_limits_of_another_name_are_apart(buckets):
    other = Limit("log-ins", 3, 60, "")
    for _ in range(4):
        buckets.take(SENDS, "ada")

    assert buckets.take(other, "ada") == 0


def test_what_was_refused_costs_nothing(buckets, clock):
    for _ in range(100):
        buckets.take(SENDS, "ada")
    clock.now = 60

    assert [buckets.take(SENDS, "ada") for _ in range(3)] == [0, 0, 0]


def test_a_limit_of_none_lets_everything_pass(buckets):
    assert [buckets.take(Limit("sends", 0, 60, ""), "ada", 10**9) for _ in range(9)] == [0] * 9
    assert len(buckets) == 0


def test_more_than_there_ever_is_may_be_taken_from_a_full_bucket_and_is_paid_back(buckets, clock):
    assert buckets.take(SENDS, "ada", 6) == 0
    assert buckets.take(SENDS, "ada") == 80
    clock.now = 80
    assert buckets.take(SENDS, "ada") == 0


def test_what_is_known_only_afterwards_is_charged_below_nothing(buckets):
    tokens = Limit("tokens", 1_000, 1_000, "")

    assert buckets.take(tokens, "ada") == 0
    buckets.charge(tokens, "ada", 1_499)
    assert buckets.take(tokens, "ada") == pytest.approx(501)


def test_what_was_not_done_is_given_back(buckets):
    for _ in range(3):
        buckets.take(SENDS, "ada")
    buckets.charge(SENDS, "ada", -1)

    assert [buckets.take(SENDS, "ada") for _ in range(2)] == [0, 20]


def test_giving_back_makes_no_bucket_fuller_than_full(buckets):
    buckets.charge(SENDS, "ada", -100)

    assert [buckets.take(SENDS, "ada") for _ in range(4)] == [0, 0, 0, 20]


def test_full_buckets_are_dropped(clock):
    buckets = MemoryBuckets(clock, most=100)
    for who in range(100):
        buckets.take(SENDS, f"early {who}")
    clock.now = 60
    buckets.take(SENDS, "ada")

    assert len(buckets) == 1


def test_there_are_never_more_buckets_than_fit_and_those_in_debt_are_kept_longest(clock):
    buckets = MemoryBuckets(clock, most=100)
    for _ in range(4):
        buckets.take(SENDS, "eve")
    for who in range(1_000):
        buckets.take(SENDS, f"address {who}")

    assert len(buckets) <= 100
    assert buckets.take(SENDS, "eve") > 0


def test_threads_that_take_at_once_get_no_more_than_there_is(buckets):
    limit = Limit("sends", 50, 60, "")
    with ThreadPoolExecutor(8) as threads:
        waits = list(threads.map(lambda _: buckets.take(limit, "ada"), range(400)))

    assert waits.count(0) == 50


def test_who_spends_too_much_is_told_what_happened_and_when_to_go_on(buckets):
    for _ in range(3):
        spend((SENDS, "ada", 1), buckets=buckets)

    with pytest.raises(TooMany) as refusal:
        spend((SENDS, "ada", 1), buckets=buckets)

    assert refusal.value.message == ("You've sent 3 messages in a minute. Try again in 20 seconds.")
    assert (refusal.value.code, refusal.value.seconds) == ("too_many", 20)
    assert refusal.value.status == 429


def test_if_the_second_limit_refuses_the_first_is_given_back(buckets):
    small = Limit("sends by address", 1, 60, "")
    spend((SENDS, "ada", 1), (small, "10.0.0.1", 1), buckets=buckets)
    for _ in range(5):
        with pytest.raises(TooMany):
            spend((SENDS, "ada", 1), (small, "10.0.0.1", 1), buckets=buckets)

    assert [buckets.take(SENDS, "ada") for _ in range(3)] == [0, 0, 20]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 second"),
        (12, "12 seconds"),
        (119, "119 seconds"),
        (121, "3 minutes"),
        (3_600, "60 minutes"),
        (7_201, "3 hours"),
        (200_000, "56 hours"),
    ],
)
def test_a_wait_is_said_in_words(seconds, words):
    assert spoken(seconds) == words


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (999, "999 bytes"),
        (1_500, "1.5 kB"),
        (50_000_000, "50 MB"),
        (2_000_000_000, "2 GB"),
        (5_000_000_000_000, "5,000 GB"),
    ],
)
def test_a_size_is_said_in_words(size, words):
    assert spoken_size(size) == words
