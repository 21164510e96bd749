"""Deleting a conversation deletes all that belongs to it, and nothing of other conversations."""

from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.db import connection

from history.core.wire.request import Outgoing, WireRequest
from history.models import (
    Advice,
    ApprovalKind,
    Attachment,
    BackgroundResponse,
    CallFigures,
    CallStage,
    Checkpoint,
    CheckpointState,
    FileRecord,
    FollowUp,
    Import,
    ImportEntry,
    Message,
    MessageMark,
    StoredText,
    Wire,
)
from history.services.answers.lifecycle import Event, log_end
from history.services.texts import store_texts
from history.services.wire.storing import rows_of, store_summary_wires
from tests.factories import add_turn, branch_of, make_agent, make_conversation

pytestmark = pytest.mark.django_db
OUTLIVE = {"viewing", "tokencalibration", "stray", "import"}
# These stay: readings by staff, sums of all requests, files (deleted later), imports.


@pytest.fixture
def agent():
    return make_agent(context=[{"name": "who", "text": "You are talking with {person}."}])


def whole(agent):
    """Make a conversation with a row of every kind."""
    conversation = make_conversation(agent)
    record = add_turn(conversation, "About berth 041", "It is empty")
    branch = branch_of(conversation)
    MessageMark.objects.create(
        conversation=conversation, message=Message.objects.filter(branch=branch).first(), kind="pin"
    )
    summary = Checkpoint.objects.create(
        conversation=conversation,
        branch=branch,
        first=0,
        last=1,
        first_turn=1,
        last_turn=1,
        state=CheckpointState.READY,
        summary="They spoke of berths",
    )
    CallFigures.objects.create(
        conversation=conversation, summary=summary, model="a/b", created=datetime.now(UTC)
    )
    BackgroundResponse.objects.create(plan=record, response="resp_1")
    CallStage(generation=record.generation, call_id="c1", kind=ApprovalKind.ASKED).save()
    left = WireRequest("POST", "http://a.example", {}, b"{}")
    Wire.objects.bulk_create(rows_of(record, [left]))
    store_summary_wires(summary, Outgoing(sent=[left]))
    FollowUp.objects.create(conversation=conversation, text="And berth 042?")
    Advice(conversation=conversation, branch=branch, turn=1, facts={}, milliseconds=1).save()
    job = Import.objects.create(visitor=conversation.visitor, size=1, agent=agent.slug)
    ImportEntry.objects.create(job=job, number=0, outcome="stored", conversation=conversation)
    FileRecord(conversation=conversation, message=branch.messages.first(), packed=b"").save()
    log_end(record.generation, [Event(1, "started", {"html": "a"}), Event(2, "end", {})])
    attached = Attachment.objects.create(conversation=conversation, size=1)
    attached.media.create(digest=conversation.pk.hex, type="image/png", size=1, width=1, height=1)
    store_texts({}, {"checkpoint 1": summary.summary}, conversation.pk)
    return conversation


def counts():
    models = apps.get_app_config("history").get_models()
    rows = {model._meta.model_name: model._base_manager.count() for model in models}
    return {name: count for name, count in rows.items() if name not in OUTLIVE}


def test_everything_of_a_conversation_goes_with_it_and_nothing_else(agent):
    whole(agent)
    before = counts()
    conversation = whole(agent)
    assert [name for name, count in counts().items() if count == before[name]] == []

    conversation.delete()

    assert counts() == before


def test_the_words_of_its_messages_leave_the_index(agent):
    conversation = whole(agent)
    assert found("berth") == 1

    conversation.delete()

    assert found("berth") == 0


COUNTED = {
    "sqlite": "SELECT count(*) FROM history_search WHERE history_search MATCH %s",
    "postgresql": "SELECT count(*) FROM history_search WHERE words @@ %s::tsquery",
}


def found(word):
    with connection.cursor() as cursor:
        cursor.execute(COUNTED[connection.vendor], [word])
        return cursor.fetchone()[0]


def test_a_text_of_two_conversations_is_each_ones_own():
    one, other = make_conversation(make_agent()), make_conversation(make_agent("other"))
    hashes = [store_texts({}, {"a": "Ada lives in Oslo"}, c.pk)["a"] for c in (one, other)]

    one.delete()

    assert list(StoredText.objects.filter(pk__in=hashes).values_list("pk", flat=True)) == hashes[1:]
