"""Bring the database up to this version, or say why that is impossible."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from history.models import Conversation


def prepare_database() -> None:
    """Migrate. Raise CommandError with a sentence."""
    try:
        if newer := unknown(applied()):
            raise CommandError(
                f"The database was made by a newer Vitrine ({', '.join(newer)}). "
                "Put that version back, or an older backup of the database."
            )
        call_command("migrate", verbosity=0, interactive=False)
    except Error as error:
        raise CommandError(f"The database cannot be used: {error}") from error


def applied(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return the migrations that a database has had, such as history.0001_initial."""
    recorder = MigrationRecorder(connections[using])
    return sorted(".".join(key) for key in recorder.applied_migrations())


def unknown(migrations: Iterable[str]) -> list[str]:
    """Return those of installed apps that only a newer version can have made."""
    loader = MigrationLoader(None)
    known = {".".join(key) for key in loader.disk_migrations}
    known |= {".".join(old) for each in loader.disk_migrations.values() for old in each.replaces}
    return [name for name in migrations if name not in known and _app(name) in loader.migrated_apps]


def is_used() -> bool:
    """Whether there are people or chats in the database, which may have no tables yet."""
    there = set(connection.introspection.table_names())
    models = (User, Conversation)
    return any(m._meta.db_table in there and m._default_manager.exists() for m in models)


def _app(migration: str) -> str:
    return migration.partition(".")[0]
