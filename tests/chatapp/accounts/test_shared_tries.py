"""Password tries are shared in a real Redis; two objects stand for two processes."""

import pytest

from chatapp.accounts.shared_tries import SharedTries
from chatapp.accounts.tries import Allowance

NAME = Allowance("name", 3, 60)
ADDRESS = Allowance("address", 100, 60)
KEYS = ((NAME, "10.0.0.1 ada"), (ADDRESS, "10.0.0.1"))
pytestmark = pytest.mark.usefixtures("shared")


@pytest.fixture
def pair():
    return SharedTries(), SharedTries()


def test_tries_at_both_processes_count_together(pair):
    here, there = pair
    tried = [process.begin(*KEYS) for process in (here, there, here)]

    assert tried == [0, 0, 0]
    assert 0 < there.begin(*KEYS) <= 1
    assert there.begin((NAME, "10.0.0.2 ada"), (ADDRESS, "10.0.0.2")) == 0


def test_the_right_password_forgets_the_wrong_ones_everywhere(pair):
    here, there = pair
    for _ in range(3):
        here.begin(*KEYS)
    here.forget(*KEYS[0])

    assert there.begin(*KEYS) == 0


def test_a_try_that_was_right_is_given_back(pair):
    here, there = pair
    for _ in range(3):
        here.begin(KEYS[0])
    there.take_back(*KEYS[0])

    assert here.begin(KEYS[0]) == 0


def test_pauses_double_up_to_the_longest(pair):
    short = Allowance("short", 1, 2)
    pair[0].begin((short, "ada"))
    first = pair[1].begin((short, "ada"))

    assert 0 < first <= 1


def test_without_redis_a_process_counts_alone(pair, shared):
    shared.stop()

    assert [pair[0].begin(*KEYS) for _ in range(3)] == [0, 0, 0]
    assert pair[0].begin(*KEYS) > 0
