"""Compare letters as a search does: "Gdansk" is "Gdańsk", and "lodz" is "Łódź". Pure.

Both databases have an SQL function `history_plain` that does this. In SQLite it calls `plain`.
"""

import re
from unicodedata import normalize

ACCENTS = "\u0300-\u036f"  # Combining accents, except those of kana.
# Letters that Unicode doesn't decompose, and the final sigma.
OTHERS, OTHERS_PLAIN = "łŁøØđĐħĦŧŦı\u03c2", "llooddhhtti\u03c3"
_ACCENT = re.compile(f"[{ACCENTS}]")


class _Letters(dict[int, str]):
    """Maps each letter to one in lower case without its accent; filled on demand."""

    def __missing__(self, code: int) -> str:
        parts = normalize("NFD", chr(code))
        is_accented = all(map(_ACCENT.match, parts[1:]))
        plain = (parts[0] if is_accented else chr(code)).lower()
        self[code] = plain if len(plain) == 1 else chr(code)
        return self[code]


_PLAIN = _Letters(zip(map(ord, OTHERS), OTHERS_PLAIN, strict=True))


def composed(text: str) -> str:
    """Compose each letter and its accent into one character, where Unicode has one."""
    return normalize("NFC", text)


def plain_letters(text: str) -> str:
    """Return a composed text without accents and capitals, character for character."""
    return text.lower() if text.isascii() else text.translate(_PLAIN)


def plain(text: str) -> str:
    """Return any text without accents and capitals."""
    return text.lower() if text.isascii() else _ACCENT.sub("", plain_letters(composed(text)))
