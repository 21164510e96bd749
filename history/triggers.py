"""The database's own refusal to change an append-only row.

Installed after every `migrate`, not in a migration: SQLite loses triggers when Django remakes a
table. Deleting is left to the cascade of a conversation, which the ORM guards cannot tell from raw
SQL; see the decision in docs/adr.
"""

from typing import Any

from django.db import connections

APPEND_ONLY_TABLES = ("message", "contextplan", "requestoutcome", "storedtext")


def install_triggers(sender: object, using: str, **kwargs: Any) -> None:
    with connections[using].cursor() as cursor:
        for table in APPEND_ONLY_TABLES:
            cursor.execute(
                f"CREATE TRIGGER IF NOT EXISTS history_{table}_append_only "
                f"BEFORE UPDATE ON history_{table} "
                f"BEGIN SELECT RAISE(ABORT, 'history_{table} is append-only'); END"
            )
