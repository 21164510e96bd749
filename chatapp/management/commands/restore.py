"""`manage.py restore`: restore a backup that `manage.py backup` wrote."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from chatapp.backup.archive import DATABASE, FILES, SECRET_KEY, Manifest, Unusable, unpack
from chatapp.backup.databases import CopyFailed, put_back
from chatapp.databases.folder import claim_folder
from chatapp.databases.lock import claim_database
from chatapp.databases.schema import is_used, prepare_database, unknown
from chatapp.env import read
from chatapp.env.private_files import private_file

WAY_OUT = "Stop it first (Ctrl+C in its terminal, or stop its service)."
OTHER_SECRET = """SECRET_KEY differs from the backup's: everybody must sign in again. Keys of model
providers that were encrypted with it must be entered again, unless its value is added to
ENCRYPTION_KEYS."""
OTHER = "It was made by another Vitrine ({}), newer or too old. Install that version first."


class Command(BaseCommand):
    help = "Put back the database, attached files and the secret key of a backup."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="what `manage.py backup` wrote")
        parser.add_argument(
            "--replace", action="store_true", help="lose the chats and people that are there now"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["file"].is_file():
            raise CommandError(f"There is no file {options['file']}.")
        with (
            claim_folder(settings.DATA_DIR, WAY_OUT),
            claim_database("vitrine restore"),
            TemporaryDirectory(dir=settings.DATA_DIR, prefix="restoring-") as folder,
        ):
            try:
                manifest = unpack(options["file"], Path(folder))
                refuse(manifest, is_replaced=options["replace"])
                put_back(Path(folder) / DATABASE)
            except (Unusable, CopyFailed, OSError) as failure:
                raise CommandError(f"{options['file']} cannot be restored: {failure}") from failure
            prepare_database()
            count = _restore_files(Path(folder) / FILES)
            secret = (Path(folder) / SECRET_KEY).read_text()
            self._restore_secret(secret)
        time = manifest.made
        self.stdout.write(f"Restored what was there at {time}, with attached files: {count}.")

    def _restore_secret(self, secret: str) -> None:
        if secret == settings.SECRET_KEY:
            return
        if read("SECRET_KEY", str):
            self.stdout.write(OTHER_SECRET)
            return
        path = settings.DATA_DIR / "secret_key"
        path.unlink(missing_ok=True)
        with os.fdopen(private_file(path), "w") as file:
            file.write(secret)


def refuse(manifest: Manifest, *, is_replaced: bool) -> None:
    """Raise CommandError if the backup does not fit here, or if restoring it would lose data."""
    if manifest.engine != connection.vendor:
        sentence = "It is of a {} database, and DATABASE_URL names a {} database."
        raise CommandError(sentence.format(manifest.engine, connection.vendor))
    if others := unknown(manifest.schema):
        raise CommandError(OTHER.format(", ".join(others)))
    if not is_replaced and is_used():
        raise CommandError("There are people or chats here already. To lose them, add --replace.")


def _restore_files(folder: Path) -> int:
    """Add the files that are missing; a file that exists already has the same content."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if not default_storage.exists(name):
            with path.open("rb") as file:
                default_storage.save(name, File(file))
    return len(paths)
