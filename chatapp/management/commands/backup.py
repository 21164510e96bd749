"""`manage.py backup`: write the database, the attached files and the secret key into one file."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from chatapp.backup.archive import DATABASE, FILES, SECRET_KEY, ArchiveWriter, Manifest, written
from chatapp.backup.databases import CopyFailed, copy_to
from chatapp.databases.schema import applied
from chatapp.env.private_files import private_file
from history.models import Media


class Command(BaseCommand):
    help = "Write everything to one file: the database, attached files and the secret key."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, such as vitrine.tar.gz")

    def handle(self, *args: Any, **options: Any) -> None:
        target: Path = options["file"]
        if target.exists():
            raise CommandError(f"{target} exists. Name a new file.")
        try:
            with TemporaryDirectory(dir=target.parent, prefix=f"{target.name}-") as folder:
                part = Path(folder) / "archive"
                count, missing = self._write(part, Path(folder) / DATABASE)
                part.rename(target)
        except CopyFailed as failure:
            raise CommandError(f"The database cannot be copied: {failure}") from failure
        except OSError as error:
            raise CommandError(f"{target} cannot be written: {error.strerror}") from error
        self.stdout.write(f"Everything is in {target}. Attached files in it: {count}.")
        if missing:
            self.stdout.write(f"Attached files that were no longer there: {missing}.")
        self.stdout.write("Keep it secret: it has every chat and the key that signs people in.")

    def _write(self, target: Path, copy: Path) -> tuple[int, int]:
        """Write the archive. Return how many attached files it contains, and how many files were
        missing.
        """
        with (
            os.fdopen(private_file(target), "wb") as file,
            written(file, Manifest(connection.vendor, applied())) as archive,
        ):
            copy_to(copy)
            archive.add_path(DATABASE, copy)
            archive.add_bytes(SECRET_KEY, settings.SECRET_KEY.encode())
            added = [_add(archive, name) for name in _names()]
        return sum(added), added.count(False)


def _names() -> Iterator[str]:
    """Yield the names of attached files. Each file is stored before its row in the database, so it
    exists.
    """
    yield from Media.objects.order_by("pk").values_list("file", flat=True).iterator()


def _add(archive: ArchiveWriter, name: str) -> bool:
    """Add a file. Return whether it exists: its chat may have been deleted for good just now."""
    try:
        with default_storage.open(name) as file:
            archive.add(FILES + name, file, file.size)
    except FileNotFoundError:
        return False
    return True
