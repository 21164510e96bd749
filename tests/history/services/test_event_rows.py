"""Our own SQL stores events exactly as Django would."""

import uuid

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from history.models import GenerationEvent
from history.services.answers.sending import send
from history.services.event_rows import insert
from tests.history.services.conftest import ADA, say

PAYLOADS = [
    {},
    {"text": "plain"},
    {"text": 'Zoë said "x\\y"\n\u2028\U0001f600'},
    {"html": "<p>a</p>", "seq": 2**60, "share": 0.1, "none": None, "yes": True, "all": [1, [2]]},
]


@pytest.fixture
def generation(demo):
    return send(ADA, say(agent="demo")).generation


def stored():
    rows = GenerationEvent.objects.order_by("pk").values_list("generation", "seq", "kind")
    with connection.cursor() as cursor:
        cursor.execute("SELECT CAST(payload AS text) FROM history_generationevent ORDER BY id")
        return [*rows], cursor.fetchall()


def test_a_row_is_the_same_whoever_writes_it(generation):
    rows = [(generation.pk, number, "delta", payload) for number, payload in enumerate(PAYLOADS, 1)]
    insert(rows)
    ours = stored()
    assert [event.payload for event in GenerationEvent.objects.order_by("seq")] == PAYLOADS

    GenerationEvent.objects.all().delete()
    GenerationEvent.objects.bulk_create(
        GenerationEvent(generation_id=pk, seq=seq, kind=kind, payload=payload)
        for pk, seq, kind, payload in rows
    )
    assert stored() == ours


@pytest.mark.parametrize(
    "row",
    [
        pytest.param((1, "delta", {}), id="a number that is taken"),
        pytest.param((-1, "delta", {}), id="no number"),
        pytest.param((3, None, {}), id="no kind"),
    ],
)
def test_with_one_that_cannot_be_stored_none_is(generation, row):
    insert([(generation.pk, 1, "started", {})])
    rows = [(generation.pk, 2, "delta", {}), (generation.pk, *row)]

    with pytest.raises(DatabaseError), transaction.atomic():
        insert(rows)

    assert list(generation.events.values_list("seq", "kind")) == [(1, "started")]


@pytest.mark.django_db(transaction=True)
def test_an_unknown_generation_gets_none():
    with pytest.raises(DatabaseError), transaction.atomic():
        insert([(uuid.uuid4(), 1, "delta", {})])

    assert not GenerationEvent.objects.exists()


def test_nothing_costs_nothing(db):
    with CaptureQueriesContext(connection) as seen:
        insert([])

    assert not seen.captured_queries
