"""A cache limited by total size, not by count: one message may be a megabyte."""

from collections import OrderedDict
from threading import Lock


class SizedCache:
    """Drops the least recently used texts. `limit` is in characters; threads may share it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> str | None:
        with self._lock:
            if key in self._texts:
                self._texts.move_to_end(key)
            return self._texts.get(key)

    def put(self, key: str, text: str) -> str:
        """Return `text`, and keep it if there can be room for it."""
        with self._lock:
            self.size += len(text) - len(self._texts.pop(key, ""))
            self._texts[key] = text
            while self.size > self.limit:
                _, oldest = self._texts.popitem(last=False)
                self.size -= len(oldest)
        return text
