"""Insert events, on SQLite by one prepared statement.

A busy process stores thousands of events a second. Django's `bulk_create` makes an object and a
piece of SQL for each, which costs more than all that SQLite does.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeAlias
from uuid import UUID

from django.db import connection

from history.models import GenerationEvent

Row: TypeAlias = tuple[UUID, int, str, dict[str, Any]]  # Generation, seq, kind, payload.
GENERATION = GenerationEvent._meta.get_field("generation")
PAYLOAD = GenerationEvent._meta.get_field("payload")
INSERT = (
    "INSERT INTO history_generationevent (generation_id, seq, kind, payload)"
    " VALUES (%s, %s, %s, %s)"
)


def insert(rows: Iterable[Row]) -> None:
    """Insert events, with values converted as their model fields would convert them. The caller
    must have opened a transaction.
    """
    # With `executemany`, PostgreSQL's driver would send a statement for each row.
    if connection.vendor != "sqlite":
        GenerationEvent.objects.bulk_create(
            GenerationEvent(generation_id=generation, seq=seq, kind=kind, payload=payload)
            for generation, seq, kind, payload in rows
        )
        return
    key = cache(lambda generation: GENERATION.get_db_prep_save(generation, connection))
    values = [
        (key(generation), seq, kind, PAYLOAD.get_db_prep_save(payload, connection))
        for generation, seq, kind, payload in rows
    ]
    if values:
        with connection.cursor() as cursor:
            cursor.executemany(INSERT, values)
