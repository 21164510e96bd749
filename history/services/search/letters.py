"""Compare letters as a search does: "Gdansk" is "Gdańsk", and "lodz" is "Łódź". Pure.

Both databases do the same, by a function `history_plain`. SQLite's is this one.
"""

import re
from unicodedata import normalize

ACCENTS = "\u0300-\u036f"  # What an accented letter has beside its plain one; kana's are others.
# Letters that Unicode doesn't take apart, and the sigma that ends a word.
OTHERS, OTHERS_PLAIN = "łŁøØđĐħĦŧŦı\u03c2", "llooddhhtti\u03c3"
_ACCENT = re.compile(f"[{ACCENTS}]")


class _Letters(dict[int, str]):
    """Letters without accent and in lower case, each for one; filled while they are met."""

    def __missing__(self, code: int) -> str:
        parts = normalize("NFD", chr(code))
        is_accented = all(map(_ACCENT.match, parts[1:]))
        plain = (parts[0] if is_accented else chr(code)).lower()
        self[code] = plain if len(plain) == 1 else chr(code)
        return self[code]


_PLAIN = _Letters(zip(map(ord, OTHERS), OTHERS_PLAIN, strict=True))


def composed(text: str) -> str:
    """Write each letter with its accent as one, where Unicode has one."""
    return normalize("NFC", text)


def plain_letters(text: str) -> str:
    """Return a composed text without accents and capitals, character for character."""
    return text.lower() if text.isascii() else text.translate(_PLAIN)


def plain(text: str) -> str:
    """Return any text without accents and capitals."""
    return text.lower() if text.isascii() else _ACCENT.sub("", plain_letters(composed(text)))
