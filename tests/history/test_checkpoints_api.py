"""Summaries and statistics, by the API and in a terminal."""

from io import StringIO
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.test import AsyncClient

from chatapp.databases.threads import close_connections
from chatapp.generation import summaries
from history.models import Checkpoint
from tests.factories import begin_turn, make_agent, make_conversation
from tests.history.services import summarisers
from tests.history.services.summaries.summarising import LONG, say

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def conversation(monkeypatch):
    monkeypatch.setattr(summaries, "summarise", summarisers.prose)
    summarisers.asked.clear()
    conversation = make_conversation(make_agent(history_settings={"policy": "all"}))
    say(conversation, 8)
    return conversation


def address(conversation, more=""):
    return f"/api/conversations/{conversation.pk}/checkpoints{more}"


def compact(conversation, client):
    """Make a summary as a server does, since the API's commands are coroutines."""

    async def post():
        asking = AsyncClient()
        asking.cookies = client.cookies
        answer = await asking.post(address(conversation))
        await close_connections()
        return answer

    return async_to_sync(post)()


def test_one_is_made_listed_and_taken_back(owner, conversation):
    made = compact(conversation, owner)
    listed = owner.get(address(conversation)).json()
    undone = owner.delete(address(conversation, f"/{listed[0]['id']}"))
    after = owner.get(address(conversation)).json()

    assert made.status_code == 201
    assert made.json() == listed[0]
    assert (listed[0]["state"], listed[0]["applies"], listed[0]["summary"]) == (
        "ready",
        True,
        "Summary 1.",
    )
    assert undone.status_code == 200
    assert [(row["state"], row["applies"]) for row in after] == [("undone", False)]


def test_a_failure_is_an_answer_too(owner, conversation, monkeypatch):
    monkeypatch.setattr(summaries, "summarise", summarisers.refusing)
    made = compact(conversation, owner)

    assert made.status_code == 201
    assert (made.json()["state"], made.json()["reason"]) == ("failed", "the model is away")


def test_while_an_answer_is_written_it_is_refused(owner, conversation):
    begin_turn(conversation)
    made = compact(conversation, owner)

    assert (made.status_code, made.json()["code"]) == (409, "busy")


@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_somebody_elses_checkpoints_are_not_found(client, conversation, method):
    session = client.session
    session["visitor"] = uuid4().hex
    session.save()
    if method == "post":
        answer = compact(conversation, client)
    else:
        more = "/1" if method == "delete" else ""
        answer = getattr(client, method)(address(conversation, more))

    assert answer.status_code == 404


def test_statistics_count_everything(owner, conversation):
    compact(conversation, owner)
    row = Checkpoint.objects.get()
    begin_turn(conversation, LONG)
    found = owner.get(f"/api/conversations/{conversation.pk}/statistics").json()
    head = conversation.messages.latest("position")

    assert found == {
        "messages": {"assistant": 4, "user": 5},
        "turns": 5,
        "branches": 1,
        "tokens": head.tokens_through,
        "generations": {"running": 1},
        "requests": 0,
        "usage": None,
        "checkpoints": {"ready": 1},
        "summary_tokens": row.tokens,
        "summarised_tokens": row.source_tokens,
    }


def test_statistics_are_ones_own(client, conversation):
    client.post("/visitor")
    answer = client.get(f"/api/conversations/{conversation.pk}/statistics")

    assert answer.status_code == 404


def run(*arguments):
    out = StringIO()
    call_command("context", *map(str, arguments), stdout=out)
    return out.getvalue().strip()


def test_a_terminal_makes_one_and_takes_it_back(conversation):
    made = run("compact", conversation.pk)
    row = Checkpoint.objects.get()

    assert made == (
        f"Messages 1 to 6 summarised: {row.source_tokens} tokens reduced to {row.tokens}."
    )
    assert run("undo", conversation.pk) == ("Summary undone. Messages 1 to 6 are sent as usual.")


def test_a_terminal_is_told_why_not(conversation, monkeypatch):
    monkeypatch.setattr(summaries, "summarise", summarisers.nothing)

    with pytest.raises(CommandError, match="No summary: the model answered with nothing"):
        run("compact", conversation.pk)
    with pytest.raises(CommandError, match="no summary to undo"):
        run("undo", conversation.pk)
    with pytest.raises(CommandError, match="No conversation has the id nonsense"):
        run("compact", "nonsense")
