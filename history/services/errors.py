"""Why a command is refused, in a sentence for the person who gave it."""

from typing import ClassVar


class Refused(Exception):
    """The command changes nothing. `code` is for programs, the message for people."""

    status: ClassVar[int] = 422

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotFound(Refused):
    """What is not there, or may not be seen: the two look the same."""

    status = 404

    def __init__(self, what: str = "conversation") -> None:
        super().__init__("not_found", f"There is no such {what}.")


class Conflict(Refused):
    """The state that the command was given for is not the present one."""

    status = 409
