"""A request's body in pieces, in which names stand for texts that are stored elsewhere.

A body repeats nearly everything that earlier bodies contained. So each of its texts that has a row
of its own is replaced by a name, and the rest is compressed. The body can be rebuilt from the
pieces, byte for byte.
"""

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

# The name of a text: the place where it is stored, and its number there.
Name: TypeAlias = tuple[int | str, int]
Texts: TypeAlias = Mapping[Name, str]
# In characters. Shorter texts are not replaced by their names, which are about as long.
SHORTEST = 24
FAR = 32_768  # In bytes: zlib finds repetitions at most this far back.


@dataclass(frozen=True, slots=True)
class Pieces:
    """A body in pieces. `plain`: its texts are ASCII, and all other characters are escaped."""

    plain: bool
    pieces: tuple[str | Name, ...]

    @property
    def names(self) -> frozenset[Name]:
        return frozenset(piece for piece in self.pieces if not isinstance(piece, str))

    def body(self, texts: Texts) -> bytes:
        """Rebuild the body from the pieces. Raise `KeyError` if a text is missing."""
        parts = (
            piece if isinstance(piece, str) else _encoded(texts[piece], plain=self.plain)
            for piece in self.pieces
        )
        return "".join(parts).encode(errors="surrogateescape")


def in_pieces(body: bytes, texts: Texts) -> Pieces:
    """Find the `texts` in a body. They should be in the order in which the body contains them."""
    whole = body.decode(errors="surrogateescape")
    plain = whole.isascii()
    encoded = {name: _encoded(text, plain=plain) for name, text in texts.items()}
    return Pieces(plain, tuple(_pieces(whole, encoded)))


def packed(pieces: Pieces, sample: bytes = b"") -> bytes:
    """Compress the pieces. `sample` is a text that resembles them, which unpacking needs again."""
    way = zlib.compressobj(9, zdict=sample[-FAR:]) if sample else zlib.compressobj(9)
    data = json.dumps([pieces.plain, pieces.pieces]).encode()
    return way.compress(data) + way.flush()


def unpacked(data: bytes, sample: bytes = b"") -> Pieces:
    way = zlib.decompressobj(zdict=sample[-FAR:]) if sample else zlib.decompressobj()
    plain, pieces = json.loads(way.decompress(data))
    return Pieces(plain, tuple(p if isinstance(p, str) else (p[0], p[1]) for p in pieces))


def _encoded(text: str, *, plain: bool) -> str:
    return json.dumps(text, ensure_ascii=plain)[1:-1]


def _pieces(body: str, texts: Texts) -> Iterator[str | Name]:
    done = 0
    for start, end, name in sorted(_found(body, texts), key=lambda span: span[:2]):
        if start >= done:
            yield body[done:start]
            yield name
            done = end
    yield body[done:]


def _found(body: str, texts: Texts) -> Iterator[tuple[int, int, Name]]:
    """Find each text in the body: after the previous one, or else anywhere before that."""
    end = 0
    for name, text in texts.items():
        if len(text) < SHORTEST:
            continue
        start = body.find(text, end)
        start = start if start >= 0 else body.find(text, 0, end)
        if start >= 0:
            end = start + len(text)
            yield start, end, name
