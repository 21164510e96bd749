"""A foreign id, sent with a conversation of one's own, gives access to nothing at any address.

A new address that names a conversation fails here until one of the two tables has it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from chatapp.api.root import api
from history.services.access import Actor
from tests.chatapp.scenes import (
    DELETED,
    FOREIGN,
    OTHER,
    SECRET,
    Scene,
    make_scene,
    make_scenes,
    stored,
)
from tests.chatapp.test_permissions import ARGUMENT, ROWS, SEND, addresses, filled
from tests.factories import make_agent, make_reader

pytestmark = pytest.mark.django_db(transaction=True)
PEOPLE = ("visitor", "user", "staff", "reader", "disabled")
PRIMARY = {"conversation", "conversation_id"}
PLACES = {
    "turn",
    "first",
    "last",
    "number",
}  # Numbers within the named conversation, so no ids.


@dataclass(frozen=True)
class Asked:
    """The data of a request besides its conversation; a POST has `query` in its address.

    `mild` are names of things that may not exist yet, so the answer is 200 without contents.
    """

    data: dict[str, Any] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    mild: frozenset[str] = frozenset()

    def names(self, route: str) -> set[str]:
        """Return the names of all ids in the request, as a scene calls them."""
        data = self.data
        given = [*data.values(), *self.query.values(), *data.get("marks", ())]
        given += data.get("attachments", ())
        capitals = {each for each in given if isinstance(each, str) and each.isupper()}
        return capitals | {*ARGUMENT.findall(route)} - PRIMARY - PLACES


RECORD = {"generation": "GENERATION", "step": 1}
WITH_FILE = SEND | {"attachments": ["UNSENT"]}
RAW_PARTS = ("request", "wire", "wire_json", "difference", "response", "events", "json", "curl")
RAW = {f"raw_{part}": Asked(RECORD) for part in RAW_PARTS}
SECONDARY = RAW | {
    "raw_message": Asked(RECORD | {"number": 1}),
    "panel_rows": Asked(ROWS["panel_rows"].data),
    "panel": Asked(RECORD, mild=frozenset({"GENERATION"})),
    "turn": Asked(RECORD),
    "what_if": Asked(RECORD),
    "experiments": Asked(RECORD),
    "take": Asked({"set.length": "3"}, query=RECORD),
    "what_if_everybody": Asked(RECORD | {"set.length": "3"}),
    "what_if_undo": Asked(query=RECORD | {"version": 1}),
    "branch": Asked({"branch": "BRANCH"}),
    "change_chats": Asked({"act": "pin", "chat": "CONVERSATION"}),
    "marks": Asked({"marks": {"MESSAGE": "pin"}}),
    "media": Asked(),
    "file": Asked(),
    "delegation": Asked({"call": "CALL"}, mild=frozenset({"CALL"})),
    "api:list_conversations": Asked({"before": "CONVERSATION"}),
    "api:put_mark": Asked({"kind": "pin"}),
    "api:begin_conversation": Asked(WITH_FILE | {"agent": "demo"}),
    "api:send_message": Asked(WITH_FILE),
    "api:edit_message": Asked(WITH_FILE),
    "api:delete_mark": Asked(),
    "summary_wire": Asked(),
    "undo_summary": Asked(),
    "api:get_checkpoint": Asked(),
    "api:undo_checkpoint": Asked(),
    "api:get_plan": Asked(RECORD),
    "api:ask_model": Asked({"generation": "GENERATION", "settings": {"length": 3}}),
    "api:list_experiments": Asked({"generation": "GENERATION"}),
    "api:what_if": Asked({"variants": [], "generation": "GENERATION"}),
    "api:get_generation": Asked(),
    "api:stop_generation": Asked(),
    "api:decide": Asked({"call": "CALL", "approved": False}),
}
PLAIN = {
    *("chat", "older", "around", "rename", "memory", "model", "verdict", "replay", "next_summary"),
    "found_in",
    *("transcript", "export", "api:export_conversation"),
    *("api:get_conversation", "api:change_conversation", "api:delete_conversation"),
    *("api:list_messages", "api:get_settings", "api:list_checkpoints"),
    *("api:make_checkpoint", "api:get_statistics", "api:list_plans", "api:get_advice"),
}  # These take no id but the conversation's.


@dataclass
class Case:
    """A request that takes the id `name` from `scene`, and all other ids from one's own scene."""

    route: str
    scene: str
    name: str


