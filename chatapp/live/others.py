"""What the viewers of a process tell other processes; alone, nothing."""

from typing import Any, Protocol
from uuid import UUID


class Others(Protocol):
    """The other processes of this Vitrine."""

    def follow(self, conversation: UUID) -> None:
        """Tabs here begin to show it."""

    def unfollow(self, conversation: UUID) -> None:
        """No tab here shows it any more."""

    def join(self, person: str) -> None:
        """A first tab of this person's is open here."""

    def leave(self, person: str) -> None:
        """The last one is closed."""

    def say(self, conversation: UUID, frame: dict[str, Any]) -> None:
        """Tell what tabs here are shown."""

    def say_person(self, person: str, frame: dict[str, Any]) -> None:
        """Tell what a person's tabs are shown."""


class Nobody:
    """There are no others."""

    def follow(self, conversation: UUID) -> None: ...
    def unfollow(self, conversation: UUID) -> None: ...
    def join(self, person: str) -> None: ...
    def leave(self, person: str) -> None: ...
    def say(self, conversation: UUID, frame: dict[str, Any]) -> None: ...
    def say_person(self, person: str, frame: dict[str, Any]) -> None: ...
