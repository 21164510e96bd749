"""A chat's JSON is complete and follows the schema, but hides what its reader may not see."""

import json

import pytest
from django.contrib.auth.models import User
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # mcp brings it, without types

from chatapp.env import ROOT
from chatapp.management.commands.export_chats import schema_text
from history.models import Generation
from history.services.access import Actor
from history.services.exports.chat_json import chat_json
from history.services.exports.reader import ExportReader
from history.services.exports.schema import json_schema
from tests.exported import FENCE, RESULT, THOUGHT, make_full_chat
from tests.factories import actor_for, add_turns, make_conversation

pytestmark = pytest.mark.django_db
OPERATOR = ExportReader()
SECRET = "Never tell anybody of the lighthouse."


@pytest.fixture
def chat():
    return make_full_chat(User.objects.create_user("penelope"), system_prompt=SECRET)


def exported(chat, reader=None):
    text = "".join(chat_json(chat, reader or ExportReader(actor_for(chat))))
    document = json.loads(text)
    Draft202012Validator(json_schema()).validate(document)
    return document


def test_the_schema_in_the_documents_is_that_of_the_program():
    assert (ROOT / "docs" / "export.schema.json").read_text() == schema_text()
    Draft202012Validator.check_schema(json_schema())


def test_every_row_is_there_in_its_order(chat):
    document = exported(chat)

    assert [m["id"] for m in document["messages"]] == list(
        chat.messages.order_by("branch", "position").values_list("pk", flat=True)
    )
    assert [b["lineage"] for b in document["branches"]] == [
        [],
        [[document["branches"][0]["id"], 3]],
    ]
    assert document["chat"]["branch"] == document["branches"][1]["id"]
    assert [g["status"] for g in document["generations"]] == ["stopped", "failed"]
    (plan,) = document["plans"]
    assert plan["plan"] == Generation.objects.earliest("created").plans.get().plan
    assert (plan["outcome"]["usage"], plan["outcome"]["cost"]) == (
        {"prompt": 50, "completion": 5},
        {"total": "0.25"},
    )
    assert [mark["message"] for mark in document["marks"]] == [document["messages"][0]["id"]]
    assert document["summaries"][0]["summary"] == "They asked for the berth."


def test_a_message_has_its_parts_and_calls(chat):
    _, asked, result, answer, _, _ = exported(chat)["messages"]

    (thought,) = asked["parts"]
    assert (thought["text"], thought["fields"]) == (THOUGHT, {"signature": "s=="})
    assert asked["tool_calls"][0]["arguments"] == '{"of": "Ada"}'
    assert (result["tool_call_id"], result["text"]) == ("call_1", RESULT)
    assert (answer["text"], answer["agent"]) == (FENCE, "demo")


def test_a_generation_has_its_settings_with_their_sources_and_the_decisions(chat):
    generation = exported(chat)["generations"][0]

    (who,) = generation["answered_by"]
    assert who["settings"]["length"] == {"value": 20, "source": "built-in"}
    assert (who["agent"]["slug"], who["model"]) == ("demo", "demo/mirror")
    assert [stage["kind"] for stage in generation["approvals"]] == ["asked"]


def test_a_picture_is_named_with_its_place_in_the_archive(chat):
    document = exported(chat)

    (media,) = document["media"]
    assert media["file"] == f"files/{media['digest']}.png"
    assert document["attachments"][0]["media"] == [media["digest"]]
    assert document["messages"][4]["parts"][0]["digest"] == media["digest"]


@pytest.mark.parametrize(
    ("fields", "sees"),
    [
        pytest.param({"prompt_is_public": False}, False, id="private"),
        pytest.param({"prompt_is_public": True}, True, id="public"),
    ],
)
def test_an_owner_gets_the_prompt_only_if_it_is_public(fields, sees):
    chat = make_full_chat(User.objects.create_user("penelope"), system_prompt=SECRET, **fields)

    assert (SECRET in json.dumps(exported(chat))) is sees
    assert SECRET in json.dumps(exported(chat, OPERATOR))
    staff = ExportReader(Actor(User.objects.create_user("eve", is_staff=True)))
    assert SECRET in json.dumps(exported(chat, staff))


def test_costs_are_left_out_where_owners_do_not_see_them(chat, settings):
    settings.OWNERS_SEE_COST = False

    assert exported(chat)["plans"][0]["outcome"]["cost"] is None
    assert exported(chat, OPERATOR)["plans"][0]["outcome"]["cost"] == {"total": "0.25"}


def test_nothing_names_its_owner_or_anybody_elses_chat(chat):
    other = make_conversation(chat.agent, User.objects.create_user("zebedee"))
    add_turns(other, 1)

    text = json.dumps(exported(chat))

    assert not any(word in text for word in ("penelope", "zebedee", str(other.pk)))


def test_two_exports_of_a_chat_differ_in_their_date_only(chat):
    first, second = exported(chat), exported(chat)

    assert first.pop("exported") < second.pop("exported")
    assert first == second


def test_what_is_stored_after_the_beginning_is_left_out(chat):
    pieces = chat_json(chat, OPERATOR)
    begun = next(pieces)
    add_turns(chat, 1)

    document = json.loads(begun + "".join(pieces))

    assert len(document["messages"]) == chat.messages.count() - 2
