"""Token buckets in Redis, for all processes together, by Redis' clock.

While Redis fails, each process counts by itself.
"""

from collections.abc import Callable

from chatapp.databases.redis import Scripts
from chatapp.limits.buckets import Limit, MemoryBuckets

# A bucket is stored as in `chatapp.limits.buckets`: the time at which it will be full again.
TAKE = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local most, seconds, amount = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local wait = full + math.min(amount, most) * seconds / most - now - seconds
if ARGV[4] == 'take' and wait > 1e-5 then
  return string.format('%.6f', wait)
end
full = full + amount * seconds / most
if full <= now then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], string.format('%.6f', full), 'PX', math.ceil((full - now) * 1000))
end
return '0'
"""


class SharedBuckets:
    """Buckets that all processes share. Its calls may wait for Redis, so make them in a thread."""

    def __init__(self) -> None:
        self._scripts = Scripts()
        self._own = MemoryBuckets()

    def take(self, limit: Limit, who: str, amount: float = 1) -> float:
        if not limit.most:
            return 0
        return float(self._run(limit, who, amount, "take", self._own.take) or 0)

    def charge(self, limit: Limit, who: str, amount: float) -> None:
        if limit.most:
            self._run(limit, who, amount, "charge", self._own.charge)

    def _run(
        self, limit: Limit, who: str, amount: float, act: str, alone: Callable[..., float | None]
    ) -> str | float | None:
        values = (limit.most, limit.seconds, amount, act)
        key = f"bucket:{limit.name}:{who}"
        return self._scripts.run(TAKE, [key], values, lambda: alone(limit, who, amount))
