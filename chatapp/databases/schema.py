"""Bring the database up to this version, or say why that is impossible."""

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader


def prepare_database() -> None:
    """Migrate. Raise CommandError with a sentence."""
    try:
        if newer := _newer():
            raise CommandError(
                f"The database was made by a newer Vitrine ({', '.join(newer)}). "
                "Put that version back, or an older backup of the database."
            )
        call_command("migrate", verbosity=0, interactive=False)
    except Error as error:
        raise CommandError(f"The database cannot be used: {error}") from error


def _newer() -> list[str]:
    """Return migrations that the database has and this version does not know."""
    loader = MigrationLoader(connection)
    known = set(loader.disk_migrations)
    known |= {old for migration in loader.disk_migrations.values() for old in migration.replaces}
    unknown = set(loader.applied_migrations) - known
    return sorted(f"{app}.{name}" for app, name in unknown if app in loader.migrated_apps)