def cases() -> Iterator[Case]:
    for route, asked in SECONDARY.items():
        for name in sorted(asked.names(addresses()[route])):
            for scene in (FOREIGN, OTHER, DELETED):
                if scene != OTHER or name not in {"CONVERSATION", "UNSENT"}:  # One may name these.
                    yield Case(route, scene, name)


def test_every_address_with_a_conversation_is_in_one_of_the_tables():
    named = {name for name, route in addresses().items() if PRIMARY & {*ARGUMENT.findall(route)}}

    named |= {"api:list_conversations", "api:begin_conversation", "change_chats"}
    assert named == SECONDARY.keys() | PLAIN
    assert not SECONDARY.keys() & PLAIN


def operations() -> Iterator[tuple[str, set[str]]]:
    """Yield the API's operations, each with the ids that it takes besides those in its path."""
    schema = api.get_openapi_schema()
    for methods in schema["paths"].values():
        for operation in methods.values():
            name = f"api:{operation['operationId']}"
            given = {p["name"]: p["schema"] for p in operation.get("parameters", ())}
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            if reference := body.get("schema", {}).get("$ref"):
                given |= schema["components"]["schemas"][reference.rpartition("/")[2]]["properties"]
            yield (
                name,
                {key for key, kind in given.items() if '"uuid"' in str(kind).replace("'", '"')},
            )


def test_every_id_that_the_api_takes_is_in_the_table():
    for name, ids in operations():
        asked = SECONDARY.get(name, Asked())
        route = addresses()[name]
        known = {*asked.data, *ARGUMENT.findall(route), *PRIMARY, "client_msg_id"}
        assert ids <= known, name


def test_the_schema_names_ids():
    found = dict(operations())
    assert "generation" in found["api:what_if"]
    assert "before" in found["api:list_conversations"]


@pytest.fixture
def sign_in():
    """Return a function that signs somebody in; it returns a client and the actor."""
    make_agent()

    def sign_in(who: str) -> tuple[Client, Actor]:
        client = Client()
        if who == "visitor":
            client.post("/visitor")
            return client, Actor(visitor=client.session["visitor"])
        user = make_reader(who) if who == "reader" else User.objects.create_user(who)
        user.is_staff = user.is_staff or who == "staff"
        user.save()
        client.force_login(user)
        return client, Actor(user)

    return sign_in


def answer(client: Client, route: str, names: dict[str, Any]) -> Any:
    asked, row = SECONDARY[route], ROWS[route]
    address = ARGUMENT.sub(lambda match: str(names[match[1]]), addresses()[route])
    if asked.query:
        address += f"?{urlencode(filled(asked.query, names))}"
    is_json = row.is_json or (route.startswith("api:") and row.method != "get")
    kind = {"content_type": "application/json"} if is_json else {}
    return getattr(client, row.method)(address, filled(asked.data, names), **kind)


def outcome(client: Client, own: Scene, scene: Scene, case: Case) -> int | str:
    names = own.names | {case.name: scene.names[case.name]}
    response = answer(client, case.route, names)
    if SECRET in response.content.decode("latin-1"):
        return "what is not theirs"
    is_mild = case.name in SECONDARY[case.route].mild and response.status_code == 200
    return 404 if is_mild else response.status_code


@pytest.mark.parametrize("who", PEOPLE)
def test_ids_of_another_conversation_open_nothing(sign_in, who):
    client, actor = sign_in(who)
    own, scenes = make_scene(actor, "my own"), make_scenes(actor)
    before = stored(scenes)
    if who == "disabled":
        User.objects.filter(username=who).update(is_active=False)

    wrong = {}
    for case in cases():
        found = outcome(client, own, scenes[case.scene], case)
        closed = who == "disabled" and found in {302, 401, 404}
        if found != 404 and not closed:
            wrong[case.route, case.scene, case.name] = found

    assert wrong == {}
    assert stored(scenes) == before


def test_the_same_requests_with_ones_own_ids_are_answered(sign_in):
    """This shows that the requests above fail only for their foreign ids."""
    client, actor = sign_in("reader")
    assert actor.user
    editing = Permission.objects.get(codename="change_agenttemplate")
    actor.user.user_permissions.add(editing)

    for route in SECONDARY:
        own = make_scene(actor, "my own")
        assert answer(client, route, own.names).status_code in {200, 204, 302, 409}, route
