"""How many files and sockets this process may have open, and what they are for."""

import logging
import resource

logger = logging.getLogger(__name__)
ENOUGH = 1_024
MOST = 65_536  # Beyond it, some systems pay for each that might be open.


def raise_limit() -> int:
    """Raise the system's low limit as far as a process may, and return it."""
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
    """Reserve half for clients; databases, files and providers need the others."""
    return limit // 2


def accepted_at_once(limit: int) -> int:
    """Limit how many new connections asyncio accepts in each turn: a few turns pass until too
    many can be counted and closed.
    """
    return min(128, max(8, limit // 16))
