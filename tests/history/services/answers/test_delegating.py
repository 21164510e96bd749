"""Delegated tasks: their owner, their settings, and what is deleted with them."""

from uuid import uuid4

import pytest

from history.core.transcript.messages import ToolCall
from history.models import Conversation
from history.services.access import listed_conversations, visible_conversations
from history.services.answers.commands import Send
from history.services.answers.delegating import (
    answer_to,
    asker_of,
    delegate,
    delegated_by,
    delegated_within,
)
from history.services.answers.editing import edit
from history.services.answers.sending import continue_, retry, send
from history.services.errors import Conflict, NotFound, Refused
from history.services.path.appending import append, assistant_message
from history.services.summaries.actions import begin_compact
from tests.factories import actor_for, begin_turn, end_turn, make_agent, make_conversation
from tests.history.services.conftest import reword

pytestmark = pytest.mark.django_db


def say(child):
    return Send(text="And the ships?", client_msg_id=uuid4(), conversation=child.conversation_id)


@pytest.fixture
def parent():
    """Begin an answer of an agent that may delegate to Bob."""
    make_agent("bob")
    return begin_turn(make_conversation(make_agent("ada", asks=["bob"])))


def test_a_task_becomes_a_conversation_of_its_own(parent):
    child = delegate(parent, "c1", "bob", "Count the boats")

    conversation = child.conversation
    assert (conversation.agent.slug, conversation.depth) == ("bob", 1)
    assert conversation.visitor == parent.conversation.visitor
    assert [m.text for m in conversation.messages.all()] == ["Count the boats"]
    assert delegated_by(parent, "c1") == conversation
    assert delegated_by(parent, "c2") is None


def test_a_delegated_conversation_is_visible_to_its_owner_but_not_listed(parent):
    child = delegate(parent, "c1", "bob", "Count the boats").conversation
    actor = actor_for(parent.conversation)

    assert set(visible_conversations(actor)) == {parent.conversation, child}
    assert set(listed_conversations(actor)) == {parent.conversation}


def test_a_delegated_conversation_is_deleted_with_its_parent(parent):
    delegate(delegate(parent, "c1", "bob", "Count"), "c1", "bob", "Count again")
    assert delegated_within(parent.conversation) == list(
        Conversation.objects.filter(depth__gt=0).order_by("depth")
    )

    parent.conversation.delete()

    assert Conversation.objects.count() == 0


@pytest.mark.words
@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda actor, g: send(actor, say(g)), id="send"),
        pytest.param(
            lambda actor, g: edit(
                actor,
                reword(g.conversation.messages.get(role="user").pk, conversation=g.conversation_id),
            ),
            id="edit",
        ),
        pytest.param(lambda actor, g: retry(actor, g.conversation_id, g.pk, ""), id="retry"),
        pytest.param(lambda actor, g: continue_(actor, g.conversation_id, g.pk, ""), id="continue"),
        pytest.param(lambda actor, g: begin_compact(actor, g.conversation_id), id="compact"),
    ],
)
def test_nobody_else_writes_there(parent, act):
    child = delegate(parent, "c1", "bob", "Count")
    end_turn(child, "Seven")

    with pytest.raises(Conflict, match="belongs to a delegated task"):
        act(actor_for(parent.conversation), child)

    assert (child.conversation.messages.count(), child.conversation.generations.count()) == (2, 1)


def test_the_asker_is_who_made_the_call(parent):
    call = ToolCall("c1", "ask_bob", "{}")
    append(parent.branch, [assistant_message("", [call], "ada")], parent)
    child = delegate(parent, "c1", "bob", "Count")

    assert asker_of(child.conversation) == "Ada"
    assert asker_of(parent.conversation) == ""


@pytest.mark.parametrize(
    ("slug", "task", "refusal"),
    [
        pytest.param("zoe", "Count", NotFound, id="no such agent"),
        pytest.param("bob", "  ", Refused, id="an empty task"),
        pytest.param("bob", "a\x00b", Refused, id="a text that no database holds"),
    ],
)
def test_a_task_that_cannot_be_handed_on_is_refused(parent, slug, task, refusal):
    with pytest.raises(refusal):
        delegate(parent, "c1", slug, task)

    assert Conversation.objects.count() == 1


def test_there_are_only_so_many(parent, settings):
    settings.DELEGATIONS = 1
    delegate(parent, "c1", "bob", "Count")

    with pytest.raises(Conflict, match="can delegate at most 1 tasks"):
        delegate(parent, "c2", "bob", "Count")


def test_the_newest_text_is_the_answer(parent):
    child = delegate(parent, "c1", "bob", "Count")
    end_turn(child, "Seven")

    assert answer_to(child) == "Seven"


def test_an_answer_that_did_not_end_well_is_none(parent):
    child = delegate(parent, "c1", "bob", "Count")

    with pytest.raises(Conflict, match="the answer was queued"):
        answer_to(child)


@pytest.mark.parametrize(
    ("own", "value", "source"),
    [
        pytest.param({}, 40, "inherited from Ada (agent ada v1)", id="inherited"),
        pytest.param({"max_items": 8}, 8, "agent bob v1", id="its own"),
    ],
)
def test_the_window_is_inherited_unless_it_has_its_own(own, value, source):
    """Feature F31: an agent's own `max_items` outranks that of the agent who asks."""
    make_agent("bob", history_settings=own)
    ada = make_agent("ada", asks=["bob"], history_settings={"max_items": 40})
    child = delegate(begin_turn(make_conversation(ada)), "c1", "bob", "Count")

    winner = child.snapshot_at().settings["max_items"].winner
    assert (winner.value, winner.source) == (value, source)
