"""Render a whole text as HTML. Results are cached by content, so old messages cost little."""

import logging
from collections import OrderedDict
from hashlib import sha256
from threading import Lock

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from chatapp.markdown.blocks import lowered, normalise, plain, render_block, split_blocks
from chatapp.markdown.effort import MOST


class SizedCache:
    """A cache of at most `limit` characters for all threads. It drops what was used longest ago."""

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
        """Return `text`, and keep it unless it is larger than the cache."""
        with self._lock:
            self.size += len(text) - len(self._texts.pop(key, ""))
            self._texts[key] = text
            while self.size > self.limit:
                _, oldest = self._texts.popitem(last=False)
                self.size -= len(oldest)
        return text


logger = logging.getLogger(__name__)
RENDERER_VERSION = 4  # Raise the version when the same text is rendered as other HTML.
MAX_TYPED = 50_000  # The most characters of typed text that are rendered as Markdown.
_cache = SizedCache(limit=16_000_000)


def render(text: str, *, breaks: bool = False) -> SafeString:
    """Return any text as safe HTML, from the cache if it was rendered before; never raise.

    `breaks` is for text that a person typed, in which each line break is kept.
    """
    key = content_key(text, breaks=breaks)
    return SafeString(_cache.get(key) or _cache.put(key, _html(text, breaks=breaks)))


def _html(text: str, *, breaks: bool) -> str:
    """Render a text. If that fails, return it without layout, so that the page still works."""
    try:
        return to_html(text, breaks=breaks)
    except Exception:
        logger.exception("A text of %d characters could not be rendered", len(text))
        return plain(normalise(text))


def to_html(text: str, *, breaks: bool = False, most: int = MOST) -> SafeString:
    """Render as `render` does, but without the cache. `most` limits the steps of work.

    Typed text is never streamed, so a huge one can be shown as it was typed. A streamed text
    cannot: its first blocks have been sent as HTML before its size is known.
    """
    if breaks and len(text) > MAX_TYPED:
        return mark_safe(plain(normalise(text)))
    blocks = lowered(split_blocks(normalise(text), most), [])
    return mark_safe("".join(render_block(block, breaks=breaks) for block in blocks))


def content_key(text: str, *, breaks: bool) -> str:
    """Return the cache's key for a text; texts with the same key have the same HTML."""
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{RENDERER_VERSION}:{get_language()}:{breaks:d}:{digest}"
