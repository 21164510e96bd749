"""How many files and sockets this process may have open, and what they are for."""

import logging
import resource

logger = logging.getLogger(__name__)
ENOUGH = 1_024
MOST = 65_536  # Beyond, some systems pay for each that might be open.


def raise_limit() -> int:
    """Systems begin with a low limit that a process may raise by itself; what it is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    if wanted < ENOUGH:
        logger.warning(
            "Only %d files may be open, so only %d people can be connected. Raise the limit: "
            "LimitNOFILE= of the systemd service, or ulimit -n.",
            wanted,
            connections_of(wanted),
        )
    return wanted


def connections_of(limit: int) -> int:
    """Half are for clients; databases, files and providers need the others."""
    return limit // 2


def accepted_at_once(limit: int) -> int:
    """Asyncio takes so many new connections from the queue in each turn, and a few turns pass until
    what is too many can be counted and closed.
    """
    return min(128, max(8, limit // 16))
