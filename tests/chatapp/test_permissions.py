"""Every address is requested by everybody; a new address fails here until it is in the table.

The rows have the expected statuses. Things that a person may not see answer 404, as if missing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import URLResolver, get_resolver

from agents.models import AgentTemplate
from history.models import ApprovalKind, CallStage, Checkpoint, CheckpointState, Import
from history.services.access import Actor
from tests.attached import attach_picture, put_file, put_picture
from tests.factories import add_turn, branch_of, make_agent, make_conversation, make_reader

pytestmark = pytest.mark.django_db(transaction=True)
OTHERS = (
    "nobody",
    "visitor",
    "user",
    "staff",
    "reader",
    "owner",
)  # The owner is last, since a request may delete things.


@dataclass(frozen=True)
class Row:
    """The statuses for nobody, another visitor, another user, staff without any permission, staff
    who may read everybody's chats, and the owner.

    In `data`, words in capitals are replaced by values of the world. An API call sends it as JSON.
    """

    statuses: tuple[int, int, int, int, int, int]
    method: str = "get"
    data: dict[str, Any] = field(default_factory=dict)
    is_json: bool = False

    @property
    def expected(self) -> dict[str, int]:
        return dict(zip(OTHERS, self.statuses, strict=True))


def everybody(status: int = 200) -> Row:
    return Row((status,) * 6)


def page(owner: int = 200, **options: Any) -> Row:
    """Make the row of a page for the owner only; `nobody` is redirected to sign in."""
    return Row((302, 404, 404, 404, 404, owner), **options)


def read_page(**options: Any) -> Row:
    """Make the row of a page that staff with the right to read may open, too."""
    return Row((302, 404, 404, 404, 200, 200), **options)


def call(owner: int = 200, **options: Any) -> Row:
    """Make the row of an API call for the owner only."""
    return Row((401, 404, 404, 404, 404, owner), **options)


def for_anybody_here(**options: Any) -> Row:
    return Row((302, 200, 200, 200, 200, 200), **options)


ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")
RECORD = {"generation": "GENERATION", "step": 1}
SEND = {"text": "Hello", "client_msg_id": str(uuid4())}
ROWS = {
    "": everybody(302),
    "favicon.ico": everybody(302),
    "healthz": everybody(),
    "readyz": everybody(),
    "login": Row((200, 200, 302, 302, 302, 302)),
    "own_data": for_anybody_here(),
    "all_deleted": everybody(),
    "about": everybody(),
    "about/": everybody(302),
    "about/docs/": everybody(302),
    "document": everybody(),
    "document_file": everybody(),
    "shortcuts": everybody(),
    "keys": everybody(),
    "password_change": Row((302, 302, 200, 200, 200, 200)),
    "password_changed": Row((302, 302, 200, 200, 200, 200)),
    "password_reset": everybody(404),
    "password_reset_done": everybody(),
    "password_reset_complete": everybody(),
    "password_reset_confirm": everybody(),
    "admin/login/": Row((302, 302, 200, 302, 302, 200)),
    "admin/password_change/": everybody(302),
    "logout": Row((302,) * 6, "post"),
    "home": for_anybody_here(),
    "visitor": Row((302,) + (204,) * 5, "post"),
    "chats": for_anybody_here(),
    "found_older": for_anybody_here(data={"q": "pot"}),
    "found_in": page(data={"q": "pot"}),
    "change_chats": page(204, method="post", data={"act": "delete", "chat": "CONVERSATION"}),
    "attach": Row((302,) + (200,) * 5, "post"),
    "attachment": page(),
    "remove_attachment": page(204, method="post"),
    "media": read_page(),
    "file": read_page(),
    "imports": for_anybody_here(),
    "import": page(),
    "imported_chats": page(),
    "stop_import": page(method="post"),
    "undo_import": page(method="post"),
    "redo_import": page(method="post"),
    "new_panel": for_anybody_here(),
    "new_memory": for_anybody_here(),
    "chat": page(),
    "older": page(data={"before": 2}),
    "around": page(data={"position": 1, "since": 0, "before": 2}),
    "rename": page(204, method="post", data={"title": "Paris"}),
    "branch": page(302, method="post", data={"branch": "BRANCH"}),
    "export": read_page(data={"format": "json"}),
    "export_all": for_anybody_here(data={"format": "json"}),
    "memory": page(),
    "model": page(204, method="post", data={"model": ""}),
    "verdict": page(),
    "next_summary": page(),
    "undo_summary": page(204, method="post"),
    "delegation": page(data={"call": "c1"}),
    "marks": page(method="post", is_json=True, data={"marks": {"MESSAGE": "pin"}}),
    "panel": read_page(),
    "panel_rows": read_page(data=RECORD | {"first": 0, "last": 0, "most": 9, "end": "oldest"}),
    "turn": read_page(),
    "what_if": read_page(),
    "replay": read_page(),
    "take": page(method="post"),
    "experiments": read_page(data=RECORD),
    "what_if_everybody": Row((302, 404, 404, 404, 403, 403), data=RECORD),
    "what_if_undo": Row((302, 404, 404, 404, 403, 403), "post"),
    "raw_request": read_page(data=RECORD),
    "raw_message": read_page(data=RECORD | {"number": 1}),
    "raw_wire": read_page(data=RECORD),
    "raw_wire_json": read_page(data=RECORD),
    "summary_wire": read_page(),
    "raw_difference": read_page(data=RECORD),
    "raw_response": read_page(data=RECORD),
    "raw_events": read_page(data=RECORD),
    "raw_json": read_page(data=RECORD),
    "raw_curl": read_page(data=RECORD),
    "failures": Row((302, 404, 404, 404, 200, 404)),
    "figures_file": Row((302, 404, 404, 404, 200, 404)),
    "overview": Row((302, 404, 404, 404, 200, 404)),
    "transcript": Row((302, 404, 404, 404, 200, 404)),
    "api:openapi-json": everybody(),
    "api:openapi-view": everybody(),
    "api:api-root": everybody(404),
    "api:list_agents": Row((401, 200, 200, 200, 200, 200)),
    "api:list_models": Row((401, 200, 200, 200, 200, 200)),
    "api:list_networks": Row((401, 200, 200, 200, 200, 200)),
    "api:list_conversations": Row((401, 200, 200, 200, 200, 200)),
    "api:search": Row((401, 200, 200, 200, 200, 200), data={"q": "question"}),
    "api:begin_conversation": Row((401,) + (404,) * 5, "post", data=SEND | {"agent": "gone"}),
    "api:list_imports": Row((401, 200, 200, 200, 200, 200)),
    "api:import_chats": Row((401,) + (422,) * 5, "post"),
    "api:get_import": call(),
    "api:stop_import": call(method="post"),
    "api:undo_import": call(method="post"),
    "api:get_conversation": call(),
    "api:change_conversation": call(method="patch", data={"title": "Paris"}),
    "api:delete_conversation": call(204, method="delete"),
    "api:list_messages": call(),
    "api:send_message": call(409, method="post", data=SEND | {"head": 0}),
    "api:edit_message": call(422, method="post", data=SEND | {"text": ""}),
    "api:attach_file": Row((401,) + (422,) * 5, "post"),
    "api:remove_file": call(204, method="delete"),
    "api:put_mark": call(method="put", data={"kind": "pin"}),
    "api:delete_mark": call(204, method="delete"),
    "api:export_conversation": Row((401, 404, 404, 404, 200, 200), data={"format": "json"}),
    "api:export_everything": Row((401, 200, 200, 200, 200, 200), data={"format": "markdown"}),
    "api:get_settings": call(),
    "api:list_checkpoints": call(),
    "api:make_checkpoint": call(409, method="post"),
    "api:get_checkpoint": Row((401, 404, 404, 404, 200, 200)),
    "api:undo_checkpoint": call(method="delete"),
    "api:get_statistics": call(),
    "api:get_advice": call(),
    "api:list_plans": Row((401, 404, 404, 404, 200, 200)),
    "api:get_plan": Row((401, 404, 404, 404, 200, 200)),
    "api:what_if": call(method="post", data={"variants": []}),
    "api:ask_model": call(422, method="post", data={"generation": "GENERATION"}),
    "api:list_experiments": call(data={"generation": "GENERATION"}),
    "api:get_generation": call(),
    "api:stop_generation": call(method="post"),
    "api:decide": call(409, method="post", data={"call": "c1", "approved": True}),
}


@dataclass(frozen=True)
class World:
    """A conversation with everything that an address can name, and a client for each person."""

    names: dict[str, Any]
    people: dict[str, Client]


def make_names(ada: User, agent: AgentTemplate) -> dict[str, Any]:
    """Make a conversation of Ada's; return what an address can name in it."""
    conversation = make_conversation(agent, ada)
    record = add_turn(conversation)
    CallStage(generation=record.generation, call_id="c1", kind=ApprovalKind.ASKED).save()
    branch = branch_of(conversation)
    checkpoint = Checkpoint.objects.create(
        conversation=conversation,
        branch=branch,
        first=0,
        last=1,
        first_turn=1,
        last_turn=1,
        state=CheckpointState.READY,
    )
    unsent = attach_picture(Actor(ada)).pk
    job = Import.objects.create(owner=ada, name="chats.zip", size=1, agent="demo")
    return {
        "conversation": conversation.pk,
        "conversation_id": conversation.pk,
        "message_id": branch.messages.get(position=0).pk,
        "turn": 1,
        "generation": record.generation_id,
        "generation_id": record.generation_id,
        "checkpoint": checkpoint.pk,
        "first": 0,
        "last": 0,
        "attachment": unsent,
        "attachment_id": unsent,
        "job": job.pk,
        "import_id": job.pk,
        "digest": put_picture(conversation),
        "message": put_file(conversation),
        "number": 0,
        "uidb64": "MQ",
        "token": "made-up",
        "document": "history",
        "supplement": "export.schema.json",
        "CONVERSATION": str(conversation.pk),
        "GENERATION": str(record.generation_id),
        "BRANCH": str(branch.pk),
        "MESSAGE": str(branch.messages.get(position=0).pk),
    }


