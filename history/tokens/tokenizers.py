"""Registered tokenizers, for models that count neither in o200k nor in cl100k.

The environment names them in `HISTORY_TOKENIZERS`; they are registered at the start. Messages are
stored with their o200k count all the same; a tokenizer only gives the factor between that and the
model's own count.
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
    """A tokenizer for models whose litellm name matches `pattern`, in which * is any text."""

    pattern: str
    count: Callable[[str], int]

    def measure(self, text: str) -> TokenCount:
        """Count a text. Estimate the tokens if the tokenizer raises, or does not return a
        number.
        """
        try:
            return TokenCount(_number(self.count(text)), self.pattern)
        except Exception as error:
            _complain(self.pattern, error)
            return approximate(text)


_tokenizers: dict[str, Tokenizer] = {}
_complained: set[str] = set()


def register_tokenizer(pattern: str, count: Callable[[str], int]) -> None:
    """Register a tokenizer. If a model matches several patterns, the first counts. Raise
    `SettingError` if the pattern is taken.
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
