"""The index of all texts, kept by triggers: FTS5 on SQLite, a table of words on PostgreSQL.

A migration makes and fills it; every later `migrate` restores what is missing, since SQLite loses
triggers when Django remakes a table. The texts themselves stay where they are; the names and texts
of attached files are found like the message's own text.

A search of one path, or of one person's chats, must not walk an index of everybody's texts. So each
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
    """How a database's index is made and queried; each database has a module."""

    @property
    def TABLE(self) -> Sequence[str]: ...
    @property
    def TRIGGERS(self) -> Sequence[str]: ...
    @property
    def FILL(self) -> Sequence[str]: ...
    @property
    def REMOVE(self) -> Sequence[str]: ...

    def matching(self, corpus: Corpus, terms: Sequence[Term]) -> Statement:
        """Select the messages of the corpus in which the index finds all terms."""

    def newest_matching(self, corpus: Corpus, terms: Sequence[Term]) -> Statement | None:
        """Select among the newest messages only; None if that would be no faster."""

    def reading(self, terms: Sequence[Term]) -> Statement | None:
        """Return the condition to check in the texts themselves, if the index is not enough."""


class Plain(Func):
    """A text without accents and in lower case, as the index compares them."""

    function = "history_plain"
    output_field = TextField()


_INDEXES: Mapping[str, TextIndex] = {"postgresql": postgresql, "sqlite": sqlite}


def text_index() -> TextIndex:
    """Return the index module of the database in use."""
    return _INDEXES[connection.vendor]


def install_index(sender: object, using: str, **kwargs: Any) -> None:
    """Install the index after `migrate`, unless that removed the tables."""
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
