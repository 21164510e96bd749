"""After wrong passwords there is a growing pause, which ends, and concerns nobody else."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from chatapp.accounts.tries import FORGOTTEN_AFTER, Allowance, Tries

OWN = Allowance("name", free=3, longest=20)


@pytest.fixture
def time():
    return [0.0]


@pytest.fixture
def tries(time):
    return Tries(lambda: time[0])


def waits(tries, time, count, who="ada"):
    """Return the pause before each of several tries, each made as soon as allowed."""
    found = []
    for _ in range(count):
        wait = tries.begin((OWN, who))
        found.append(wait)
        if wait:
            time[0] += wait
            assert tries.begin((OWN, who)) == 0
    return found


def test_the_pause_doubles_up_to_the_longest(tries, time):
    assert waits(tries, time, 10) == [0, 0, 0, 1, 2, 4, 8, 16, 20, 20]


def test_waiting_is_not_made_longer_by_asking(tries, time):
    waits(tries, time, 4)

    assert [tries.begin((OWN, "ada")) for _ in range(50)] == [2] * 50


def test_nobody_waits_for_another(tries, time):
    waits(tries, time, 8)

    assert tries.begin((OWN, "bob")) == 0


def test_the_right_password_ends_the_pause(tries, time):
    waits(tries, time, 6)
    tries.forget(OWN, "ada")

    assert waits(tries, time, 4) == [0, 0, 0, 1]


def test_what_is_taken_back_did_not_happen(tries, time):
    waits(tries, time, 2)
    for _ in range(20):
        assert tries.begin((OWN, "ada")) == 0
        tries.take_back(OWN, "ada")

    assert waits(tries, time, 2) == [0, 1]


def test_a_try_that_one_allowance_refuses_costs_the_other_nothing(tries, time):
    waits(tries, time, 3)
    for _ in range(50):
        tries.begin((Allowance("address", free=3, longest=20), "10.0.0.1"), (OWN, "ada"))

    assert waits(tries, time, 3, "10.0.0.1")[0] == 0


def test_tries_are_forgotten_after_a_while(tries, time):
    waits(tries, time, 9)
    time[0] += FORGOTTEN_AFTER

    assert waits(tries, time, 4) == [0, 0, 0, 1]


def test_tries_side_by_side_are_counted_each(tries):
    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(lambda _: tries.begin((OWN, "ada")), range(20)))

    assert found.count(0) == 3


def test_memory_is_bounded(time):
    tries = Tries(lambda: time[0], most=100)
    for number in range(1_000):
        time[0] += 1
        tries.begin((OWN, str(number)))

    assert len(tries._records) <= 100


def test_without_free_tries_there_is_no_pause(tries):
    off = Allowance("name", free=0, longest=20)

    assert {tries.begin((off, "ada")) for _ in range(100)} == {0}
