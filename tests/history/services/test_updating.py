"""A prepared update changes what Django's own would change."""

import importlib
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction

from history.models import Conversation, Generation, GenerationStatus
from history.services.answers import changes
from history.services.answers.sending import send
from history.services.prepared import field
from history.services.updating import Change, PreparedUpdate, prepared_update
from tests.history.services.conftest import ADA, say

NOW = datetime(2026, 2, 3, 4, 5, 6, 7, tzinfo=UTC)
END = {"status": GenerationStatus.FAILED, "error": {"kind": "a", "message": 'é"'}, "ended": NOW}
VALUES: dict[str, list[dict[str, Any]]] = {
    "note_message": [
        {"branch": None, "model": "m/x", "archived": NOW, "now": NOW},
        {"branch": None, "model": "", "archived": None, "now": NOW},
    ],
    "begin_queued": [{"owner": "here", "now": NOW}],
    "end_open": [END, {**END, "error": None}],
    "end_owned": [{**END, "owner": ""}, {**END, "owner": "another"}],
    "note_logged": [{"seq": 7}],
    "note_new_answer": [{}],
}
CASES = [(name, values) for name, each in VALUES.items() for values in each]


@pytest.fixture
def ack(demo):
    return send(ADA, say(agent="demo"))


def key_of(update, ack):
    of_chat = update.change(**dict.fromkeys(update._fields)).rows.model is Conversation
    return (ack.conversation if of_chat else ack.generation).pk


def test_every_one_is_compared():
    updates = {
        name
        for file in sorted((settings.BASE_DIR / "history").rglob("*.py"))
        if "updating import" in file.read_text()
        for name, value in vars(
            importlib.import_module(
                ".".join(file.relative_to(settings.BASE_DIR).with_suffix("").parts)
            )
        ).items()
        if isinstance(value, PreparedUpdate)
    }

    assert updates == VALUES.keys()


def rows():
    return [*Conversation.objects.values(), *Generation.objects.values()]


@pytest.mark.parametrize(("name", "values"), CASES)
def test_it_changes_what_django_changes(ack, name, values):
    update = getattr(changes, name)
    given = {**values, "pk": key_of(update, ack)}
    before = rows()
    with transaction.atomic():
        change = update.change(**given)
        count, expected = change.rows.update(**change.values), rows()
        transaction.set_rollback(True)
    assert rows() == before

    assert (update(**given), rows()) == (count, expected)


def test_an_answer_that_goes_on_keeps_the_time_of_its_start(ack):
    Generation.objects.update(started=NOW)

    assert changes.begin_queued(pk=ack.generation.pk, owner="here", now=datetime.now(UTC)) == 1

    assert Generation.objects.get().started == NOW


def test_a_message_opens_its_branch(ack):
    other = ack.conversation.branches.create(lineage=[])
    changes.note_message(pk=ack.conversation.pk, branch=other.pk, model="", archived=None, now=NOW)

    assert Conversation.objects.get().branch == other


@pytest.mark.parametrize("name", VALUES)
def test_it_is_bound_anew_each_time(ack, name):
    update, before = getattr(changes, name), rows()

    assert update(**{**VALUES[name][0], "pk": uuid4()}) == 0

    assert rows() == before


def test_an_error_ends_the_transaction(ack):
    @prepared_update(pk=field(Generation, "id"), turn=field(Generation, "turn"))
    def turned(pk, turn):
        return Change(Generation.objects.filter(pk=pk), {"turn": turn})

    with transaction.atomic():
        with pytest.raises(DatabaseError):
            turned(pk=ack.generation.pk, turn=None)
        assert connection.needs_rollback
        transaction.set_rollback(True)
