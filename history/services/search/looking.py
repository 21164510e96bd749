"""Look terms up in the index; then check the texts found for what the index cannot know."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from django.db import connection
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import RawSQL

from history.models import Message
from history.services.search.corpus import Corpus
from history.services.search.index import text_index
from history.services.search.terms import Statement, Term

MOST_READ = 3_000  # The most texts that one search reads; searching on from there finds older ones.
BATCH = 600  # The most texts that one statement reads: often the newest are enough.


@dataclass(frozen=True, slots=True)
class FoundKeys:
    """The keys of the messages that a search found, the newest first.

    `end`: the search looked at no message older than this one. None: it looked at all.
    """

    keys: Sequence[int] = ()
    end: int | None = None

    def newest(self, most: int) -> "FoundKeys":
        """Return what a search for at most so many messages would have found."""
        return self if len(self.keys) <= most else FoundKeys(self.keys[:most], self.keys[most - 1])


def look(
    corpus: Corpus, terms: Sequence[Term], most: int, most_read: int | None = None
) -> FoundKeys:
    """Find the newest messages of the corpus with all terms. The caller checks who may see them."""
    if corpus.is_empty or not terms:
        return FoundKeys()
    condition = text_index().reading(terms)
    limit = (most_read or MOST_READ) if condition else most
    keys = _known(corpus, terms, limit + 1)
    end = keys[limit - 1] if len(keys) > limit else None
    if condition is None:
        return FoundKeys(keys[:limit], end)
    matches = list(islice(_read(keys[:limit], condition), most + 1))
    return FoundKeys(matches[:most], matches[most - 1] if len(matches) > most else end)


def matching(corpus: Corpus, terms: Sequence[Term]) -> QuerySet[Message]:
    """Return all messages of the corpus that contain all terms."""
    index = text_index()
    rows = Message.objects.filter(pk__in=RawSQL(*index.matching(corpus, terms)))
    condition = index.reading(terms)
    return _fulfilling(rows, condition) if condition else rows


def _fulfilling(rows: QuerySet[Message], condition: Statement) -> QuerySet[Message]:
    sql, parameters = condition
    return rows.filter(RawSQL(sql, parameters, output_field=BooleanField()))


def _known(corpus: Corpus, terms: Sequence[Term], most: int) -> list[int]:
    """Return the keys of messages that the index finds, the newest first."""
    index = text_index()
    recent = index.newest_matching(corpus, terms)
    keys = _newest(recent, most) if recent else []
    return keys if len(keys) == most else _newest(index.matching(corpus, terms), most)


def _newest(statement: Statement, most: int) -> list[int]:
    sql, parameters = statement
    with connection.cursor() as cursor:
        cursor.execute(f"{sql} ORDER BY 1 DESC LIMIT {most}", parameters)
        return [pk for (pk,) in cursor.fetchall()]


def _read(keys: Sequence[int], condition: Statement) -> Iterator[int]:
    for start in range(0, len(keys), BATCH):
        rows = Message.objects.filter(pk__in=keys[start : start + BATCH])
        yield from _fulfilling(rows, condition).order_by("-pk").values_list("pk", flat=True)
