"""A zip archive that is sent while it is made: at most one piece of it is in memory."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

FIRST_YEAR = 1980  # The earliest year that the zip format can express.


class _Outlet:
    """A file that can only be written to, and hands over what was written."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes, /) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing, and so does `close`: there is nothing to flush."""

    close = flush

    def taken(self) -> bytes:
        piece, self._written = b"".join(self._written), []
        return piece


class ZipStream:
    """A zip archive that is made one member at a time; each method yields bytes to be sent."""

    def __init__(self) -> None:
        self._outlet = _Outlet()
        self._zip = ZipFile(self._outlet, "w")

    def member(
        self,
        name: str,
        pieces: Iterable[bytes],
        moment: datetime,
        *,
        is_packed: bool = False,
        is_huge: bool = False,
    ) -> Iterator[bytes]:
        """Add a member. `is_huge`: it may exceed 2 GB, so it gets a form that old unzip programs
        can't read.

        `is_packed`: its data is compressed already, as that of images is, and is stored as it is.
        """
        info = ZipInfo(name, _date(moment))
        info.compress_type = ZIP_STORED if is_packed else ZIP_DEFLATED
        with self._zip.open(info, "w", force_zip64=is_huge) as member:
            for piece in pieces:
                member.write(piece)
                yield self._outlet.taken()
        yield self._outlet.taken()

    def end(self) -> Iterator[bytes]:
        self._zip.close()
        yield self._outlet.taken()


def _date(moment: datetime) -> tuple[int, int, int, int, int, int]:
    utc = moment.astimezone(UTC)
    if utc.year < FIRST_YEAR:
        return (FIRST_YEAR, 1, 1, 0, 0, 0)
    return (utc.year, utc.month, utc.day, utc.hour, utc.minute, utc.second)
