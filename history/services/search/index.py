"""The index of all texts, kept by triggers: FTS5 on SQLite, a table of words on PostgreSQL.

A migration makes and fills it, and so does every `migrate` after: SQLite loses triggers when Django
remakes a table. The texts themselves stay where they are; the names and texts of attached files are
found like the message's own text.

A search of one path, or of one person's chats, must not walk an index of everybody's texts. So each
text is indexed with its branch and with the account that owns it, as words that a search asks for.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Func, TextField

from history.services.search import postgresql, sqlite
from history.services.search.corpus import Corpus
from history.services.search.terms import Statement, Term


class TextIndex(Protocol):
    """How a database is given its index, and asked: a module for each."""

    @property
    def TABLE(self) -> Sequence[str]: ...
    @property
    def TRIGGERS(self) -> Sequence[str]: ...
    @property
    def FILL(self) -> Sequence[str]: ...
    @property
    def REMOVE(self) -> Sequence[str]: ...

    def matching(self, corpus: Corpus, terms: Sequence[Term]) -> Statement:
        """Select the messages there in which the index finds all terms."""

    def newest_matching(self, corpus: Corpus, terms: Sequence[Term]) -> Statement | None:
        """Select those among the newest messages, if common words are found sooner so."""

    def reading(self, terms: Sequence[Term]) -> Statement | None:
        """Return what a text must fulfil besides, of which the index knows nothing, if anything."""


class Plain(Func):
    """A text without accents and in lower case, as the index compares them."""

    function = "history_plain"
    output_field = TextField()


_INDEXES: Mapping[str, TextIndex] = {"postgresql": postgresql, "sqlite": sqlite}


def text_index() -> TextIndex:
    """Return how the database that is used is asked."""
    return _INDEXES[connection.vendor]


def install_index(sender: object, using: str, **kwargs: Any) -> None:
    """Install the index after `migrate`, unless the tables are gone again."""
    if "history_message" in connections[using].introspection.table_names():
        install(connections[using])


def install(database: BaseDatabaseWrapper) -> None:
    """Create what is missing, and index existing messages."""
    made = _INDEXES[database.vendor]
    is_new = "history_search" not in database.introspection.table_names()
    _execute(database, made.TABLE if is_new else ())
    _execute(database, made.TRIGGERS)
    _execute(database, made.FILL if is_new else ())


def remove(database: BaseDatabaseWrapper) -> None:
    """Remove the index: `install` makes it again."""
    _execute(database, _INDEXES[database.vendor].REMOVE)


def _execute(database: BaseDatabaseWrapper, statements: Iterable[str]) -> None:
    with database.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
