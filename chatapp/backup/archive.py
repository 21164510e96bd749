"""The file of a backup. It contains a manifest, the database, the secret key and attached files."""

import gzip
import io
import json
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO

FORMAT = 1
CHUNK = 2**20
MANIFEST, DATABASE, SECRET_KEY, FILES = "vitrine-backup.json", "database", "secret_key", "media/"


class Unusable(Exception):
    """The file is not a complete backup that this version can read; the message says why."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself. `engine` is sqlite or postgresql, `schema` lists migrations."""

    engine: str
    schema: list[str]
    made: str = field(default_factory=_now)  # The time when the backup was made, in ISO 8601.
    format: int = FORMAT


class ArchiveWriter:
    """Writes the parts of a backup to the archive one after the other."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive

    def add(self, name: str, file: IO[bytes], size: int) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, 0o600
        member.mtime = int(datetime.now(UTC).timestamp())
        self._archive.addfile(member, file)

    def add_bytes(self, name: str, data: bytes) -> None:
        self.add(name, io.BytesIO(data), len(data))

    def add_path(self, name: str, path: Path) -> None:
        with path.open("rb") as file:
            self.add(name, file, path.stat().st_size)


@contextmanager
def written(file: IO[bytes], about: Manifest) -> Iterator[ArchiveWriter]:
    """Write an archive, which can be unpacked only if all its parts were written."""
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
        writer = ArchiveWriter(archive)
        writer.add_bytes(MANIFEST, json.dumps(asdict(about), indent=1).encode())
        yield writer


def unpack(path: Path, folder: Path) -> Manifest:
    """Unpack a backup into an empty folder. Raise `Unusable`, for example if it was cut short."""
    try:
        with gzip.open(path) as whole, tarfile.open(fileobj=whole, mode="r:") as archive:
            for member in archive:
                if _is_ours(member):
                    archive.extract(member, folder, filter="data")
            while whole.read(CHUNK):  # Read to the end of the file, because the checksum is there.
                pass
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise Unusable(f"It is not a backup, or it is damaged: {error}") from error
    for name in (MANIFEST, DATABASE, SECRET_KEY):
        if not (folder / name).is_file():
            raise Unusable(f"It is not a backup of Vitrine: it has no {name}.")
    return _manifest((folder / MANIFEST).read_text())


def _is_ours(member: tarfile.TarInfo) -> bool:
    is_known = member.name in {MANIFEST, DATABASE, SECRET_KEY} or member.name.startswith(FILES)
    return member.isfile() and is_known and ".." not in PurePosixPath(member.name).parts


def _manifest(text: str) -> Manifest:
    try:
        manifest = Manifest(**json.loads(text))
    except (ValueError, TypeError) as error:
        raise Unusable(f"What it says of itself cannot be read: {error}") from error
    if manifest.format != FORMAT:
        raise Unusable(f"It has format {manifest.format}; this version of Vitrine knows {FORMAT}.")
    return manifest
