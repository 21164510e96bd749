"""Messages from the viewers of a process to other processes; without others, none are sent."""

from typing import Any, Protocol
from uuid import UUID


class Others(Protocol):
    """The other processes of this Vitrine."""

    def follow(self, conversation: UUID) -> None:
        """Begin to follow a conversation that tabs here now show."""

    def unfollow(self, conversation: UUID) -> None:
        """Stop following a conversation that no tab here shows any more."""

    def join(self, person: str) -> None:
        """Note that this person's first tab here is open."""

    def leave(self, person: str) -> None:
        """Note that this person's last tab here is closed."""

    def say(self, conversation: UUID, frame: dict[str, Any]) -> None:
        """Pass on to the other processes a frame that is also sent to tabs here."""

    def say_person(self, person: str, frame: dict[str, Any]) -> None:
        """Pass on to the other processes a frame for all tabs of a person."""


class Nobody:
    """The implementation for when there are no other processes."""

    def follow(self, conversation: UUID) -> None: ...
    def unfollow(self, conversation: UUID) -> None: ...
    def join(self, person: str) -> None: ...
    def leave(self, person: str) -> None: ...
    def say(self, conversation: UUID, frame: dict[str, Any]) -> None: ...
    def say_person(self, person: str, frame: dict[str, Any]) -> None: ...
