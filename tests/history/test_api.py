"""The API of conversations: changing one, and the plans of its branches."""

from dataclasses import fields

import pytest
from django.contrib.auth.models import User
from django.test import Client

from history.core.settings.caps import Caps
from history.core.transcript.parts import File, Image, Reasoning
from history.schemas import FileOut, ImageOut
from history.services.exports.message_schema import ExportedReasoning
from history.services.search import finding
from tests.factories import add_turn, branch_of

pytestmark = pytest.mark.django_db


def rename(client, conversation, title):
    address = f"/api/conversations/{conversation.pk}"
    return client.patch(address, {"title": title}, content_type="application/json")


def context_of(client, conversation, turn, query=""):
    return client.get(f"/api/conversations/{conversation.pk}/turns/{turn}/context?{query}")


@pytest.fixture
def records(conversation):
    """Make a second turn 2 on another branch, then open the first branch again."""
    add_turn(conversation)
    first_branch = branch_of(conversation)
    said = add_turn(conversation, "Said first")
    conversation.branch = conversation.branches.create(lineage=first_branch.fork_lineage(1))
    conversation.save()
    anew = add_turn(conversation, "Said anew")
    conversation.branch = first_branch
    conversation.save()
    return said, anew


def test_a_turns_plan_is_that_of_the_open_branch(owner, conversation, records):
    said, anew = records
    assert context_of(owner, conversation, 2).json()["generation"] == str(said.generation_id)

    conversation.branch = anew.branch
    conversation.save()

    assert context_of(owner, conversation, 2).json()["generation"] == str(anew.generation_id)


@pytest.mark.words
@pytest.mark.agent(history_settings={"policy": "lastN", "length": 1})
def test_a_plan_says_in_a_sentence_what_its_facts_say(owner, conversation, records):
    found = context_of(owner, conversation, 2).json()
    (first, *_others) = owner.get(f"/api/conversations/{conversation.pk}/plans").json()

    assert (
        found["headline"] == "The model saw only the last turn; 2 earlier messages were left out."
    )
    assert [entry["count"] for entry in found["plan"]["entries"] if entry["verdict"] == "T"] == [2]
    assert first["headline"].startswith("The model saw ")


def test_a_generation_of_another_branch_may_be_named(owner, conversation, records):
    _, anew = records
    query = f"generation={anew.generation_id}"

    assert context_of(owner, conversation, 2, query).json()["request_hash"] == anew.request_hash


@pytest.mark.parametrize(("turn", "query"), [(3, ""), (2, "step=2")])
def test_what_was_not_planned_is_not_there(owner, conversation, records, turn, query):
    assert context_of(owner, conversation, turn, query).status_code == 404


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        pytest.param("", "Enter a title of 1 to 200 characters.", id="none"),
        pytest.param("  ", "Enter a title of 1 to 200 characters.", id="blanks"),
        pytest.param("x" * 201, "Enter a title of 1 to 200 characters.", id="too long"),
        pytest.param("a\0b", "The title contains an invalid character.", id="NUL"),
    ],
)
def test_a_title_that_the_page_refuses_is_refused_here_too(owner, conversation, title, sentence):
    response = rename(owner, conversation, title)
    conversation.refresh_from_db()

    assert (response.status_code, conversation.title) == (422, "")
    assert response.json() == {"code": "invalid", "detail": sentence}


def test_a_title_is_stored_without_the_blanks_around_it(owner, conversation):
    assert rename(owner, conversation, "  Rome ").json()["title"] == "Rome"


def test_a_search_finds_the_words_of_ones_own_messages(owner, conversation):
    add_turn(conversation, "Where is the lighthouse key?", "Under the blue pot.")

    found = owner.get("/api/search", {"q": "lighthouse KEY"}).json()

    (chat,) = found["conversations"]
    (message,) = chat["messages"]
    assert (chat["conversation"], chat["count"]) == (str(conversation.pk), 1)
    assert message["pieces"] == ["Where is the ", "lighthouse key", "?"]
    assert (message["role"], message["speaker"]) == ("user", "")
    assert owner.get("/api/search", {"q": "pot"}).json()["conversations"][0]["messages"][0][
        "speaker"
    ] == (conversation.agent.name)
    assert (message["is_elsewhere"], found["is_cut"]) == (False, False)
    assert owner.get("/api/search", {"q": "zeppelin"}).json() == {
        "conversations": [],
        "is_cut": False,
        "older": "",
        "meant": "",
    }


