"""Settings for several processes: the address of Redis, and which process writes answers."""

from importlib.util import find_spec
from urllib.parse import urlsplit

from chatapp.env.packages import NO_EXTRA

FORM = "must be an address such as redis://:password@host:6379/0, rediss:// or unix:///path"
NO_CLUSTER = NO_EXTRA.format(extra="cluster")
NO_POSTGRESQL = "needs PostgreSQL: name a database in DATABASE_URL, or unset REDIS_URL"
INLINE, WORKER = "inline", "worker"
EXECUTOR_APPS = {INLINE: [], WORKER: ["procrastinate.contrib.django"]}
NO_REDIS = "needs PostgreSQL in DATABASE_URL and Redis in REDIS_URL; set both, or say inline"


def redis_url(database_engine: str, raw: str) -> str:
    """Check the address of Redis. Raise ValueError, without the address, as it has the password."""
    if not raw:
        return ""
    if not _is_whole(raw):
        raise ValueError(FORM)
    if "postgresql" not in database_engine:
        raise ValueError(NO_POSTGRESQL)
    if find_spec("redis") is None:
        raise ValueError(NO_CLUSTER)
    return raw


def executor(url: str, raw: str) -> str:
    """Check which process writes answers: the one that was asked, or a worker. Raise ValueError."""
    if raw not in {INLINE, WORKER}:
        raise ValueError(f"must be one of {INLINE}, {WORKER}")
    if raw == WORKER and not url:
        raise ValueError(NO_REDIS)
    if raw == WORKER and find_spec("procrastinate") is None:
        raise ValueError(NO_CLUSTER)
    return raw


def _is_whole(raw: str) -> bool:
    try:
        parts = urlsplit(raw)
        has_place = bool(parts.path if parts.scheme == "unix" else parts.hostname)
        return parts.scheme in {"redis", "rediss", "unix"} and has_place and parts.port != 0
    except ValueError:
        return False
