"""Tries of passwords, counted in Redis for all processes together, by Redis' clock.

While Redis fails, each process counts the tries that it sees.
"""

from chatapp.accounts.tries import FORGOTTEN_AFTER, Allowance, Key, Tries
from chatapp.databases.redis import Scripts

# Each key holds the count and the time of the newest try, as in `chatapp.accounts.tries`.
COMMON = """
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local function pause(free, longest, count)
  local beyond = count - free
  if beyond < 0 then return 0 end
  return math.min(2 ^ math.min(beyond, 30), longest)
end
local function read(key)
  local found = redis.call('HMGET', key, 'count', 'last')
  return tonumber(found[1] or 0), tonumber(found[2] or 0)
end
local function write(key, count, last, life)
  redis.call('HSET', key, 'count', count, 'last', string.format('%.6f', last))
  redis.call('EXPIRE', key, life)
end
"""
BEGIN = (
    COMMON
    + """
local longest_wait = 0
for place, key in ipairs(KEYS) do
  local free, longest = tonumber(ARGV[place * 2]), tonumber(ARGV[place * 2 + 1])
  local count, last = read(key)
  if free > 0 and count > 0 then
    longest_wait = math.max(longest_wait, last + pause(free, longest, count) - now)
  end
end
if longest_wait > 0 then return string.format('%.6f', longest_wait) end
for _, key in ipairs(KEYS) do
  local count = read(key)
  write(key, count + 1, now, ARGV[1])
end
return '0'
"""
)
TAKE_BACK = (
    COMMON
    + """
local count, last = read(KEYS[1])
if count > 0 then
  write(KEYS[1], count - 1, last - pause(tonumber(ARGV[2]), tonumber(ARGV[3]), count - 1), ARGV[1])
end
return '0'
"""
)
FORGET = "redis.call('DEL', KEYS[1]) return '0'"


class SharedTries:
    """Counts the tries that reach any process."""

    def __init__(self) -> None:
        self._scripts = Scripts()
        self._own = Tries()

    def begin(self, *keys: Key) -> float:
        values = [value for allowance, _ in keys for value in (allowance.free, allowance.longest)]
        names = [_named(*key) for key in keys]
        alone = lambda: self._own.begin(*keys)  # noqa: E731 -- the same call on this process's own counts
        return float(self._scripts.run(BEGIN, names, [FORGOTTEN_AFTER, *values], alone))

    def take_back(self, allowance: Allowance, who: str) -> None:
        values = (FORGOTTEN_AFTER, allowance.free, allowance.longest)
        names = [_named(allowance, who)]
        self._scripts.run(TAKE_BACK, names, values, lambda: self._own.take_back(allowance, who))

    def forget(self, allowance: Allowance, who: str) -> None:
        names = [_named(allowance, who)]
        self._scripts.run(FORGET, names, (), lambda: self._own.forget(allowance, who))


def _named(allowance: Allowance, who: str) -> str:
    return f"tries:{allowance.name}:{who}"
