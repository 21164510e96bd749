"""The list shows which chats have a new answer or wait for their owner, for one query in all."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from history.models import ACTIVE, Branch, Conversation, Generation, GenerationStatus
from history.services.access import Actor
from history.services.answers import lifecycle
from history.services.answers.conversation import see_answer
from history.services.errors import NotFound
from tests.factories import begin_turn, branch_of, make_agent, make_conversation

SIGNS = ("Being answered", "Waits for you", "New answer")
NEWS = sorted(set(GenerationStatus) - {*ACTIVE, "waiting", "stopped", "passed_over"})


@pytest.fixture
def ada(client, db):
    """Sign in Ada, who has a chat about quinces and another one."""
    user = User.objects.create_user("ada")
    client.force_login(user)
    agent = make_agent()
    for title in ("Quinces", "Pears"):
        make_conversation(agent, user, title=title)
    return client


def quinces():
    return Conversation.objects.get(title="Quinces")


def answer(status="done", **fields):
    """Ask about quinces, and end the answer."""
    generation = begin_turn(quinces(), "How to keep a quince?")
    Generation.objects.filter(pk=generation.pk).update(**fields)
    generation.refresh_from_db()
    assert lifecycle.end(generation, GenerationStatus(status))


def signs(client, query=""):
    """Return each row that has a sign, and its sign."""
    rows = re.split("(?=<li )", client.get(f"/chats{query}").text)
    found = {re.findall('id="([^"]*)"', row)[0]: row for row in rows if "<li " in row}
    return {key: [s for s in SIGNS if s in row] for key, row in found.items() if _has_sign(row)}


def _has_sign(row):
    return any(sign in row for sign in SIGNS)


@pytest.mark.parametrize("status", NEWS)
def test_a_chat_whose_answer_ended_has_the_sign_until_its_owner_sees_it(ada, status):
    key = quinces().pk
    assert signs(ada) == {}

    answer(status)

    assert signs(ada) == {f"entry-{key}": ["New answer"]}
    assert signs(ada, "?q=quinces") == {f"entry-{key}": ["New answer"]}
    assert signs(ada, "?q=keep") == {f"found-in-{key}": ["New answer"]}
    assert f'aria-describedby=" new-answer-{key}"' in ada.get("/chats").text
    owner = Actor(User.objects.get(username="ada"))
    assert [see_answer(owner, key), see_answer(owner, key)] == [True, False]
    assert signs(ada) == {}


@pytest.mark.parametrize(
    ("status", "kind"), [("stopped", "answer"), ("passed_over", "answer"), ("done", "what_if")]
)
def test_an_answer_that_a_person_stopped_or_passed_over_or_tried_is_no_news(ada, status, kind):
    answer(status, kind=kind)

    assert signs(ada) == {}


def test_nobody_else_sees_an_answer_in_its_owners_place(ada):
    answer()

    for other in (Actor(User.objects.create_user("bob", is_superuser=True)), Actor()):
        with pytest.raises(NotFound):
            see_answer(other, quinces().pk)
    assert len(signs(ada)) == 1


def test_reading_the_page_is_no_look_at_the_answer(ada):
    """A browser may load a page ahead, or in a tab at the back."""
    answer()

    assert "New answer" in ada.get(f"/chat/{quinces().pk}").text
    assert len(signs(ada)) == 1


def wait(branch=None):
    generation = begin_turn(quinces(), "How to keep a quince?")
    generation.status = GenerationStatus.WAITING
    generation.branch = branch or generation.branch
    generation.save()


def test_a_chat_with_a_call_to_approve_waits_for_its_owner(ada):
    key = quinces().pk
    answer()
    wait()

    assert signs(ada) == {f"entry-{key}": ["Waits for you"]}
    assert signs(ada, "?q=keep") == {f"found-in-{key}": ["Waits for you"]}
    assert f'aria-describedby=" waiting-{key}"' in ada.get("/chats").text
    begin_turn(quinces(), "And pears?")
    assert signs(ada) == {f"entry-{key}": ["Being answered"]}


def test_a_call_on_a_branch_that_is_not_open_is_not_waited_for(ada):
    wait(branch=Branch.objects.create(conversation=quinces()))

    assert signs(ada) == {}
    assert branch_of(quinces()).generations.count() == 0


def test_the_signs_of_many_chats_cost_one_query(ada, django_assert_num_queries):
    owner = User.objects.get(username="ada")
    for number in range(20):
        chat = make_conversation(quinces().agent, owner, title=f"Chat {number}")
        begin_turn(chat)
        Conversation.objects.filter(pk=chat.pk).update(has_new_answer=True)
    with django_assert_num_queries(5):  # Session, user, pinned chats, other chats, answers.
        ada.get("/chats")
    assert len(signs(ada)) == 20
    assert signs(Client()) == {}
