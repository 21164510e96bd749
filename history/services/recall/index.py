"""The index of all texts: a table of SQLite's FTS5, an expression index on PostgreSQL.

A migration makes and fills it, and so does every `migrate` after: SQLite loses triggers when Django
remakes a table. The texts themselves stay where they are.

A search of one conversation must not walk an index of everybody's texts. So each text is indexed
with its branch, as one more word that a search asks for. On SQLite a word is any three characters,
and a branch is written as three that no text contains.

The names and texts of attached files are found like the message's own text; on PostgreSQL they have
an index of their own, so that the older one need not be made again.
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
_ATTACHED = (
    " || coalesce((SELECT group_concat(char(10) || coalesce(json_extract(value, '$.name'), '')"
    " || char(10) || coalesce(json_extract(value, '$.text'), ''), '') FROM json_each({row}.parts)"
    " WHERE json_extract(value, '$.kind') <> 'reasoning'), '')"
)
_BARE = f"{{row}}.id, {_SCOPE}, substr({{row}}.text, 1, {LONGEST})"
_INDEXED = f"{{row}}.id, {_SCOPE}, substr({{row}}.text{_ATTACHED}, 1, {LONGEST})"
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
_FILL = "INSERT INTO history_recall(rowid, scope, text) SELECT {indexed} FROM history_message m"

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
_ATTACHED_FUNCTION = """
CREATE OR REPLACE FUNCTION history_recall_attached(parts jsonb) RETURNS text
LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT string_agg(concat_ws(chr(10), part->>'name', part->>'text'), chr(10) ORDER BY place)
  FROM jsonb_array_elements(parts) WITH ORDINALITY AS given(part, place)
  WHERE part->>'kind' <> 'reasoning'
$$
"""
_ATTACHED_INDEX = (
    "CREATE INDEX IF NOT EXISTS history_recall_parts ON history_message"
    " USING gin (history_recall_words(branch_id, history_recall_attached(parts)))"
    " WHERE parts <> '[]'::jsonb"
)
_REMOVE = {
    "sqlite": (
        "DROP TRIGGER IF EXISTS history_recall_insert",
        "DROP TRIGGER IF EXISTS history_recall_delete",
        "DROP TABLE IF EXISTS history_recall",
    ),
    "postgresql": (
        "DROP INDEX IF EXISTS history_recall",
        "DROP INDEX IF EXISTS history_recall_parts",
        "DROP FUNCTION IF EXISTS history_recall_words",
        "DROP FUNCTION IF EXISTS history_recall_attached",
    ),
}


def install_index(sender: object, using: str, **kwargs: Any) -> None:
    """Install the index after `migrate`. Before the table of messages exists, do nothing."""
    connection = connections[using]
    if "history_message" in connection.introspection.table_names():
        install(connection)


def install(connection: BaseDatabaseWrapper) -> None:
    """Create what is missing, and index existing messages.

    The migration that comes here first is older than the parts.
    """
    has_parts = _has_parts(connection)
    if connection.vendor == "postgresql":
        more = (_ATTACHED_FUNCTION, _ATTACHED_INDEX) if has_parts else ()
        return _execute(connection, (_FUNCTION, _INDEX, *more))
    is_new = "history_recall" not in connection.introspection.table_names()
    indexed = (_INDEXED if has_parts else _BARE).format(row="m")
    _execute(connection, (_TABLE, _FILL.format(indexed=indexed)) if is_new else ())
    return _execute(connection, _TRIGGERS if has_parts else ())


def _has_parts(connection: BaseDatabaseWrapper) -> bool:
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, "history_message")
    return any(column.name == "parts" for column in columns)


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
