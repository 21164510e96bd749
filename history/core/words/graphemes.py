"""Find places where a text may be cut without splitting a visible character."""

import unicodedata

LONGEST = 64  # In code points: a longer sequence is no real character, and may be cut.
JOINER = "\N{ZERO WIDTH JOINER}"
SKIN_TONES = "".join(map(chr, range(0x1F3FB, 0x1F400)))
# The flag of a region, such as Scotland's, ends with these characters.
TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))
EXTENDING = frozenset(f"{JOINER}\N{ZERO WIDTH NON-JOINER}{SKIN_TONES}{TAGS}")
# Two of these letters together are the flag of a country.
REGIONAL = "".join(map(chr, range(0x1F1E6, 0x1F200)))


def end_before(text: str, place: int) -> int:
    """Return the nearest place, at or before this one, that is not inside a visible character."""
    places = range(place, max(-1, place - LONGEST), -1)
    return next((at for at in places if not _is_within(text, at)), place)


def start_after(text: str, place: int) -> int:
    """Return the nearest place, at or after this one, that is not inside a visible character."""
    places = range(place, min(len(text), place + LONGEST) + 1)
    return next((at for at in places if not _is_within(text, at)), place)


def _is_within(text: str, place: int) -> bool:
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if before == JOINER or _extends(after):
        return True
    return before in REGIONAL and after in REGIONAL and _is_paired(text[:place])


def _extends(character: str) -> bool:
    """Whether a character extends the previous one, as accents and variation selectors do."""
    is_mark = unicodedata.category(character).startswith("M")
    return is_mark or character in EXTENDING


def _is_paired(text: str) -> bool:
    """Return whether the last regional letter starts a flag, counting from the start of its run."""
    return (len(text) - len(text.rstrip(REGIONAL))) % 2 == 1
