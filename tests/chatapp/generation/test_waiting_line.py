from uuid import UUID, uuid4

import pytest

from chatapp.generation.queue import WaitingLine


class Turns:
    """A line of waiting answers with names: `ada 2` is Ada's second answer."""

    def __init__(self, most: int) -> None:
        self.queue, self.most = WaitingLine(), most
        self.ids: dict[str, UUID] = {}

    def enter(self, *names: str) -> list[bool]:
        self.ids |= {name: uuid4() for name in names}
        return [self.queue.enter(self.ids[name], name.split()[0], self.most) for name in names]

    def leave(self, name: str) -> list[str]:
        """End an answer. Return the answers that may begin now."""
        self.queue.leave(self.ids[name])
        begun = []
        while turn := self.queue.next(self.most):
            begun.append(self.name_of(turn))
        return begun

    def name_of(self, turn: UUID) -> str:
        return next(name for name, known in self.ids.items() if known == turn)

    @property
    def order(self) -> list[str]:
        return [self.name_of(turn) for turn in self.queue.order()]


def test_the_first_answers_begin_and_the_others_wait_in_order():
    turns = Turns(2)

    assert turns.enter("ada 1", "bob 1", "cyd 1", "dan 1") == [True, True, False, False]
    assert turns.order == ["cyd 1", "dan 1"]
    assert turns.leave("bob 1") == ["cyd 1"]
    assert turns.leave("ada 1") == ["dan 1"]
    assert turns.leave("dan 1") == []


def test_one_person_with_many_does_not_block_anothers_first():
    turns = Turns(1)
    turns.enter(*(f"ada {n}" for n in range(1, 101)), "bob 1", "bob 2", "cyd 1")

    assert turns.order[:6] == ["ada 2", "bob 1", "cyd 1", "ada 3", "bob 2", "ada 4"]
    begun, running = [], "ada 1"
    for _ in range(6):
        (running,) = turns.leave(running)
        begun.append(running)
    assert begun == ["ada 2", "bob 1", "cyd 1", "ada 3", "bob 2", "ada 4"]


def test_whoever_comes_while_others_wait_does_not_pass_them():
    turns = Turns(1)
    turns.enter("ada 1", "bob 1")
    turns.queue.leave(turns.ids["ada 1"])

    assert turns.enter("cyd 1") == [False]
    assert turns.order == ["bob 1", "cyd 1"]


def test_one_that_was_stopped_while_it_waited_is_passed_over():
    turns = Turns(1)
    turns.enter("ada 1", "bob 1", "cyd 1")

    assert turns.leave("bob 1") == []
    assert turns.leave("ada 1") == ["cyd 1"]


def test_without_a_limit_nobody_waits():
    assert Turns(0).enter(*(f"ada {n}" for n in range(500))) == [True] * 500


def test_a_persons_open_answers_are_those_that_run_wait_and_begin():
    turns = Turns(1)
    turns.enter("ada 1", "ada 2", "bob 1")
    with turns.queue.coming("ada") as first, turns.queue.coming("ada") as second:
        seen = [first, second]

    assert (seen, turns.queue.opened_by("ada"), turns.queue.opened_by("bob")) == ([2, 3], 2, 1)


def test_a_command_that_failed_counts_no_more():
    turns = Turns(1)
    with pytest.raises(ValueError, match="no"), turns.queue.coming("ada"):
        raise ValueError("no")

    assert turns.queue.opened_by("ada") == 0
