"""A supplied file as a source of documents: a plain file, or an archive, which is never unpacked to
the disk.
"""

import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast
from zipfile import BadZipFile, ZipFile

from history.services.imports import stream
from history.services.imports.chats import ImportedFile, Unreadable, Why
from history.services.imports.formats import Head

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
DOCUMENT = re.compile(r"\.(json|jsonl|ndjson)$", re.IGNORECASE)
MOST_MEMBERS = 200_000
# In bytes: an archive's directory is read as a whole, so it may not be larger.
LARGEST_LISTING = 40_000_000
UNPACKED = 8  # How many times as large as an attached file an unpacked document may be.


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most bytes of all documents together, and the most of any other member."""

    documents: int
    member: int


class Meter:
    """Measures how much of the documents has been read."""

    def __init__(self) -> None:
        self._sizes: dict[str, int] = {}
        self._read: dict[str, stream.BoundedStream] = {}

    def expect(self, sizes: Mapping[str, int]) -> None:
        self._sizes = dict(sizes)

    def follow(self, document: str, opened: stream.BoundedStream) -> None:
        self._read[document] = opened

    @property
    def percent(self) -> int:
        read = sum(opened.count for opened in self._read.values())
        return min(100, 100 * read // max(1, sum(self._sizes.values())))


class SuppliedFile:
    """Implements `formats.Source`."""

    def __init__(self, file: BinaryIO, name: str, bounds: Bounds) -> None:
        self.name, self.bounds = name, bounds
        self.meter = Meter()
        self._looking = stream.Allowance(bounds.documents)
        self._reading = stream.Allowance(bounds.documents)
        self._heads: dict[str, Head] = {}
        self._file = file
        self._size = file.seek(0, 2)
        file.seek(0)
        self._archive = _opened(file) if file.read(4) in ZIP else None
        self.documents: tuple[str, ...] = self._documents()

    def of(self, documents: Sequence[str]) -> "SuppliedFile":
        """The same source with only these documents."""
        other = object.__new__(SuppliedFile)
        other.__dict__.update(self.__dict__)
        other.documents = tuple(documents)
        return other

    def expect(self, documents: Iterable[str]) -> None:
        """Prepare to measure how much of these documents has been read."""
        self.meter.expect({name: self._size_of(name) for name in documents})

    @property
    def members(self) -> tuple[str, ...]:
        return tuple(self._infos)

    def head(self, document: str) -> Head:
        if document not in self._heads:
            with self._opening(document, self._looking) as opened:
                self._heads[document] = stream.head(opened)
        return self._heads[document]

    def items(self, document: str, path: str = "item") -> Iterator[Any]:
        with self._opening(document, self._reading) as opened:
            self.meter.follow(document, opened)
            yield from stream.items(opened, path)

    def lines(self, document: str, *, is_one_chat: bool = False) -> Iterator[Any]:
        with self._opening(document, self._reading) as opened:
            self.meter.follow(document, opened)
            yield from stream.lines(opened, is_one_chat=is_one_chat)

    def sections(self, document: str) -> Iterator[tuple[str, Any]]:
        with self._opening(document, self._reading) as opened:
            self.meter.follow(document, opened)
            yield from stream.sections(opened)

    def size_of(self, file: ImportedFile) -> int:
        """Return the size of a message's file in bytes, or 0 if the file is missing."""
        if file.data is not None:
            return len(file.data)
        info = self._infos.get(file.member)
        return info.file_size if info else 0

    def read(self, member: str) -> bytes:
        info = self._infos.get(member)
        if info is None or self._archive is None:
            raise Unreadable(Why.NO_FILE, member)
        try:
            with self._archive.open(info) as opened:
                data = opened.read(self.bounds.member + 1)
        except _DAMAGED as error:
            raise Unreadable(Why.DAMAGED, member) from error
        if len(data) > self.bounds.member:
            raise Unreadable(Why.TOO_LARGE, member, most=self.bounds.member)
        return data

    @cached_property
    def _infos(self) -> Mapping[str, Any]:
        if self._archive is None:
            return {}
        infos = [info for info in self._archive.infolist() if not info.is_dir()]
        # If several members have the same name, the first one counts.
        return {info.filename: info for info in reversed(infos)}

    def _documents(self) -> tuple[str, ...]:
        if self._archive is None:
            return (self.name,)
        return tuple(sorted(name for name in self._infos if _is_document(name)))

    @contextmanager
    def _opening(self, document: str, most: stream.Allowance) -> Iterator[stream.BoundedStream]:
        try:
            yield stream.BoundedStream(self._stream(document), most)
        except _DAMAGED as error:
            raise Unreadable(Why.DAMAGED, document) from error

    def _size_of(self, document: str) -> int:
        return self._infos[document].file_size if self._archive else self._size

    def _stream(self, document: str) -> BinaryIO:
        if self._archive is None:
            self._file.seek(0)
            return self._file
        return cast("BinaryIO", self._archive.open(self._infos[document]))


_DAMAGED = (BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError)


def _opened(file: BinaryIO) -> ZipFile:
    try:
        _refuse_huge_listing(file)
        archive = ZipFile(file)
    except (*_DAMAGED, ValueError, struct.error) as error:
        raise Unreadable(Why.CUT) from error
    if len(archive.infolist()) > MOST_MEMBERS:
        raise Unreadable(Why.TOO_MANY, count=len(archive.infolist()), most=MOST_MEMBERS)
    return archive


def _refuse_huge_listing(file: BinaryIO) -> None:
    """Raise Unreadable if the directory is too large to read into memory."""
    size = file.seek(0, 2)
    file.seek(max(0, size - 65_600))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0:
        raise BadZipFile("no end")
    (listing,) = struct.unpack_from("<I", tail, end + 12)
    large = tail.rfind(b"PK\x06\x06")
    if listing == 0xFFFFFFFF and large >= 0:
        (listing,) = struct.unpack_from("<Q", tail, large + 40)
    if listing > LARGEST_LISTING:
        raise Unreadable(Why.TOO_LARGE, most=LARGEST_LISTING)


def _is_document(name: str) -> bool:
    path = PurePosixPath(name)
    is_own = path.parts[:1] != ("__MACOSX",) and not path.name.startswith(".")
    return is_own and bool(DOCUMENT.search(path.name))
