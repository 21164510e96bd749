"""The policies, each of which decides only by turn numbers how much of a transcript is sent.

So only the newest turns must be read, however long the transcript is. A new policy is a class here,
a line in `POLICIES`, and its name in the settings table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from history.core.settings.resolved import Settings
from history.core.words.facts import Fact, Note, Rule, fact, note


class Policy(Protocol):
    @property
    def setting(self) -> str:
        """The setting that decides where this policy cuts."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """Notes on the settings themselves, for the plan."""

    def first_turn(self, last_turn: int, cold_turn: int = 0, /) -> int:
        """Return the first turn to keep; 0 keeps everything.

        `cold_turn` is the newest turn that began after the provider's cache had expired.
        """

    @property
    def figures(self) -> Mapping[str, Any]:
        """The figures of the fact that explains the policy: its name and its parameters."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Keeps only the current turn; before the first user message it keeps nothing."""

    setting: ClassVar[str] = "policy"
    notes: ClassVar[tuple[Note, ...]] = ()

    def first_turn(self, last_turn: int, cold_turn: int = 0, /) -> int:
        return max(1, last_turn)

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"policy": "none"}


@dataclass(frozen=True, slots=True)
class LastN:
    """Keeps the newest user messages, including the current one, and all messages after the oldest
    of them.

    With a stride, the start lies on a grid of turns, so that it moves only now and then: at least
    `length` turns are kept, and at most `length + stride - 1`. After a pause that outlived the
    cache it may move at once.
    """

    length: int
    stride: int = 1
    setting: ClassVar[str] = "length"

    @property
    def notes(self) -> tuple[Note, ...]:
        return () if self.length else (note(Rule.LENGTH_ACTS_AS_ONE),)

    def first_turn(self, last_turn: int, cold_turn: int = 0, /) -> int:
        turns = max(self.length, 1)
        grid = max(0, last_turn - turns) // self.stride * self.stride
        start = max(grid, cold_turn - turns)
        return start + 1 if start else 0

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"policy": "lastN", "length": self.length, "stride": self.stride}


@dataclass(frozen=True, slots=True)
class Everything:
    setting: ClassVar[str] = "policy"
    notes: ClassVar[tuple[Note, ...]] = ()

    def first_turn(self, last_turn: int, cold_turn: int = 0, /) -> int:
        return 0

    @property
    def figures(self) -> Mapping[str, Any]:
        return {"policy": "all"}


POLICIES: Mapping[str, Callable[[Settings], Policy]] = {
    "none": lambda settings: Nothing(),
    "lastN": lambda settings: LastN(settings.value("length"), settings.value("length_stride")),
    "all": lambda settings: Everything(),
}


def policy_of(settings: Settings) -> Policy:
    return POLICIES[settings.value("policy")](settings)


def horizon(settings: Settings, last_turn: int) -> int:
    """Return the first turn that must be read; older turns may be `Unread` runs.

    Older system messages must be read, too, if preserve_system_messages is true.
    """
    return min(policy_of(settings).first_turn(last_turn), last_turn)


def keeps(policy: Policy, first_turn: int, last_turn: int) -> Fact:
    """Name the first and the last turn that are kept; none if there is no current turn to keep."""
    turns = [first_turn, last_turn] if first_turn <= last_turn else []
    return fact(Rule.POLICY, **policy.figures, kept=turns)
