"""Registered tokenizers, for models that count by neither o200k nor cl100k.

The environment names them in `HISTORY_TOKENIZERS`; they are registered at start-up. Messages are
stored with their o200k count all the same; a tokenizer gives the factor to the model's own count.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from history.core.words.errors import SettingError
from history.tokens.approximate import TokenCount, approximate

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Tokenizer:
    """Counts for the models whose litellm name matches `pattern`, in which * is any text."""

    pattern: str
    count: Callable[[str], int]

    def measure(self, text: str) -> TokenCount:
        """Count a text, approximately if the tokenizer's code raises or returns no number."""
        try:
            return TokenCount(_number(self.count(text)), self.pattern)
        except Exception as error:
            _complain(self.pattern, error)
            return approximate(text)


_tokenizers: dict[str, Tokenizer] = {}
_complained: set[str] = set()


def register_tokenizer(pattern: str, count: Callable[[str], int]) -> None:
    """Register a tokenizer. If several patterns match a model, the first wins. Raise
    `SettingError`.
    """
    if not callable(count):
        raise SettingError(f"{pattern}: must be a function of a text")
    if _tokenizers.setdefault(pattern, Tokenizer(pattern, count)).count is not count:
        raise SettingError(f"{pattern}: has a tokenizer already")


def tokenizer_for(model: str) -> Tokenizer | None:
    matching = (own for own in _tokenizers.values() if fnmatchcase(model, own.pattern))
    return next(matching, None)


def _number(tokens: object) -> int:
    if type(tokens) is not int or tokens < 0:
        raise ValueError(f"gave {tokens!r:.40}, not a number of tokens")
    return tokens


def _complain(pattern: str, error: Exception) -> None:
    if pattern not in _complained:
        _complained.add(pattern)
        logger.warning("The tokenizer for %s failed, so tokens are estimated: %s", pattern, error)
