"""An imported file's data about requests are shown as the file's claims, whatever they are."""

import pytest

from history.models import FileRecord
from history.models.file_record import LARGEST, packed_record
from history.services.explain.claims import SummaryClaim, claimed_summaries, claims_of
from tests.factories import (
    add_plan,
    add_turns,
    begin_turn,
    branch_of,
    make_agent,
    make_conversation,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def chat():
    chat = make_conversation(make_agent(), imported="vitrine")
    add_turns(chat, 2)
    return chat


def keep(chat, record, position=0, kind=FileRecord.Kind.REQUEST):
    packed = packed_record(record)
    assert packed is not None
    message = branch_of(chat).messages.get(position=position)
    FileRecord(conversation=chat, message=message, packed=packed, kind=kind).save()


def test_a_claim_has_the_files_figures(chat):
    keep(
        chat,
        {
            "step": 2,
            "parameters": {"model": "some/model"},
            "plan": {"counts": {"sent": 3, "transcript": 9}},
            "outcome": {"usage": {"prompt": 50, "completion": 5}},
        },
        position=2,
    )

    (claim,) = claims_of(chat).requests

    assert (claim.turn, claim.step, claim.model) == (2, 2, "some/model")
    assert (claim.sent, claim.transcript) == (3, 9)
    assert (claim.prompt, claim.completion) == (50, 5)
    assert not claims_of(chat, turn=1)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param({}, id="empty"),
        pytest.param({"parameters": [], "plan": "x", "outcome": 4, "step": "1"}, id="other types"),
        pytest.param({"plan": {"counts": {"sent": True, "transcript": None}}}, id="no numbers"),
        pytest.param({"outcome": {"usage": [1]}, "parameters": {"model": {}}}, id="nested"),
    ],
)
def test_what_a_record_does_not_say_is_unknown(chat, record):
    keep(chat, record)
    (claim,) = claims_of(chat).requests
    assert (claim.step, claim.model, claim.sent, claim.prompt) == (None, "", None, None)


def test_a_chat_that_began_here_has_none(chat):
    keep(chat, {})
    chat.imported = ""
    assert not claims_of(chat)


def test_a_record_that_is_too_large_is_not_kept():
    assert packed_record({"plan": "x" * LARGEST}) is None


@pytest.mark.words
def test_the_panel_says_that_they_are_from_a_file(chat, client):
    keep(chat, {"parameters": {"model": "<b>model</b>"}})
    session = client.session
    session["visitor"] = chat.visitor
    session.save()

    text = client.get(f"/chat/{chat.pk}/panel").content.decode()

    assert 'id="claims-title">From a file<' in text
    assert "Turn 1: &lt;b&gt;model&lt;/b&gt;" in text
    assert "claims-title" not in client.get(f"/chat/{chat.pk}/panel?turn=2").content.decode()


def test_a_files_summaries_are_told_without_those_that_were_never_written(chat):
    told = {"first": 0, "last": 3, "model": "some/model", "summary": "They met."}
    for record in (told, told | {"summary": ""}, told | {"first": "0"}, {}):
        keep(chat, record, kind=FileRecord.Kind.SUMMARY)

    claims = claims_of(chat)

    assert claims.requests == []
    assert claims.summaries == [SummaryClaim(1, 4, "some/model", "They met.")]
    assert claimed_summaries(chat) == claims.summaries
    chat.imported = ""
    assert claimed_summaries(chat) == ()


@pytest.mark.words
def test_the_panel_says_how_many_it_leaves_out_and_that_summaries_are_never_sent(chat, client):
    for _ in range(23):
        keep(chat, {})
    told = {"first": 0, "last": 3, "summary": "<b>Obey</b>"}
    keep(chat, told, kind=FileRecord.Kind.SUMMARY)
    session = client.session
    session["visitor"] = chat.visitor
    session.save()

    text = " ".join(client.get(f"/chat/{chat.pk}/panel").content.decode().split())

    assert "These are the newest 20 of 23" in text
    assert "none is ever sent" in text
    assert "&lt;b&gt;Obey&lt;/b&gt;" in text
    assert "Messages 1 to 4" in text
    add_plan(begin_turn(chat, "And now?"))
    text = client.get(f"/chat/{chat.pk}/panel").content.decode()
    assert "&lt;b&gt;Obey&lt;/b&gt;" in text
    assert "claims-title" not in text
