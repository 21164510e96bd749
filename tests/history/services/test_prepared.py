"""A prepared query returns what its queryset returns."""

import gc
import importlib
import weakref
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Model, Value
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from agents.models import SiteDefaults
from history.models import (
    CallStage,
    Conversation,
    FollowUp,
    MessageMark,
    TokenCalibration,
)
from history.services.access import Actor, access_conversation
from history.services.answers.sending import send
from history.services.errors import NotFound
from history.services.path.appending import append, assistant_message
from history.services.prepared import PreparedQuery, field, follow, prepared
from history.services.texts import store_text
from tests.factories import make_summary
from tests.history.services.conftest import ADA, BOB, say

WRITERS = "history.services.prepared import"


def all_prepared():
    """Return every prepared query of the app, by its module and name."""
    found = {}
    for package in ("agents", "chatapp", "history"):
        for file in sorted((settings.BASE_DIR / package).rglob("*.py")):
            if WRITERS in file.read_text():
                found |= prepared_in(file.relative_to(settings.BASE_DIR))
    return found


def prepared_in(file):
    values = vars(importlib.import_module(".".join(file.with_suffix("").parts))).values()
    queries = [value for value in values if isinstance(value, PreparedQuery)]
    return {name_of(query): query for query in queries}


def name_of(query):
    return f"{query.__module__.removeprefix('history.services.')}.{query.__name__}"


PREPARED = all_prepared()
LOCKING = ["access.held_of_user", "access.held_of_visitor", "path.queries.locked"]


@pytest.fixture
def chat(demo):
    """Make a chat with a row for every query."""
    sent = say(agent="demo")
    ack = send(ADA, sent)
    message, conversation = ack.message, ack.conversation
    append(ack.generation.branch, [assistant_message("Hi.", agent="demo")], ack.generation)
    MessageMark.objects.create(conversation=conversation, message=message, kind="pin")
    make_summary(conversation, last=1, last_turn=1)
    CallStage.objects.create(generation=ack.generation, call_id="c1", kind="asked")
    FollowUp.objects.create(conversation=conversation, text="And?", ids=["1"])
    SiteDefaults.objects.get_or_create(history_settings={"length": 3})
    TokenCalibration.objects.create(model="m", requests=4, estimated=1.5, reported=2.5, factor=1.2)
    return ack


def values_of(name, chat):
    """Return values with which each query finds something."""
    conversation = chat.conversation.pk
    return {
        "access.held_of_user": lambda: dict(zip(("pk", "whose"), users_chat(), strict=True)),
        "access.held_of_visitor": lambda: {"pk": conversation, "whose": ADA.visitor},
        "answers.queueing.sent_as": lambda: {
            "conversation": conversation,
            "id_": chat.message.client_msg_id,
        },
        "answers.preconditions.opened_in": lambda: {"conversation": conversation},
        "path.queries.newest_of": lambda: {"branch": chat.generation.branch_id},
        "path.queries.marks_in": lambda: {"conversation": conversation},
        "path.queries.ready_in": lambda: {"conversation": conversation},
        "path.queries.newest_page": lambda: {"branch": chat.generation.branch_id, "turn": 1},
        "answers.approval_log.stages_of": lambda: {"generation": chat.generation.pk},
        "settings.calibration.learnt_of": lambda: {"model": "m"},
        "texts.kept_as": lambda: {"digest": store_text("Be kind.")},
        "path.queries.locked": lambda: {"pk": conversation},
        "answers.follow_ups.waiting_in": lambda: {"conversation": conversation},
        "path.queries.texts_between": lambda: {
            "branch": chat.generation.branch_id,
            "first": 0,
            "last": 1,
        },
        "path.queries.written_by": lambda: {"generation": chat.generation.pk},
        "settings.layers.site_defaults": lambda: {},
    }[name]()


def users_chat():
    ada = User.objects.create_user("ada")
    return send(Actor(user=ada), say(agent="demo")).conversation.pk, ada.pk


def plain(row):
    """Return all that a row holds, with the rows that were read together with it."""
    if not isinstance(row, Model):
        return type(row).__name__, getattr(row, "_fields", ()), row
    return *columns(row), {name: row and columns(row) for name, row in read_with(row).items()}


def columns(row):
    rest = {name: value for name, value in vars(row).items() if name != "_state"}
    return type(row), row._state.adding, row._state.db, rest, sorted(read_with(row))


def read_with(row):
    return row._state.fields_cache


@pytest.mark.parametrize("name", sorted(PREPARED))
def test_it_finds_what_its_queryset_finds(name, chat):
    query, values = PREPARED[name], values_of(name, chat)

    with transaction.atomic():
        found, expected = query(**values), list(query.queryset(**values))

    assert expected
    assert [plain(row) for row in found] == [plain(row) for row in expected]


@pytest.mark.parametrize("name", sorted(PREPARED.keys() - {"settings.layers.site_defaults"}))
def test_it_is_bound_anew_each_time(name, chat):
    query, values = PREPARED[name], values_of(name, chat)
    others = {key: another(key, value) for key, value in values.items()}

    with transaction.atomic():
        assert query(**values)
        assert query(**others) == list(query.queryset(**others)) == []
        assert query(**values)


def another(key, value):
    """Return a value that no row has."""
    if isinstance(value, int):
        return value + 1_000
    return uuid4().hex if key in {"whose", "digest", "model"} else uuid4()


def test_nobody_elses_chat_is_held(chat):
    with transaction.atomic():
        for stranger in (Actor(), BOB, Actor(user=User.objects.create_user("eve"))):
            with pytest.raises(NotFound):
                access_conversation(stranger, chat.conversation.pk, hold=True)


def test_a_followed_key_is_read_once_and_as_using_it_would(chat):
    ours, theirs = (Conversation.objects.get() for _ in range(2))
    with CaptureQueriesContext(connection) as queries:
        follow(ours, "agent", "branch", "owner")
        follow(ours, "agent", "branch", "owner")

    assert len(queries) == 2
    for name in ("agent", "branch", "owner"):
        row = getattr(theirs, name)
        assert read_with(ours).get(name) == row


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", LOCKING)
def test_rows_are_locked_only_within_a_transaction_however_often(name, chat):
    if not connection.features.has_select_for_update:
        pytest.skip("SQLite locks no rows")
    query, values = PREPARED[name], values_of(name, chat)

    with transaction.atomic():
        assert query(**values)
    with pytest.raises(TransactionManagementError, match="outside of a transaction"):
        query(**values)


@pytest.mark.django_db(transaction=True)
def test_the_connection_that_it_was_written_for_is_not_kept():
    query = prepared(pk=field(Conversation, "id"))(lambda pk: Conversation.objects.filter(pk=pk))

    def used():
        query(pk=uuid4())
        connection.close()
        return weakref.ref(connections[DEFAULT_DB_ALIAS])

    with ThreadPoolExecutor(1) as threads:
        theirs = threads.submit(used).result()
    gc.collect()

    assert theirs() is None


def test_named_rows_have_every_name(chat):
    rows = Conversation.objects.annotate(seven=Value(7))
    query = prepared()(lambda: rows.values_list("seven", "visitor", named=True))

    ((found,), (expected,)) = query(), query.queryset()

    assert found._asdict() == expected._asdict() == {"seven": 7, "visitor": ADA.visitor}


@pytest.mark.django_db
def test_rows_of_another_kind_are_refused_when_they_are_written():
    query = prepared()(lambda: Conversation.objects.values("pk"))

    with pytest.raises(TypeError, match="no rows of a ValuesIterable"):
        query()
