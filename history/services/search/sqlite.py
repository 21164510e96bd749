"""The index on SQLite, where a word is any three characters, and so is a branch or an owner.

Those are written in characters for private use, which no text is searched for. FTS5 keeps no texts
here, and deletes by being told them again; so a table remembers under which owner each was indexed,
whatever has become of its conversation.

Other programs that change this database need the function `history_plain`, too.
"""

from collections.abc import Sequence

from django.db.backends.base.base import BaseDatabaseWrapper

from history.services.search.letters import plain
from history.services.search.terms import INDEXED, SHORT, Statement, Term

BRANCHES, BRANCH_DIGITS = 0xE000, 6_000
OWNERS, OWNER_DIGITS = 0xF0000, 60_000

_BRANCH = (
    f"char({BRANCHES} + m.branch_id % {BRANCH_DIGITS},"
    f" {BRANCHES} + m.branch_id / {BRANCH_DIGITS} % {BRANCH_DIGITS},"
    f" {BRANCHES} + m.branch_id / {BRANCH_DIGITS**2})"
)
_OWNER = (
    f"char({OWNERS} + {{owner}} % {OWNER_DIGITS},"
    f" {OWNERS} + {{owner}} / {OWNER_DIGITS} % {OWNER_DIGITS},"
    f" {OWNERS} + {{owner}} / {OWNER_DIGITS**2})"
)
_ATTACHED = (
    "coalesce((SELECT group_concat(char(10) || coalesce(json_extract(value, '$.name'), '')"
    " || char(10) || coalesce(json_extract(value, '$.text'), ''), '') FROM json_each(m.parts)"
    " WHERE json_extract(value, '$.kind') <> 'reasoning'), '')"
)
_TEXT = f"substr(m.text || {_ATTACHED}, 1, {INDEXED})"
_PLAIN = f"history_plain({_TEXT})"
_OWNED = "history_message m JOIN history_search_owner o ON o.message = m.id"
_INDEXED = f"m.id, {_BRANCH}, {_OWNER.format(owner='o.owner')}, {_PLAIN} FROM {_OWNED}"
_ADD = f"INSERT INTO history_search(rowid, branch, owner, text) SELECT {_INDEXED}"
_DROP = (
    "INSERT INTO history_search(history_search, rowid, branch, owner, text)"
    f" SELECT 'delete', {_INDEXED}"
)
_REMEMBER = (
    "INSERT INTO history_search_owner(message, owner) SELECT m.id, coalesce(c.owner_id, 0)"
    " FROM history_message m JOIN history_conversation c ON c.id = m.conversation_id"
)
_TRIGGER = "CREATE TRIGGER IF NOT EXISTS history_search_{name} {event} BEGIN {steps}; END"
_MOVED = "m.conversation_id = new.id"

TABLE = (
    "CREATE VIRTUAL TABLE history_search USING"
    " fts5(branch, owner, text, content='', columnsize=0, tokenize='trigram')",
    "CREATE TABLE history_search_owner(message INTEGER PRIMARY KEY, owner INTEGER NOT NULL)",
    "CREATE INDEX history_search_owned ON history_search_owner(owner)",
)
FILL = (_REMEMBER, _ADD)
TRIGGERS = (
    _TRIGGER.format(
        name="insert",
        event="AFTER INSERT ON history_message",
        steps=f"{_REMEMBER} WHERE m.id = new.id; {_ADD} WHERE m.id = new.id",
    ),
    _TRIGGER.format(
        name="delete",
        event="BEFORE DELETE ON history_message",
        steps=(
            f"{_DROP} WHERE m.id = old.id; DELETE FROM history_search_owner WHERE message = old.id"
        ),
    ),
    _TRIGGER.format(
        name="owner",
        event=(
            "AFTER UPDATE OF owner_id ON history_conversation WHEN old.owner_id IS NOT new.owner_id"
        ),
        steps=(
            f"{_DROP} WHERE {_MOVED}; UPDATE history_search_owner"
            " SET owner = coalesce(new.owner_id, 0) WHERE message IN"
            f" (SELECT m.id FROM history_message m WHERE {_MOVED}); {_ADD} WHERE {_MOVED}"
        ),
    ),
)
REMOVE = (
    "DROP TRIGGER IF EXISTS history_search_insert",
    "DROP TRIGGER IF EXISTS history_search_delete",
    "DROP TRIGGER IF EXISTS history_search_owner",
    "DROP TABLE IF EXISTS history_search",
    "DROP TABLE IF EXISTS history_search_owner",
    # The index of earlier versions, which knew branches only.
    "DROP TRIGGER IF EXISTS history_recall_insert",
    "DROP TRIGGER IF EXISTS history_recall_delete",
    "DROP TABLE IF EXISTS history_recall",
)

