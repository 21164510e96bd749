"""A sent request is stored once, takes little space, never changes, and is read back unchanged."""

import hashlib
import json
import random
from dataclasses import replace

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from agents.tools import TOOLS
from history.core.transcript.messages import ToolCall
from history.core.wire import pieces
from history.core.wire.request import WireRequest
from history.models import AppendOnlyError, Conversation, RequestOutcome, Wire
from history.services.answers.deleting import delete_conversations
from history.services.answers.queueing import fork
from history.services.media.reading import data_url
from history.services.path.appending import append, assistant_message, result_message
from history.services.wire import storing
from history.services.wire.figures import store_outcome
from history.services.wire.storing import body_of, wires_of
from tests.attached import put_picture
from tests.factories import begin_turn, end_turn, make_agent, make_conversation, store_step

pytestmark = pytest.mark.django_db
OUTCOME = {"finish_reason": "stop", "attempts": 1, "total_ms": 1.0}
WORDS = ["harbour", "lantern", "ferry", "öre", "granite", "whistle", "orchard", "kettle"]


@pytest.fixture
def conversation():
    agent = make_agent(tools=sorted(TOOLS)[:3], system_prompt="Be as brief as you can. " * 20)
    agent.history_settings = {"policy": "all"}
    agent.save()
    return make_conversation(agent)


def sent_as(parts, *, ascii_only):
    """Make the request as a library would write it."""
    body = {name: getattr(parts, name) for name in ("model", "messages", "tools")}
    data = json.dumps({**body, "stream": True}, ensure_ascii=ascii_only).encode()
    return WireRequest("POST", "http://a.example/v1", {"accept": "*/*"}, data, 200, {"cf-ray": "1"})


def ask(conversation, text, answer="An answer", *, ascii_only=True):
    """Add a turn with a sent request; return its record and the request."""
    generation = begin_turn(conversation, text)
    step = store_step(generation)
    sent = sent_as(step.parts, ascii_only=ascii_only)
    store_outcome(step.record, OUTCOME, [replace(sent, status=503), sent])
    end_turn(generation, answer)
    return step.record, sent


def said(seed):
    return " ".join(random.Random(seed).choices(WORDS, k=60))


@pytest.mark.parametrize("ascii_only", [True, False])
def test_each_attempt_comes_back_byte_for_byte(conversation, ascii_only):
    ask(conversation, said(1))
    call = ToolCall("c1", "calculator", json.dumps({"expression": said(3)}))
    new = [assistant_message("", (call,)), result_message(call, said(4))]
    append(conversation.branch, new)
    record, sent = ask(conversation, said(2), ascii_only=ascii_only)

    wires = wires_of(record)

    assert [(wire.attempt, wire.status) for wire in wires] == [(1, 503), (2, 200)]
    for wire in wires:
        assert body_of(wire) == sent.body
        assert (wire.digest, wire.size) == (hashlib.sha256(sent.body).hexdigest(), len(sent.body))
        assert (wire.address, wire.answered) == (sent.address, {"cf-ray": "1"})


def test_what_left_is_packed_before_anything_is_locked(conversation):
    with CaptureQueriesContext(connection) as queries:
        ask(conversation, said(1))

    made = [query["sql"] for query in queries]
    (stored,) = (place for place, sql in enumerate(made) if "history_requestoutcome" in sql)
    locked = max(place for place in range(stored) if made[place].startswith("SAVEPOINT"))
    (wires,) = (place for place, sql in enumerate(made) if 'INTO "history_wire"' in sql)
    assert not [sql for sql in made[locked:wires] if 'FROM "history_message"' in sql]


def test_what_cannot_be_packed_does_not_lose_the_outcome(conversation, caplog):
    generation = begin_turn(conversation, said(1))
    step = store_step(generation)
    step.record.texts["system_prompt"] = "gone"

    store_outcome(step.record, OUTCOME, [sent_as(step.parts, ascii_only=True)])

    assert RequestOutcome.objects.filter(plan=step.record).exists()
    assert (wires_of(step.record), "could not be recorded: DoesNotExist" in caplog.text) == (
        [],
        True,
    )


def test_what_a_conversation_takes_grows_by_what_is_new(conversation):
    taken = []
    for turn in range(50):
        record, sent = ask(conversation, said(turn), said(turn + 100))
        taken.append((len(sent.body), len(bytes(record.wires.get(attempt=2).packed))))
    sizes, rooms = zip(*taken, strict=True)

    assert sizes[-1] > 10 * sizes[0]  # Each request contains the whole chat.
    assert rooms[-1] - rooms[0] < (sizes[-1] - sizes[0]) / 50  # Only new texts are stored.
    assert rooms[-1] < len(said(0)) * 2


def test_an_answer_takes_two_statements_more(conversation, django_assert_max_num_queries):
    step = store_step(begin_turn(conversation, said(0)))
    sent = sent_as(step.parts, ascii_only=True)

    with django_assert_max_num_queries(7):  # 5 without a wire, plus a savepoint.
        store_outcome(step.record, OUTCOME, [sent])


def test_nobody_changes_it(conversation):
    record, _ = ask(conversation, said(0))

    for change in (
        lambda: record.wires.update(status=500),
        lambda: record.wires.all().delete(),
        lambda: record.wires.first().save(),
    ):
        with pytest.raises(AppendOnlyError):
            change()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        connection.cursor().execute("UPDATE history_wire SET status = 500")


def test_it_goes_with_its_conversation(conversation):
    ask(conversation, said(0))

    delete_conversations([conversation.pk])

    assert not Conversation.objects.exists()
    assert not Wire.objects.exists()


@pytest.mark.django_db(transaction=True)  # A transaction's end checks foreign keys.
def test_a_conversation_that_is_gone_stores_nothing(conversation):
    step = store_step(begin_turn(conversation, said(0)))
    conversation.generations.update(status="done")
    delete_conversations([conversation.pk])

    store_outcome(step.record, OUTCOME, [sent_as(step.parts, ascii_only=True)])

    assert not Wire.objects.exists()


def test_a_picture_is_named_instead_of_stored_again(conversation):
    digest = put_picture(conversation, "a harbour", size=(600, 400))
    url = data_url(digest)
    _, sent = ask(conversation, said(1))
    content = [{"type": "image_url", "image_url": {"url": url}}]
    body = json.dumps({"messages": [{"role": "user", "content": content}]}).encode()
    store_outcome(
        store_step(begin_turn(conversation, "And?")).record,
        OUTCOME,
        [replace(sent, body=body)],
    )

    wire = Wire.objects.latest("pk")

    assert len(url) > 1_100
    assert body_of(wire) == body
    assert len(wire.packed) < 200


def test_texts_of_a_shared_branch_are_named_in_the_order_of_the_body(conversation, monkeypatch):
    for number in range(3):
        ask(conversation, said(1), said(number + 5))  # The same question each time.
    conversation.branch = fork(conversation, conversation.branch, through=3)
    conversation.save()
    record, sent = ask(conversation, said(1))
    orders = []

    def in_pieces(body, texts):
        orders.append([place for place, _ in texts if isinstance(place, int)])
        return pieces.in_pieces(body, texts)

    monkeypatch.setattr(storing, "in_pieces", in_pieces)
    storing.rows_of(record, [sent])

    assert orders == [[0, 1, 2, 3, 4]]
