"""Tell whether a request failed before a connection was made, so that nobody received it."""

import httpx

# litellm sends by aiohttp, and calls some of its errors ConnectError that may come later, such as a
# reset. Of aiohttp's errors, known by the names of their classes, only these come before.
CERTAIN = frozenset({"ClientConnectorError", "ConnectionTimeoutError"})
UNCERTAIN = frozenset({"ClientError", "CancelledError"})


def lacked_connection(error: httpx.HTTPError) -> bool:
    """Return whether it is certain that there was no connection: the host has no address, nobody
    listens there, or its certificate is refused.

    Only the direct cause is read: a library that tries again keeps its first error below that.
    """
    causes = {base.__name__ for base in type(error.__cause__).__mro__}
    if not causes.isdisjoint(CERTAIN | UNCERTAIN):
        return not causes.isdisjoint(CERTAIN)
    return isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