_MATCHING = "SELECT rowid FROM history_search WHERE history_search MATCH %s"
_AS_WORDS = f" AND {_PLAIN} REGEXP %s"  # A function of Django's.
_NOT_AS_WORDS = f" AND NOT {_PLAIN} REGEXP %s"


def give_function(sender: object, connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    """Give each new connection to SQLite what the index compares letters with."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("history_plain", 1, plain, deterministic=True)


def can_look_up(term: Term) -> bool:
    return len(term.text) >= SHORT


def of_branches(branches: Sequence[int], terms: Sequence[Term]) -> Statement:
    """Select the messages of these branches that contain all terms."""
    query = _query("branch", [_key(BRANCHES, BRANCH_DIGITS, key) for key in branches], terms)
    of_them = ",".join(map(str, branches))
    return _statement(
        query, f"SELECT id FROM history_message WHERE branch_id IN ({of_them})", terms
    )


def of_owner(owner: int, terms: Sequence[Term]) -> Statement:
    """Select the messages of an owner that contain all terms."""
    query = _query("owner", [_key(OWNERS, OWNER_DIGITS, owner)], terms)
    return _statement(
        query, f"SELECT message FROM history_search_owner WHERE owner = {owner}", terms
    )


def newest_of_owner(owner: int, terms: Sequence[Term]) -> None:
    """FTS5 finds the newest messages first anyway."""


def _statement(query: str, everything: str, terms: Sequence[Term]) -> Statement:
    """Look up the terms that the index can contain, and read for the others, and for whole words,
    in what is left.
    """
    is_indexed = any(map(_is_looked_up, terms))
    read = [t for t in terms if not is_indexed or t.is_closed or not can_look_up(t)]
    among = _MATCHING if is_indexed else everything
    parameters = [query] if is_indexed else []
    if not read:
        return among, parameters
    containing = "".join(_NOT_AS_WORDS if term.is_excluded else _AS_WORDS for term in read)
    return f"SELECT m.id FROM history_message m WHERE m.id IN ({among}){containing}", [
        *parameters,
        *(term.whole if term.is_closed else term.begun for term in read),
    ]


def _query(column: str, keys: Sequence[str], terms: Sequence[Term]) -> str:
    """Write a query for FTS5. Terms have no quotation marks, so none of its signs."""
    anywhere = " OR ".join(f'"{key}"' for key in keys)
    words = [f'text : "{term.text}"' for term in terms if _is_looked_up(term)]
    without = "".join(f' NOT text : "{term.text}"' for term in terms if _is_left_out(term))
    return f"({' AND '.join([f'{column} : ({anywhere})', *words])}){without}"


def _is_looked_up(term: Term) -> bool:
    return can_look_up(term) and not term.is_excluded


def _is_left_out(term: Term) -> bool:
    """A whole phrase is left out by reading: the index finds it inside words, too."""
    return can_look_up(term) and term.is_excluded and not term.is_closed


def _key(first: int, digits: int, number: int) -> str:
    """Write a number as the three characters that represent it."""
    places = (number % digits, number // digits % digits, number // digits**2)
    return "".join(chr(first + place) for place in places)
