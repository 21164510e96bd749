"""Migrate the database to this version, or say why that is impossible."""

from collections.abc import Collection

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from history.models import Conversation

# The last migrations before the first release; 0001_initial replaces them and all before them.
REPLACED = {"agents.0013_reasoning_back", "history.0050_few_letters"}


def prepare_database() -> None:
    """Migrate the database. Raise CommandError, with a sentence for the operator, if that fails."""
    try:
        forget_replaced()
        if others := unknown(applied()):
            raise CommandError(
                f"The database was made by another Vitrine ({', '.join(others)}): a newer one, or "
                "one from before the first release. Put that version back, or another backup."
            )
        call_command("migrate", verbosity=0, interactive=False)
    except Error as error:
        raise CommandError(f"The database cannot be used: {error}") from error


def applied(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return the names of the migrations applied to a database, such as history.0001_initial."""
    recorder = MigrationRecorder(connections[using])
    return sorted(".".join(key) for key in recorder.applied_migrations())


def forget_replaced() -> None:
    """Delete the records of replaced migrations if all of them were applied to the database."""
    names = applied()
    rows = MigrationRecorder(connection).migration_qs
    for app, name in (each.split(".") for each in names if each in replaced(names)):
        rows.filter(app=app, name=name).delete()


def replaced(names: Collection[str]) -> set[str]:
    """Return the migrations that 0001_initial replaces; none if some of them were never applied."""
    ends = {_app(last): last for last in REPLACED if set(names) >= REPLACED}
    return {name for name in names if name <= ends.get(_app(name), "")} - _on_disk()


def unknown(names: Collection[str]) -> list[str]:
    """Return applied migrations of installed apps that only another version can have made."""
    loader = MigrationLoader(None)
    labels = _on_disk() | replaced(names)
    labels |= {".".join(old) for each in loader.disk_migrations.values() for old in each.replaces}
    return [name for name in names if name not in labels and _app(name) in loader.migrated_apps]


def is_used() -> bool:
    """Return whether the database has people or chats; it may not even have tables yet."""
    there = set(connection.introspection.table_names())
    models = (User, Conversation)
    return any(m._meta.db_table in there and m._default_manager.exists() for m in models)


def _on_disk() -> set[str]:
    """Return the names of this version's own migrations."""
    return {".".join(key) for key in MigrationLoader(None).disk_migrations}


def _app(migration: str) -> str:
    return migration.partition(".")[0]
