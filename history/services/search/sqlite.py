"""The index on SQLite contains trigrams, so branches and owners are also written as three
characters.

These are private-use characters, which no search looks for in texts. FTS5 keeps no texts here, but
needs an indexed text again in order to delete it; so a table remembers the owner under which each
text was indexed, whatever became of the text's conversation. The beginnings of words are indexed
beside the text, to find terms of fewer than three characters.

Other programs that change this database need the functions of `give_functions`, too.
"""

import re
from collections.abc import Sequence

from django.db.backends.base.base import BaseDatabaseWrapper

from history.services.search.beginnings import beginnings, is_beginning, looked_up
from history.services.search.corpus import Corpus
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
_COLUMNS = "rowid, branch, owner, text, beginnings"
_INDEXED = (
    f"m.id, {_BRANCH}, {_OWNER.format(owner='o.owner')}, {_PLAIN}, history_beginnings({_TEXT})"
    f" FROM {_OWNED}"
)
_ADD = f"INSERT INTO history_search({_COLUMNS}) SELECT {_INDEXED}"
_DROP = f"INSERT INTO history_search(history_search, {_COLUMNS}) SELECT 'delete', {_INDEXED}"
_REMEMBER = (
    "INSERT INTO history_search_owner(message, owner) SELECT m.id, coalesce(c.owner_id, 0)"
    " FROM history_message m JOIN history_conversation c ON c.id = m.conversation_id"
)
_TRIGGER = "CREATE TRIGGER IF NOT EXISTS history_search_{name} {event} BEGIN {steps}; END"
_MOVED = "m.conversation_id = new.id"

TABLE = (
    "CREATE VIRTUAL TABLE history_search USING"
    " fts5(branch, owner, text, beginnings, content='', columnsize=0, tokenize='trigram')",
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
)

_MATCHING = "SELECT rowid FROM history_search WHERE history_search MATCH %s"
_OF_MESSAGE = re.sub(r"\bm\.", "history_message.", _PLAIN)
_AS_WORDS = f"{_OF_MESSAGE} REGEXP %s"  # Django provides the function REGEXP on SQLite.


def give_functions(sender: object, connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    """Register the SQL functions that the index uses with each new connection to SQLite."""
    if connection.vendor == "sqlite":
        for name, function in (("plain", plain), ("beginnings", beginnings)):
            connection.connection.create_function(
                f"history_{name}", 1, function, deterministic=True
            )


def matching(corpus: Corpus, terms: Sequence[Term]) -> Statement:
    """Return the messages in which the index finds all terms."""
    older = f" AND rowid < {corpus.before}" if corpus.before else ""
    return f"{_MATCHING}{older}", [_query(corpus, terms)]


def newest_matching(corpus: Corpus, terms: Sequence[Term]) -> None:
    """Return None, because FTS5 finds the newest messages first in any case."""


def reading(terms: Sequence[Term]) -> Statement | None:
    """Return the condition to check in the text: the index does not know where words end."""
    read = [term for term in terms if _is_read(term)]
    conditions = (f"NOT {_AS_WORDS}" if term.is_excluded else _AS_WORDS for term in read)
    texts = [term.whole if term.is_closed else term.begun for term in read]
    return (" AND ".join(conditions), texts) if read else None


def _is_read(term: Term) -> bool:
    return term.is_closed or (len(term.text) < SHORT and not is_beginning(term.text))


def _query(corpus: Corpus, terms: Sequence[Term]) -> str:
    """Write a query for FTS5. Terms contain no quotation marks, so nothing has to be escaped."""
    conditions = [words for term in terms if not term.is_excluded for words in _columns(term)]
    excluded = [term for term in terms if term.is_excluded and not _is_read(term)]
    left_out = [f"({' AND '.join(_columns(term))})" for term in excluded]
    left_out += [_branches(corpus.without)] if corpus.without else []
    without = "".join(f" NOT {each}" for each in left_out)
    return f"({' AND '.join([_everything(corpus), *conditions])}){without}"


def _columns(term: Term) -> list[str]:
    if len(term.text) >= SHORT:
        return [f'text : "{term.text}"']
    return [f'beginnings : "{trigram}"' for trigram in sorted(looked_up(term.text))]


def _everything(corpus: Corpus) -> str:
    if corpus.owner is None:
        return _branches(corpus.branches)
    return f'owner : "{_key(OWNERS, OWNER_DIGITS, corpus.owner)}"'


def _branches(branches: Sequence[int]) -> str:
    keys = (_key(BRANCHES, BRANCH_DIGITS, branch) for branch in branches)
    anywhere = " OR ".join(f'"{key}"' for key in keys)
    return f"branch : ({anywhere})"


def _key(first: int, digits: int, number: int) -> str:
    """Write a number as the three characters that stand for it."""
    places = (number % digits, number // digits % digits, number // digits**2)
    return "".join(chr(first + place) for place in places)