def test_a_search_of_one_chat_shows_all_of_it(owner, conversation):
    for number in range(5):
        add_turn(conversation, f"pot {number}", "Noted.")
    query = {"q": "pot", "conversation": conversation.pk}

    (chat,) = owner.get("/api/search", query).json()["conversations"]

    assert len(chat["messages"]) == chat["count"] == 5
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    assert stranger.get("/api/search", query).status_code == 404


def test_a_search_goes_on_with_older_matches(owner, conversation, monkeypatch):
    monkeypatch.setattr(finding, "MOST_HITS", 2)
    monkeypatch.setattr(finding, "SHOWN_OF_ONE", 2)
    for number in range(3):
        add_turn(conversation, f"pot {number}", "Noted.")

    def ask(**query):
        found = owner.get(
            "/api/search", {"q": "pot", "conversation": conversation.pk} | query
        ).json()
        return len(found["conversations"][0]["messages"]), found["is_cut"], found["older"]

    first, is_cut, older = ask()
    assert (first, is_cut) == (2, True)
    assert ask(older=older) == (1, False, "")
    refused = owner.get("/api/search", {"q": "pot", "older": "none"})
    assert refused.status_code == 422


@pytest.mark.parametrize(
    "query", [{}, {"q": ""}, {"q": "x" * 1_001}], ids=["none", "empty", "long"]
)
def test_a_search_for_nothing_or_too_much_is_refused(owner, query):
    assert owner.get("/api/search", query).status_code == 422


def test_chats_are_pinned_and_archived_and_listed_so(owner, conversation):
    address = f"/api/conversations/{conversation.pk}"
    for change in ({"pinned": True}, {"archived": True}):
        (name,) = change
        changed = owner.patch(address, change, content_type="application/json").json()
        listed = {
            wanted: len(owner.get("/api/conversations", {name: wanted}).json()["conversations"])
            for wanted in ("true", "false")
        }

        assert {key: changed[key] for key in ("pinned", "archived")} == {
            "pinned": name == "pinned",
            "archived": name == "archived",
        }
        assert listed == {"true": 1, "false": 0}
    assert len(owner.get("/api/conversations").json()["conversations"]) == 1
    assert owner.get("/api/conversations", {"pinned": "maybe"}).status_code == 422


@pytest.mark.parametrize(
    ("length", "status", "stored"),
    [
        pytest.param(5, 200, ("Rome", {"length": 5}), id="both"),
        pytest.param("many", 422, ("", {}), id="neither, where a setting is bad"),
    ],
)
def test_a_title_and_settings_are_saved_together(owner, conversation, length, status, stored):
    response = owner.patch(
        f"/api/conversations/{conversation.pk}",
        {"title": "Rome", "history_settings": {"length": length}},
        content_type="application/json",
    )
    conversation.refresh_from_db()

    assert response.status_code == status
    assert (conversation.title, conversation.history_settings) == stored


@pytest.mark.parametrize(
    ("shape", "part", "more"),
    [
        pytest.param(ExportedReasoning, Reasoning, {"kind"}, id="reasoning"),
        pytest.param(ImageOut, Image, {"kind", "address"}, id="image"),
        pytest.param(FileOut, File, {"kind", "address"}, id="file"),
    ],
)
def test_nothing_of_a_part_is_left_out(shape, part, more):
    stored = {field.name for field in fields(part)} - {"detail"}  # Only projected files have it.
    assert shape.model_fields.keys() == stored | more


MOST = {"value": 10, "variable": "HISTORY_LENGTH_MAX"}


@pytest.mark.parametrize(
    ("asked", "lowered"),
    [
        pytest.param({"length": 40}, [("length", 40, 10)], id="a length"),
        pytest.param({"policy": "all"}, [("policy", "all", 10)], id="all"),
        pytest.param({"length": 10}, [], id="no more than that"),
    ],
)
def test_what_the_server_lowers_is_told(owner, conversation, settings, asked, lowered):
    settings.HISTORY_CAPS = Caps(length=10)
    path = f"/api/conversations/{conversation.pk}"

    body = {"history_settings": asked}
    changed = owner.patch(path, body, content_type="application/json").json()
    settings_now = {each["name"]: each for each in owner.get(f"{path}/settings").json()}

    told = [(each["name"], each["asked"], each["value"]) for each in changed["lowered"]]
    assert told == lowered
    assert {each["variable"] for each in changed["lowered"]} <= {MOST["variable"]}
    assert (settings_now["length"]["maximum"], settings_now["length"]["value"]) == (MOST, 10)
    assert settings_now["max_items"]["maximum"] is None
