"""The databases of commit f778175, put where an app that was updated finds them."""

import lzma
from pathlib import Path

import psycopg

from history.triggers import APPEND_ONLY_TABLES
from tests import data

HERE = Path(__file__).parent
QUOTED = '", "'
OURS = ("history_", "agents_", "auth_user")
DERIVED = "history_recall"  # The index of texts, which an update makes again in another form.
TABLES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'",
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
}
COLUMNS = {
    "sqlite": "SELECT name FROM pragma_table_info(?)",
    "postgresql": "SELECT column_name FROM information_schema.columns WHERE table_name = ?",
}
TRIGGERS = {
    "sqlite": "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal",
}


def vendor():
    return "postgresql" if data.server() else "sqlite"


def load(folder):
    """Make a folder with the data as it was before any later migration."""
    data.make(folder)
    if data.server():
        statements = lzma.decompress((HERE / "postgresql.sql.xz").read_bytes())
        with psycopg.connect(data.variables(folder)["DATABASE_URL"]) as connection:
            connection.execute(statements)
    else:
        whole = lzma.decompress((HERE / "sqlite3.xz").read_bytes())
        (folder / "vitrine.sqlite3").write_bytes(whole)
    return folder


def columns(folder):
    """Name the columns of each table of ours."""
    named = [name for (name,) in data.execute(folder, TABLES[vendor()])]
    names = [name for name in named if name.startswith(OURS) and not name.startswith(DERIVED)]
    asked = COLUMNS[vendor()]
    return {name: sorted(c for (c,) in data.execute(folder, asked, name)) for name in names}


def rows(folder, tables):
    """Return all rows of these columns by table."""
    return {table: _rows(folder, table, named) for table, named in tables.items()}


def _rows(folder, table, named):
    found = data.execute(folder, f'SELECT "{QUOTED.join(named)}" FROM {table}')
    return sorted(found, key=repr)


def guarded(folder):
    """Name the tables that the database lets nobody change."""
    return {table for (table,) in data.execute(folder, TRIGGERS[vendor()])}


def append_only_tables():
    return {f"history_{table}" for table in APPEND_ONLY_TABLES}
