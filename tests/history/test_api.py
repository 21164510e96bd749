"""Conversations over HTTP: what is changed of one, and the plans of its branches."""

from dataclasses import fields

import pytest

from history.core.parts import File, Image, Reasoning
from history.schemas import FileOut, ImageOut, ReasoningOut
from tests.factories import add_turn, branch_of

pytestmark = pytest.mark.django_db


def rename(client, conversation, title):
    address = f"/api/conversations/{conversation.pk}"
    return client.patch(address, {"title": title}, content_type="application/json")


def context_of(client, conversation, turn, query=""):
    return client.get(f"/api/conversations/{conversation.pk}/turns/{turn}/context?{query}")


@pytest.fixture
def records(conversation):
    """Turn 2 was said anew on a branch, and then the first branch was opened again."""
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
        pytest.param(ReasoningOut, Reasoning, {"kind"}, id="reasoning"),
        pytest.param(ImageOut, Image, {"kind", "address"}, id="image"),
        pytest.param(FileOut, File, {"kind", "address"}, id="file"),
    ],
)
def test_nothing_of_a_part_is_left_out(shape, part, more):
    assert shape.model_fields.keys() == {field.name for field in fields(part)} | more
