"""A row is inserted as Django itself would insert it."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.db.models.signals import post_save, pre_save
from django.utils import timezone

from history.core.wire.request import WireRequest
from history.models import ContextPlan, Generation, Message, MessageHash, RequestOutcome, Wire
from history.services.answers.sending import send
from history.services.inserting import insert, insert_all
from history.services.wire.storing import rows_of
from tests.factories import add_plan
from tests.history.services.conftest import ADA, say

TABLES = [Message, MessageHash, Generation, ContextPlan, RequestOutcome, Wire]


class Asked(Exception):
    """A statement, and its values."""


@pytest.fixture
def generation(demo):
    """Make a generation with a row in each of the tables."""
    generation = send(ADA, say('Zoë said "x\\y"\n\u2028\U0001f600', agent="demo")).generation
    record = add_plan(generation, usage={"prompt": 1, "completion": 2})
    insert_all(rows_of(record, [WireRequest("POST", "https://a/v1", {}, b'{"a": 1}', 200)]))
    return generation


def copied(table):
    """Return a new row that is like the stored one."""
    row = table.objects.get()
    row._state.adding = True
    if row._meta.auto_field:
        row.pk = None
    return row


def statement(store, row):
    """Return the statement by which a row would be stored, and its values."""

    def record(execute, sql, params, many, context):
        raise Asked(sql, [getattr(value, "obj", value) for value in params])

    with pytest.raises(Asked) as asked, transaction.atomic(), connection.execute_wrapper(record):
        store(row)
    return asked.value.args


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.usefixtures("generation")
def test_the_statement_is_djangos_own(table, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)

    ours = statement(insert, copied(table))

    assert ours == statement(lambda row: Model.save(row, force_insert=True), copied(table))


OTHERWISE = {  # What a second row of the table must not have in common with the first.
    Message: lambda _: {"position": 9, "client_msg_id": None},
    MessageHash: lambda generation: {"message": stored(another(Message, generation))},
    Generation: lambda _: {"pk": uuid4(), "status": "done"},
    ContextPlan: lambda _: {"step": 2},
    RequestOutcome: lambda generation: {"plan": add_plan(generation, step=2)},
    Wire: lambda _: {"attempt": 2},
}


def another(table, generation):
    """Return a row that can be stored beside the one that it is like."""
    row = copied(table)
    for name, value in OTHERWISE[table](generation).items():
        setattr(row, name, value)
    return row


def stored(row):
    insert(row)
    return row


def held(row):
    state, names = row._state, [each.attname for each in row._meta.concrete_fields]
    return state.adding, state.db, {name: getattr(row, name) for name in names}


@pytest.mark.parametrize("store", [insert, lambda row: insert_all([row])], ids=["one", "all"])
@pytest.mark.parametrize("table", TABLES)
def test_the_row_is_what_the_database_holds(table, store, generation):
    row = another(table, generation)

    store(row)

    assert held(row) == held(table.objects.get(pk=row.pk))
    with pytest.raises(AssertionError, match="stored already"):
        store(row)


def test_a_refused_row_leaves_the_transaction_to_be_undone(generation):
    with pytest.raises(IntegrityError), transaction.atomic():
        insert(copied(Message))

    assert Message.objects.count() == 1


@pytest.fixture
def told():
    """Collect what signals say of a stored outcome: whether it has a key, and `created`."""
    heard = []

    def listen(sender, instance, **about):
        heard.append((instance.pk is not None, about.get("created")))

    for signal in (pre_save, post_save):
        signal.connect(listen, sender=RequestOutcome)
    yield heard
    for signal in (pre_save, post_save):
        signal.disconnect(listen, sender=RequestOutcome)


def outcomes(generation, count):
    plans = [add_plan(generation, step) for step in range(2, 2 + count)]
    return [RequestOutcome(plan=record, total_ms=1.0) for record in plans]


def test_those_who_listen_are_told(generation, told):
    insert(*outcomes(generation, 1))

    assert told == [(False, None), (True, True)]


@pytest.mark.parametrize("count", [1, 2])
def test_of_rows_that_are_inserted_together_nobody_is_told(generation, told, count):
    insert_all(outcomes(generation, count))

    assert RequestOutcome.objects.count() == 1 + count
    assert told == []
