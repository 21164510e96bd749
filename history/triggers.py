"""Triggers that make the database refuse changes to append-only rows.

They are installed after every `migrate`, not in a migration, because SQLite loses triggers when
Django remakes a table. They do not refuse deletion, because the cascade of a conversation deletes
its rows; see the decision in docs/adr.
"""

from typing import Any

from django.db import connections

APPEND_ONLY_TABLES = (
    "message",
    "messagehash",
    "contextplan",
    "requestoutcome",
    "storedtext",
    "viewing",
    "callstage",
    "wire",
    "summarywire",
    "advice",
    "filerecord",
)
FUNCTION = """
CREATE OR REPLACE FUNCTION history_refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$
"""
TRIGGER = {
    "sqlite": (
        "CREATE TRIGGER IF NOT EXISTS {table}_append_only BEFORE UPDATE ON {table} "
        "BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
    ),
    "postgresql": (
        "CREATE OR REPLACE TRIGGER {table}_append_only BEFORE UPDATE ON {table} "
        "FOR EACH ROW EXECUTE FUNCTION history_refuse_change()"
    ),
}


def install_triggers(sender: object, using: str, **kwargs: Any) -> None:
    vendor = connections[using].vendor
    with connections[using].cursor() as cursor:
        if vendor == "postgresql":
            cursor.execute(FUNCTION)
        for table in APPEND_ONLY_TABLES:
            cursor.execute(TRIGGER[vendor].format(table=f"history_{table}"))
