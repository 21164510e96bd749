"""A chat of 10,000 messages is exported a page at a time."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from history.models import Branch
from history.services.exports.chat_json import chat_json
from history.services.exports.reader import ExportReader
from history.services.exports.rows import PAGE
from tests.factories import add_turns, branch_of, make_conversation

pytestmark = pytest.mark.django_db
MESSAGES = 10_000


@pytest.fixture
def long_chat():
    chat = make_conversation()
    add_turns(chat, MESSAGES // 2 - 1)
    lineage = branch_of(chat).fork_lineage(99)
    chat.branch = Branch.objects.create(conversation=chat, lineage=lineage)
    chat.save()
    add_turns(chat, 1)
    return chat


def test_ten_thousand_messages_are_read_in_pages_and_come_once_in_order(long_chat):
    pieces, asked = [], []
    with CaptureQueriesContext(connection) as queries:
        for piece in chat_json(long_chat, ExportReader()):
            pieces.append(piece)
            if '"position":' in piece:
                asked.append(len(queries))

    places = [(row["branch"], row["position"]) for row in json.loads("".join(pieces))["messages"]]
    assert places == sorted(set(places))
    assert len(places) == MESSAGES
    assert asked[PAGE - 1] == asked[0] < 10  # Nothing beyond the first page was read yet.
    assert len(queries) < MESSAGES / PAGE + 20
