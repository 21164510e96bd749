"""The index of all texts, which triggers keep up to date: FTS5 on SQLite, a table of words on
PostgreSQL.

A migration makes and fills it; every later `migrate` restores what is missing, because SQLite loses
triggers when Django remakes a table. The texts themselves stay where they are. The names and texts
of attached files are found like the message's own text.

A search of one path, or of one person's chats, must not read an index of everybody's texts. So each
text is indexed with extra words for its branch and its owner, which a search then requires.
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
    """How a database's index is made and searched; each database has a module of its own."""

    @property
    def TABLE(self) -> Sequence[str]: ...
    @property
    def TRIGGERS(self) -> Sequence[str]: ...
    @property
    def FILL(self) -> Sequence[str]: ...
    @property
    def REMOVE(self) -> Sequence[str]: ...

    def matching(self, corpus: Corpus, terms: Sequence[Term]) -> Statement:
        """Return those messages of the corpus in which the index finds all terms."""

    def newest_matching(self, corpus: Corpus, terms: Sequence[Term]) -> Statement | None:
        """Return such messages only among the newest; None if that would be no faster."""

    def reading(self, terms: Sequence[Term]) -> Statement | None:
        """Return the condition to check in the texts themselves, if the index is not enough."""


class Plain(Func):
    """A text without accents and in lower case, which is how the index compares texts."""

    function = "history_plain"
    output_field = TextField()


_INDEXES: Mapping[str, TextIndex] = {"postgresql": postgresql, "sqlite": sqlite}


def text_index() -> TextIndex:
    """Return the module for the index of the database in use."""
    return _INDEXES[connection.vendor]


def install_index(sender: object, using: str, **kwargs: Any) -> None:
    """Install the index after `migrate`, unless `migrate` removed the tables."""
    if "history_message" in connections[using].introspection.table_names():
        install(connections[using])


def install(database: BaseDatabaseWrapper) -> None:
    """Create what the index lacks, and index the messages that exist."""
    index = _INDEXES[database.vendor]
    is_new = "history_search" not in database.introspection.table_names()
    _execute(database, index.TABLE if is_new else ())
    _execute(database, index.TRIGGERS)
    _execute(database, index.FILL if is_new else ())


def remove(database: BaseDatabaseWrapper) -> None:
    """Remove the index; `install` can make it again."""
    _execute(database, _INDEXES[database.vendor].REMOVE)


def _execute(database: BaseDatabaseWrapper, statements: Iterable[str]) -> None:
    with database.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
