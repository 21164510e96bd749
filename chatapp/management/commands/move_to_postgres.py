"""`manage.py move_to_postgres`: copy an SQLite database to PostgreSQL, to continue there."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error, connection

from chatapp.backup.moving import SOURCE, MoveFailed, move, open_source
from chatapp.databases.connection_settings import database
from chatapp.databases.folder import claim_folder
from chatapp.databases.lock import claim_database
from chatapp.databases.schema import applied, is_used, prepare_database, unknown

WAY_OUT = "Stop it first (Ctrl+C in its terminal, or stop its service)."
NO_TARGET = "Set DATABASE_URL to an empty PostgreSQL database, to which the rows are copied."
USED = "There are people or chats in DATABASE_URL already. To lose them, add --replace."
OTHER = "{} was made by another Vitrine ({}), newer or too old. Move with that version."
OLDER = "{} is of an older version. Start this one on it once, without DATABASE_URL, and stop it."


class Command(BaseCommand):
    help = "Copy the SQLite database of the data folder to the PostgreSQL in DATABASE_URL."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--replace", action="store_true", help="lose the chats and people that are there now"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if connection.vendor != "postgresql":
            raise CommandError(NO_TARGET)
        file = database(settings.DATA_DIR, "")["NAME"]
        if not file.is_file():
            raise CommandError(f"There is no {file}.")
        with claim_folder(settings.DATA_DIR, WAY_OUT), claim_database("vitrine move"):
            prepare_database()
            open_source(settings.DATA_DIR)
            refuse(str(file), is_replaced=options["replace"])
            try:
                for table, count in move():
                    self.stdout.write(f"{count:>10,}  {table}")
            except (MoveFailed, Error) as failure:
                raise CommandError(f"Nothing was moved. {failure}") from failure
        self.stdout.write(
            "All rows were copied and compared. Start Vitrine with this DATABASE_URL."
        )
        self.stdout.write(f"{file} is as it was; delete it when you no longer want it.")


def refuse(file: str, *, is_replaced: bool) -> None:
    """Raise CommandError if the move would lose data, or if the databases' migrations differ."""
    if not is_replaced and is_used():
        raise CommandError(USED)
    there = applied(SOURCE)
    if others := unknown(there):
        raise CommandError(OTHER.format(file, ", ".join(others)))
    apps = {name.partition(".")[0] for name in there}
    if [name for name in applied() if name.partition(".")[0] in apps and name not in there]:
        raise CommandError(OLDER.format(file))
