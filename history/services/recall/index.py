"""The index of all texts: a table of SQLite's FTS5, an expression index on PostgreSQL.

A migration makes and fills it, and so does every `migrate` after: SQLite loses triggers when Django
remakes a table. The texts themselves stay where they are.

A search of one conversation must not walk an index of everybody's texts. So each text is indexed
with its branch, as one more word that a search asks for. On SQLite a word is any three characters,
and a branch is written as three that no text contains.
"""

from collections.abc import Iterable
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from history.services.recall.terms import DENSE

LONGEST = 100_000  # Characters of a text that are indexed; PostgreSQL refuses much longer ones.
SPECIAL, SPECIALS = 0xE000, 6_000  # Characters for private use.

_SCOPE = (
    f"char({SPECIAL} + {{row}}.branch_id % {SPECIALS},"
    f" {SPECIAL} + {{row}}.branch_id / {SPECIALS} % {SPECIALS},"
    f" {SPECIAL} + {{row}}.branch_id / {SPECIALS**2})"
)
_INDEXED = f"{{row}}.id, {_SCOPE}, substr({{row}}.text, 1, {LONGEST})"
_TRIGGER = "CREATE TRIGGER IF NOT EXISTS history_recall_{name} AFTER {event} ON history_message"
_TRIGGERS = (
    f"{_TRIGGER.format(name='insert', event='INSERT')} BEGIN INSERT INTO history_recall"
    f"(rowid, scope, text) VALUES ({_INDEXED.format(row='new')}); END",
    f"{_TRIGGER.format(name='delete', event='DELETE')} BEGIN INSERT INTO history_recall"
    f"(history_recall, rowid, scope, text) VALUES ('delete', {_INDEXED.format(row='old')}); END",
)
_TABLE = (
    "CREATE VIRTUAL TABLE history_recall USING"
    " fts5(scope, text, content='', columnsize=0, tokenize='trigram')"
)
_FILL = (
    "INSERT INTO history_recall(rowid, scope, text)"
    f" SELECT {_INDEXED.format(row='m')} FROM history_message m"
)

_PUNCTUATION = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~"
_FUNCTION = f"""
CREATE OR REPLACE FUNCTION history_recall_words(branch bigint, said text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT COST 500 AS $$ BEGIN
  said := translate(left(said, {LONGEST}), '{_PUNCTUATION}', '{" " * (len(_PUNCTUATION) - 1)}');
  said := regexp_replace(said, '([\u2000-\u206f\u3000-\u303f\uff00-\uff0f{DENSE}])', ' \\1 ', 'g');
  RETURN strip(to_tsvector('pg_catalog.simple', said)) || array_to_tsvector(ARRAY['@' || branch]);
END $$
"""
_INDEX = (
    "CREATE INDEX IF NOT EXISTS history_recall ON history_message"
    " USING gin (history_recall_words(branch_id, text))"
)
_REMOVE = {
    "sqlite": (
        "DROP TRIGGER IF EXISTS history_recall_insert",
        "DROP TRIGGER IF EXISTS history_recall_delete",
        "DROP TABLE IF EXISTS history_recall",
    ),
    "postgresql": (
        "DROP INDEX IF EXISTS history_recall",
        "DROP FUNCTION IF EXISTS history_recall_words",
    ),
}


def install_index(sender: object, using: str, **kwargs: Any) -> None:
    """Install the index after `migrate`. Before the table of messages exists, do nothing."""
    connection = connections[using]
    if "history_message" in connection.introspection.table_names():
        install(connection)


def install(connection: BaseDatabaseWrapper) -> None:
    """Create what is missing, and index existing messages."""
    if connection.vendor == "postgresql":
        return _execute(connection, (_FUNCTION, _INDEX))
    is_new = "history_recall" not in connection.introspection.table_names()
    return _execute(connection, ((_TABLE, _FILL) if is_new else ()) + _TRIGGERS)


def remove(connection: BaseDatabaseWrapper) -> None:
    _execute(connection, _REMOVE[connection.vendor])


def scope_of(branch: int) -> str:
    """Write a branch as the three characters that represent it on SQLite."""
    digits = (branch % SPECIALS, branch // SPECIALS % SPECIALS, branch // SPECIALS**2)
    return "".join(chr(SPECIAL + digit) for digit in digits)


def _execute(connection: BaseDatabaseWrapper, statements: Iterable[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
