"""What the viewers of a process tell other processes; alone, nothing."""

from typing import Any, Protocol
from uuid import UUID


class Others(Protocol):
    """The other processes of this Vitrine."""

    def follow(self, conversation: UUID) -> None:
        """Begin to follow a conversation that tabs here now show."""

    def unfollow(self, conversation: UUID) -> None:
        """Stop following it: no tab here shows it any more."""

    def join(self, person: str) -> None:
        """Note that this person's first tab here is open."""

    def leave(self, person: str) -> None:
        """Note that their last tab here is closed."""

    def say(self, conversation: UUID, frame: dict[str, Any]) -> None:
        """Pass a frame that the tabs here are sent on to the other processes."""

    def say_person(self, person: str, frame: dict[str, Any]) -> None:
        """Pass a frame for all tabs of a person on to the other processes."""


class Nobody:
    """The implementation for when there are no other processes."""

    def follow(self, conversation: UUID) -> None: ...
    def unfollow(self, conversation: UUID) -> None: ...
    def join(self, person: str) -> None: ...
    def leave(self, person: str) -> None: ...
    def say(self, conversation: UUID, frame: dict[str, Any]) -> None: ...
    def say_person(self, person: str, frame: dict[str, Any]) -> None: ...
