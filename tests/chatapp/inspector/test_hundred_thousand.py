"""The pages of a conversation of 100,000 messages, compared with those of one of 1,000.

No times are measured here, only queries, bytes and memory.
"""

import tracemalloc
from dataclasses import dataclass

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import data
from tests.factories import add_turn, add_turns, make_agent, make_conversation
from tests.query_plans import query_plan

pytestmark = pytest.mark.whole

SHORT, LONG = 1_000, 100_000
RECORDS = 3  # The newest turns, added by real requests.
VISITOR = "a" * 32
SETTINGS = {
    "a number of turns": {"policy": "lastN", "length": 20},
    "a budget of tokens": {"policy": "all", "token_budget": 8_000},
}
PAGES = {
    "the chat": "/chat/{id}",
    "the chat further up": "/chat/{id}/older?before=500",
    "the chat in its middle": "/chat/{id}/around?position=500&since=0&before=900",
    "a search": "/chats?q=question",
    "the panel": "/chat/{id}/panel",
    "rows of its map": "/chat/{id}/panel/rows?{record}&first=0&last=200&most=9&end=newest",
    "the page of a turn": "/chat/{id}/debug/turn/{turn}",
    "a try": "/chat/{id}/panel/what-if?{record}&set.policy=lastN&set.length=5",
}

WALKED = {"history_callfigures", "history_checkpoint"}  # Tables read for a whole conversation.


@dataclass(frozen=True)
class Taken:
    """The cost of a page: database queries, bytes of the page, peak memory in bytes."""

    queries: int
    size: int
    memory: int


@pytest.mark.django_db
def test_a_page_takes_the_same_however_long_the_chat(client):
    conversations = [stored(client, messages) for messages in (SHORT, LONG)]

    for strategy, values in SETTINGS.items():
        short, long = (answered(conversation, values) for conversation in conversations)
        for page, address in PAGES.items():
            small, large = (taken(client, address.format(**names)) for names in (short, long))

            assert large.queries == small.queries, (strategy, page)
            assert large.size <= 1.1 * small.size, (strategy, page)
            assert large.memory <= 1.3 * small.memory, (strategy, page)


@pytest.mark.skipif(bool(data.server()), reason="PostgreSQL chooses by statistics of many rows")
@pytest.mark.django_db
@pytest.mark.parametrize("page", ["the panel", "the page of a turn"])
def test_no_page_walks_all_requests(client, page):
    """Answers are found by turn. Only requests' figures and summaries are read as a whole."""
    names = answered(stored(client, 10), {"policy": "lastN", "length": 2})
    with CaptureQueriesContext(connection) as queries:
        client.get(PAGES[page].format(**names))

    found = [step for query in queries for step in query_plan(query["sql"])]
    walks = {step.split()[1] for step in found if step.endswith("(conversation_id=?)")}
    assert [step for step in found if "history_generation_turn" in step] != []
    assert walks == WALKED
    assert [query for query in queries if "JSON_EXTRACT" in query["sql"]] == []


def stored(client, messages):
    """Make a chat of this many messages, owned by the visitor."""
    session = client.session
    session["visitor"] = VISITOR
    session.save()
    agent = make_agent(f"of-{messages}")
    conversation = make_conversation(agent, visitor=VISITOR)
    add_turns(conversation, messages // 2)
    return conversation


def answered(conversation, values):
    """Add some turns with these settings; return the names that the addresses contain."""
    conversation.history_settings = values
    conversation.save()
    for _ in range(RECORDS):
        record = add_turn(conversation)
    generation = record.generation
    named = f"generation={generation.pk}&step=1"
    return {"id": conversation.pk, "turn": generation.turn, "record": named}


def taken(client, address):
    assert client.get(address).status_code == 200  # Fill the caches.
    with CaptureQueriesContext(connection) as queries:
        size = len(client.get(address).content)
        count = len(queries)  # The next request clears them.
    tracemalloc.start()
    client.get(address)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return Taken(count, size, peak)
