"""The request for a summary is stored as it left, and shown beside the summary."""

import json

import pytest
from asgiref.sync import async_to_sync
from django.db import DatabaseError, connection, transaction

from chatapp.databases.threads import close_connections, in_database
from chatapp.generation import summaries
from chatapp.llm import client as models
from history.models import AppendOnlyError, SummaryWire
from history.services.access import Actor
from history.services.summaries.actions import begin_compact
from history.services.wire.storing import body_of_summary
from tests.chatapp.inspector.pages import text_of
from tests.factories import make_agent, make_conversation
from tests.history.services.summaries.summarising import LONG, say
from tests.provider import LITELLM_WARNS, Reply

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
KEY = "sk-canary-0123456789"


@pytest.fixture
def conversation(admin_user, provider, monkeypatch):
    monkeypatch.setenv("OPENAI_API_BASE", f"{provider.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    settings = {"policy": "all", "summary_model": "openai/gpt-4o"}
    conversation = make_conversation(make_agent(history_settings=settings), admin_user)
    say(conversation, 8)
    return conversation


def compacted(conversation):
    async def write():
        job = await in_database(begin_compact, Actor(conversation.owner), conversation.pk)
        row = await summaries.write_summary(job, in_database)
        await models.close()
        await close_connections()
        return row

    return async_to_sync(write)()


def test_each_attempt_is_stored_and_shown(client, admin_user, conversation, provider):
    again = Reply(status=503, headers={"Retry-After": "0"})
    provider.script(again, Reply(text=["They spoke of something at length."]))

    row = compacted(conversation)

    wires = list(row.wires.order_by("attempt"))
    assert [wire.status for wire in wires] == [503, 200]
    assert [body_of_summary(wire) for wire in wires] == [r.body for r in provider.received]
    assert len(wires[0].packed) < len(LONG) * 6 < wires[0].size  # The texts are stored elsewhere.
    client.force_login(admin_user)
    address = f"/api/conversations/{conversation.pk}/checkpoints"
    shown = client.get(f"{address}/{row.pk}").json()["wires"]
    assert [wire["body"] for wire in shown] == [json.loads(r.body) for r in provider.received]
    assert [each["wires"] for each in client.get(address).json()] == [None]
    sentences = [difference["sentence"] for difference in shown[-1]["differences"]]
    assert "model openai/gpt-4o was sent as gpt-4o." in sentences
    page = text_of(client.get(f"/chat/{conversation.pk}/panel/summary/{row.pk}/wire"))
    expected = [*sentences, "Attempt 1: 503", "Attempt 2: 200", wires[1].digest, provider.url]
    assert [text for text in expected if text not in page] == []
    assert KEY not in page + repr(shown) + repr(list(SummaryWire.objects.values()))


def test_a_summary_that_could_not_be_used_has_its_wires(conversation, provider):
    provider.script(Reply(status=400))

    row = compacted(conversation)

    assert (row.state, [wire.status for wire in row.wires.all()]) == ("failed", [400])


def test_nobody_changes_them(conversation, provider):
    provider.script(Reply(text=["They spoke."]))
    row = compacted(conversation)

    with pytest.raises(AppendOnlyError):
        row.wires.update(status=500)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        connection.cursor().execute("UPDATE history_summarywire SET status = 500")
