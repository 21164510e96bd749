"""Compare letters as a search does: "Gdansk" finds "Gdańsk", and "lodz" finds "Łódź". Pure
functions.

Both databases have an SQL function `history_plain` that does the same. In SQLite it calls `plain`.
"""

import re
from unicodedata import normalize

ACCENTS = "\u0300-\u036f"  # Combining accents, but not the marks that kana combine with.
# Letters that Unicode does not decompose, and the final sigma, with their replacements.
OTHERS, OTHERS_PLAIN = "łŁøØđĐħĦŧŦı\u03c2", "llooddhhtti\u03c3"
_ACCENT = re.compile(f"[{ACCENTS}]")


class _Letters(dict[int, str]):
    """Maps each letter to the same in lower case and without accent; it is filled on demand."""

    def __missing__(self, code: int) -> str:
        parts = normalize("NFD", chr(code))
        is_accented = all(map(_ACCENT.match, parts[1:]))
        plain = (parts[0] if is_accented else chr(code)).lower()
        self[code] = plain if len(plain) == 1 else chr(code)
        return self[code]


_PLAIN = _Letters(zip(map(ord, OTHERS), OTHERS_PLAIN, strict=True))


def composed(text: str) -> str:
    """Combine each letter and its accent into one character, if Unicode has one."""
    return normalize("NFC", text)


def plain_letters(text: str) -> str:
    """Return a composed text without accents and capitals; each character becomes one."""
    return text.lower() if text.isascii() else text.translate(_PLAIN)


def plain(text: str) -> str:
    """Return any text without accents and in lower case."""
    return text.lower() if text.isascii() else _ACCENT.sub("", plain_letters(composed(text)))
