"""Redis, which processes of one Vitrine share. Nothing else here imports its library, an extra."""

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
PATIENCE_SECONDS = 3  # How long Redis may take to answer.
SHORT_SECONDS = 0.5  # The same, for a caller who can do without the answer.
PAUSE_SECONDS = 5.0  # Before Redis is asked again after a failure.
T = TypeVar("T")


def async_client() -> "AsyncRedis":
    """Connect when first used; a failure is the caller's to handle."""
    from redis.asyncio import Redis  # noqa: PLC0415 -- of an extra
    from redis.asyncio.retry import Retry  # noqa: PLC0415 -- likewise
    from redis.backoff import NoBackoff  # noqa: PLC0415 -- likewise

    own: dict[str, Any] = {"retry": Retry(NoBackoff(), 0), "decode_responses": True}
    waits: dict[str, Any] = {
        "socket_timeout": PATIENCE_SECONDS,
        "socket_connect_timeout": PATIENCE_SECONDS,
    }
    return Redis.from_url(settings.REDIS_URL, **own, **waits)


def client(seconds: float) -> "Redis":
    """Make a client for threads, which connects when first used."""
    from redis import Redis  # noqa: PLC0415 -- of an extra
    from redis.backoff import NoBackoff  # noqa: PLC0415 -- likewise
    from redis.retry import Retry  # noqa: PLC0415 -- likewise

    own: dict[str, Any] = {"retry": Retry(NoBackoff(), 0), "decode_responses": True}
    waits: dict[str, Any] = {"socket_timeout": seconds, "socket_connect_timeout": seconds}
    return Redis.from_url(settings.REDIS_URL, **own, **waits)


@cache
def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions that are raised if Redis fails.

    The library raises some, and uvloop raises others on a connection that has just been closed.
    """
    from redis.exceptions import RedisError  # noqa: PLC0415 -- of an extra

    return (RedisError, OSError, RuntimeError)


def require() -> None:
    """Raise CommandError if Redis does not answer: an address may be wrong at a start."""
    try:
        with client(PATIENCE_SECONDS) as redis:
            redis.ping()
    except failures() as error:
        raise CommandError(f"The Redis in REDIS_URL isn't responding: {error}") from error


def prefix() -> str:
    """Name this Vitrine by secret key and database: a Redis may serve several."""
    database = str(settings.DATABASES["default"]["NAME"])
    return f"vitrine:{salted_hmac('chatapp.databases.redis', database).hexdigest()[:16]}:"


class Scripts:
    """Runs scripts in Redis for threads; while it fails, a fallback is called instead."""

    def __init__(self) -> None:
        self._redis = client(SHORT_SECONDS)
        self._prefix = prefix()
        self._failed = -PAUSE_SECONDS
        self._lock = Lock()

    def run(
        self, script: str, keys: Sequence[str], values: Sequence[Any], else_: Callable[[], T]
    ) -> str | T:
        """Return the script's result, or the result of `else_` if Redis fails."""
        if monotonic() - self._failed < PAUSE_SECONDS:
            return else_()
        named = [self._prefix + key for key in keys]
        try:
            return str(self._redis.eval(script, len(named), *named, *values))
        except failures() as error:
            self._note(error)
            return else_()

    def _note(self, error: Exception) -> None:
        with self._lock:
            self._failed = monotonic()
        logger.warning("Limits are counted by each process alone: %s", error)
