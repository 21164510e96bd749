"""An address shows only those parts of a request that its reader may see. Nobody may see a key.

Private is what a template's author wrote: the prompt, the context texts, the tools' descriptions.
"""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from chatapp.generation.records import prepare_step
from history.models import GenerationEvent
from tests.factories import add_turn, begin_turn, make_agent, make_conversation, make_reader

KEY = "sk-canary-0123456789"
PRIVATE = {
    "prompt": "Never say aubergine.",
    "context": "They grow parsnips",
    "tools": "Exact arithmetic",
}
ROLES = ("owner", "owner with a public prompt", "staff", "other")
RECORD = "generation={generation}&step=1"
ROWS = f"{RECORD}&first=0&last=0&most=9&end=oldest"


@dataclass(frozen=True)
class Door:
    """An address of a conversation: the private texts that it may show, and the people it answers.

    `post` is the JSON to send to it, if any.
    """

    path: str
    shows: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    post: dict[str, Any] | None = None


def door(path: str, *shows: str) -> Door:
    """Make a door for owners and for staff who read chats."""
    return Door(path, frozenset(shows), OWNERS | STAFF)


def own(path: str, **post: Any) -> Door:
    """Make a door for owners only."""
    return Door(path, people=OWNERS, post=post or None)


PUBLIC = frozenset({"owner with a public prompt"})
STAFF = frozenset({"staff"})
OWNERS = PUBLIC | {"owner"}
READERS = PUBLIC | STAFF  # People who may read private texts.
ALL = tuple(PRIVATE)
CHAT, API = "/chat/{id}", "/api/conversations/{id}"
DOORS = {
    "the chat": own(CHAT),
    "the chat with the panel": own(f"{CHAT}?debug=true"),
    "the panel": door(f"{CHAT}/panel", "prompt", "context"),
    "the panel of a step": door(f"{CHAT}/panel?{RECORD}", "prompt", "context"),
    "rows of its map": door(f"{CHAT}/panel/rows?{ROWS}"),
    "a turn's page": door(f"{CHAT}/debug/turn/2", "prompt", "context"),
    "a try on it": door(f"{CHAT}/debug/turn/2?set.length=1", "prompt", "context"),
    "the what-if": door(f"{CHAT}/panel/what-if?{RECORD}&set.length=1"),
    "a replay": door(f"{CHAT}/panel/replay?set.length=1"),
    "the raw request": door(f"{CHAT}/panel/raw/request?{RECORD}", *ALL),
    "its first message": door(f"{CHAT}/panel/raw/message?{RECORD}&number=1", "prompt"),
    "its difference": door(f"{CHAT}/panel/raw/difference?{RECORD}", "context"),
    "its response": door(f"{CHAT}/panel/raw/response?{RECORD}"),
    "its events": door(f"{CHAT}/panel/raw/events?{RECORD}"),
    "its JSON": door(f"{CHAT}/panel/raw/request.json?{RECORD}", *ALL),
    "its curl": door(f"{CHAT}/panel/raw/request.curl?{RECORD}", *ALL),
    "the transcript for staff": Door("/inspect/{id}", people=STAFF),
    "the API's conversation": own(API),
    "the API's messages": own(f"{API}/messages"),
    "the API's settings": own(f"{API}/settings"),
    "the API's summaries": own(f"{API}/checkpoints"),
    "the API's statistics": own(f"{API}/statistics"),
    "the API's advice": own(f"{API}/advice"),
    "the API's plans": door(f"{API}/plans"),
    "the API's plan of a turn": door(f"{API}/turns/2/context"),
    "the API's answer": own(f"{API}/generations/{{generation}}"),
    "the API's what-if": own(f"{API}/what-if", variants=[{}], turn=2),
    "the API's replay": own(f"{API}/what-if", variants=[], replay=True),
}


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    """Set the provider's key, and an address that contains a password."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_BASE", f"https://harbour:{KEY}@models.example/v1?key={KEY}")


@pytest.fixture
def people(ada):
    """Return a client for each role."""
    users = dict.fromkeys(ROLES, ada)
    users["staff"] = make_reader("eve")
    users["other"] = User.objects.create_user("bob")
    browsers = {role: Client() for role in ROLES}
    for role, user in users.items():
        browsers[role].force_login(user)
    return browsers


def asked(ada, *, is_public):
    """Make a chat of two turns; return the record of the second one."""
    agent = make_agent(
        "open" if is_public else "closed",
        model="openai/gpt-4o",
        system_prompt=PRIVATE["prompt"],
        context=[{"name": "rules", "text": f"{PRIVATE['context']} in turn {{turn}}."}],
        tools=["calculator"],
        prompt_is_public=is_public,
    )
    conversation = make_conversation(agent, ada)
    add_turn(conversation)
    record = prepare_step(begin_turn(conversation), 1).record
    GenerationEvent.objects.create(
        generation=record.generation, seq=1, kind="plan", payload={"step": 1}
    )
    return record


def found(browser, opened, record):
    """Return an answer's status, and the names of the private texts in it."""
    names = {"id": record.generation.conversation_id, "generation": record.generation_id}
    address = opened.path.format(**names)
    ask = (
        [address] if opened.post is None else [address, json.dumps(opened.post), "application/json"]
    )
    response = (browser.get if opened.post is None else browser.post)(*ask)
    text = response.content.decode()
    assert KEY not in text
    return response.status_code, {name for name, words in PRIVATE.items() if words in text}


@pytest.mark.django_db
@pytest.mark.parametrize("name", DOORS)
def test_a_door_tells_each_what_they_may_know(people, ada, name):
    opened = DOORS[name]
    open_, closed = asked(ada, is_public=True), asked(ada, is_public=False)

    told = {
        role: found(people[role], opened, open_ if role in PUBLIC else closed) for role in ROLES
    }

    assert told == {role: expected(opened, role) for role in ROLES}


def expected(opened, role):
    if role not in opened.people:
        return 404, set()
    return 200, set(opened.shows) if role in READERS else set()
