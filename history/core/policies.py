"""How much of the transcript is sent, decided by turn numbers alone.

So a reader needs only the newest turns, however long the transcript is. A new policy is a class
here, a line in `POLICIES` and its name in the settings table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from history.core.resolution import Settings
from history.core.wording import turns


class Policy(Protocol):
    @property
    def setting(self) -> str:
        """The setting that moves the cut."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the plan says about the settings themselves."""

    def first_turn(self, last_turn: int, /) -> int:
        """The first turn that is kept; 0 keeps everything."""

    def __str__(self) -> str:
        """As a sentence's subject: `lastN 5`."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """The current turn only."""

    setting: ClassVar[str] = "policy"
    notes: ClassVar[tuple[str, ...]] = ()

    def first_turn(self, last_turn: int, /) -> int:
        return last_turn

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class LastN:
    """The newest user messages, the current one included, and all that follows the oldest."""

    length: int
    setting: ClassVar[str] = "length"

    @property
    def notes(self) -> tuple[str, ...]:
        return () if self.length else ("lastN: length 0 acts as 1",)

    def first_turn(self, last_turn: int, /) -> int:
        kept = max(self.length, 1)
        return 0 if last_turn <= kept else last_turn - kept + 1

    def __str__(self) -> str:
        return f"lastN {self.length}" if self.length else "lastN 0 (0 acts as 1)"


@dataclass(frozen=True, slots=True)
class Everything:
    setting: ClassVar[str] = "policy"
    notes: ClassVar[tuple[str, ...]] = ()

    def first_turn(self, last_turn: int, /) -> int:
        return 0

    def __str__(self) -> str:
        return "all"


POLICIES: Mapping[str, Callable[[Settings], Policy]] = {
    "none": lambda settings: Nothing(),
    "lastN": lambda settings: LastN(settings.value("length")),
    "all": lambda settings: Everything(),
}


def policy_of(settings: Settings) -> Policy:
    return POLICIES[settings.value("policy")](settings)


def first_turn(settings: Settings, last_turn: int) -> int:
    """The first turn the policy keeps; the current turn is `last_turn`."""
    return policy_of(settings).first_turn(last_turn)


def horizon(settings: Settings, last_turn: int) -> int:
    """Messages of this turn and later must be read; older ones may be `Unread` runs.

    Older system messages must be read too where preserve_system_messages is true.
    """
    return first_turn(settings, last_turn)


def keeps(policy: Policy, last_turn: int) -> str:
    """`lastN 5 keeps turns 5` to `9` with a dash."""
    return f"{policy} keeps {turns(policy.first_turn(last_turn), last_turn)}"
