"""Errors that refuse a command, each with a sentence for the person who gave it."""

from typing import ClassVar


class Refused(Exception):
    """Nothing was changed. `code` is for programs, the message for people."""

    status: ClassVar[int] = 422

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotFound(Refused):
    """It does not exist, or this person may not see it: the two look the same."""

    status = 404

    def __init__(self, what: str = "conversation") -> None:
        super().__init__("not_found", f"There is no such {what}.")


class Conflict(Refused):
    """The state has changed since the command was given."""

    status = 409
