"""Why a connection failed, in words that may be shown to anybody."""

from history.core.wording import printable


def reason_of(error: BaseException) -> str:
    """Without a stack, and without more of the other side's words than fit a sentence."""
    cause = _first(error)
    if isinstance(cause, TimeoutError):
        return "it took too long to answer"
    if isinstance(cause, FileNotFoundError | PermissionError):
        return f"its program cannot be started ({cause.strerror})"
    return printable(str(cause).rstrip(".") or type(cause).__name__, 200)


def _first(error: BaseException) -> BaseException:
    """The innermost of groups, which task groups wrap around a single error."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error