def make_users(suffix: str = "") -> dict[str, User]:
    return {
        "owner": User.objects.create_user(f"ada{suffix}"),
        "user": User.objects.create_user(f"bob{suffix}"),
        "staff": User.objects.create_user(f"eve{suffix}", is_staff=True),
        "reader": make_reader(f"zoe{suffix}"),
    }


@pytest.fixture
def world() -> World:
    users = make_users()
    names = make_names(users["owner"], make_agent())
    people = {name: Client() for name in OTHERS}
    people["visitor"].post("/visitor")
    for name, user in users.items():
        people[name].force_login(user)
    return World(names, people)


@cache
def addresses() -> dict[str, str]:
    """Map names to routes. The administration checks its own permissions, so it is left out."""
    found = list(_routes(get_resolver().url_patterns))
    assert len(dict(found)) == len(found)
    return dict(found)


def _routes(patterns: list[Any], kind: str = "", before: str = "") -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if not isinstance(pattern, URLResolver):
            yield kind + (pattern.name or route), f"/{route}"
        elif pattern.app_name != "admin":
            is_api = pattern.app_name == "ninja"
            yield from _routes(pattern.url_patterns, "api:" if is_api else kind, route)


def filled(value: Any, names: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {filled(key, names): filled(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, names) for item in value]
    return names[value] if isinstance(value, str) and value.isupper() else value


def status(world: World, who: str, name: str, method: str = "") -> int:
    row = ROWS[name]
    data = filled(row.data, world.names)
    ask = getattr(world.people[who], method or row.method)
    address = ARGUMENT.sub(lambda match: str(world.names[match[1]]), addresses()[name])
    is_json = row.is_json or (name.startswith("api:") and row.method != "get")
    kind = {"content_type": "application/json"} if is_json else {}
    with override_settings(ANONYMOUS_CHAT=who != "nobody"):
        response = ask(address, data, **kind)
    return int(response.status_code)


def test_every_address_has_a_row_and_every_row_an_address():
    assert sorted(addresses()) == sorted(ROWS)


@pytest.mark.parametrize("name", ROWS)
def test_everybody_is_answered_as_the_table_says(world, name):
    assert {who: status(world, who, name) for who in OTHERS} == ROWS[name].expected


PAGES = [name for name, row in ROWS.items() if row.method == "get" and not name.startswith("api:")]


def test_the_head_of_a_page_is_answered_as_the_page_is(world):
    found = {
        name: [status(world, "owner", name, method) for method in ("get", "head")] for name in PAGES
    }

    assert {name: both for name, both in found.items() if both[0] != both[1]} == {}
    assert [name for name, (_page, head) in found.items() if head == 405] == []
