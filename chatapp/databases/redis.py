"""The Redis that several processes share. Only this module imports its library, an extra."""

import logging
from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from redis import Redis
    from redis.asyncio import Redis as AsyncRedis

logger = logging.getLogger(__name__)
PATIENCE_SECONDS = 3  # In seconds: the longest wait for an answer from Redis.
SHORT_SECONDS = 0.5  # In seconds: the longest wait of a caller who can do without Redis' answer.
PAUSE_SECONDS = 5.0  # In seconds: the pause after a failure, before Redis is asked again.
T = TypeVar("T")


def async_client() -> "AsyncRedis":
    """Make a client for the event loop, which connects when first used. Callers handle failures."""
    from redis.asyncio import Redis  # noqa: PLC0415 -- an optional package
    from redis.asyncio.retry import Retry  # noqa: PLC0415 -- an optional package
    from redis.backoff import NoBackoff  # noqa: PLC0415 -- an optional package

    own: dict[str, Any] = {"retry": Retry(NoBackoff(), 0), "decode_responses": True}
    waits: dict[str, Any] = {
        "socket_timeout": PATIENCE_SECONDS,
        "socket_connect_timeout": PATIENCE_SECONDS,
    }
    return Redis.from_url(settings.REDIS_URL, **own, **waits)


def client(seconds: float) -> "Redis":
    """Make a client for threads, which connects when it is first used."""
    from redis import Redis  # noqa: PLC0415 -- an optional package
    from redis.backoff import NoBackoff  # noqa: PLC0415 -- an optional package
    from redis.retry import Retry  # noqa: PLC0415 -- an optional package

    own: dict[str, Any] = {"retry": Retry(NoBackoff(), 0), "decode_responses": True}
    waits: dict[str, Any] = {"socket_timeout": seconds, "socket_connect_timeout": seconds}
    return Redis.from_url(settings.REDIS_URL, **own, **waits)


@cache
def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions that may be raised if Redis fails.

    The library raises some of them, and uvloop raises others on a connection that was just closed.
    """
    from redis.exceptions import RedisError  # noqa: PLC0415 -- an optional package

    return (RedisError, OSError, RuntimeError)


def require() -> None:
    """Raise CommandError if Redis does not answer: at a start, its address may be wrong."""
    try:
        with client(PATIENCE_SECONDS) as redis:
            redis.ping()
    except failures() as error:
        raise CommandError(f"The Redis in REDIS_URL isn't responding: {error}") from error


def prefix() -> str:
    """Return a prefix for keys, because several Vitrines may share a Redis. It depends on the
    secret key and the database's name.
    """
    database = str(settings.DATABASES["default"]["NAME"])
    return f"vitrine:{salted_hmac('chatapp.databases.redis', database).hexdigest()[:16]}:"


class Scripts:
    """Runs scripts in Redis for threads. While Redis fails, it calls a fallback instead."""

    def __init__(self) -> None:
        self._redis = client(SHORT_SECONDS)
        self._prefix = prefix()
        self._failed = -PAUSE_SECONDS
        self._lock = Lock()

    def run(
        self, script: str, keys: Sequence[str], values: Sequence[Any], else_: Callable[[], T]
    ) -> str | T:
        """Return the result of the script, or that of the fallback `else_` if Redis fails."""
        if monotonic() - self._failed < PAUSE_SECONDS:
            return else_()
        prefixed_keys = [self._prefix + key for key in keys]
        try:
            return str(self._redis.eval(script, len(prefixed_keys), *prefixed_keys, *values))
        except failures() as error:
            self._note(error)
            return else_()

    def _note(self, error: Exception) -> None:
        with self._lock:
            self._failed = monotonic()
        logger.warning("Limits are counted by each process alone: %s", error)
