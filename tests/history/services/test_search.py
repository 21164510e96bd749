"""A person finds what was said in all of their chats, and in nobody else's."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import connection

from history.core.messages import Role, ToolCall
from history.core.parts import File
from history.models import Conversation
from history.services.access import Actor, adopt_visitor
from history.services.answers.conversation import open_branch
from history.services.answers.editing import edit
from history.services.path.appending import append, assistant_message, result_message, user_message
from history.services.search import find
from history.services.search.finding import MOST_HITS, SHOWN
from tests.factories import add_turns, branch_of, make_agent, make_conversation
from tests.history.services.conftest import ADA, BOB, answer, converse, reword

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db):
    return Actor(user=User.objects.create_user("ada"))


@pytest.fixture(params=["an account", "a visitor"])
def person(request, ada):
    return ada if request.param == "an account" else ADA


def said(actor, *texts, **fields):
    """A chat of these messages, which the actor sent without an answer."""
    agent = fields.pop("agent", None) or make_agent(f"agent-{Conversation.objects.count()}")
    chat = make_conversation(agent, actor.user, actor.visitor, **fields)
    append(branch_of(chat), [user_message(text) for text in texts])
    return chat


def excerpts(actor, query):
    return [["".join(text.pieces) for text in chat.texts] for chat in find(actor, query)]


def test_chats_come_by_their_latest_match_with_the_newest_messages_first(person):
    pots = said(person, "a blue pot", "a red pot")
    said(person, "a green hat")
    keys = said(person, "the key is under the pot")

    found = find(person, "pot")

    assert [chat.conversation for chat in found] == [keys, pots]
    assert excerpts(person, "pot") == [["the key is under the pot"], ["a red pot", "a blue pot"]]
    assert found[0].texts[0].pieces == ("the key is under the ", "pot", "")


def test_a_message_must_contain_every_word(person):
    said(person, "a blue pot", "a red key", "the blue key")

    assert excerpts(person, "key blue") == [["the blue key"]]
    assert excerpts(person, "key green") == []


def test_a_chat_with_many_matches_shows_the_newest_and_their_number(person):
    said(person, *(f"pot {number}" for number in range(9)))

    (chat,) = find(person, "pot")

    assert ["".join(text.pieces) for text in chat.texts] == ["pot 8", "pot 7", "pot 6"]
    assert (len(chat.texts), chat.count) == (SHOWN, 9)


def test_nobody_elses_chats_are_found(person, ada):
    said(BOB, "his pot")
    said(Actor(user=User.objects.create_user("bob")), "his other pot")
    mine = said(person, "my pot")

    assert [chat.conversation for chat in find(person, "pot")] == [mine]
    assert find(Actor(), "pot") == []


def test_what_agents_say_to_each_other_is_not_found(demo, ada):
    asking = converse(ADA, "my pot")
    asked = said(ADA, "the pot of an agent", agent=demo, asked_by=asking.generation)

    assert [chat.conversation for chat in find(ADA, "pot")] == [asking.conversation]
    assert asked.messages.count() == 1


def test_system_messages_and_what_recall_answered_are_not_found(person):
    chat = said(person, "my pot")
    call = ToolCall("c1", "recall", '{"query": "pot"}')
    recalled = result_message(call, "turn 1: my pot", failed=False)
    drafts = [assistant_message("a pot of gold", [call]), recalled]
    append(branch_of(chat), [replace(user_message("a secret pot"), role=Role.SYSTEM), *drafts])

    (found,) = find(person, "pot")

    assert [text.message.role for text in found.texts] == ["assistant", "user"]


def test_another_version_of_a_chat_is_found_and_said_to_be_one(demo):
    ack = converse(ADA, "first pot", "second pot")
    chat = Conversation.objects.get(pk=ack.conversation.pk)
    second = chat.messages.get(text="second pot")
    edited = edit(ADA, reword(second.pk, "another pot", conversation=chat.pk))
    answer(edited.generation, "Noted.")

    def elsewhere():
        (found,) = find(ADA, "pot")
        return {text.message.text: text.is_elsewhere for text in found.texts}

    assert elsewhere() == {"another pot": False, "second pot": True, "first pot": False}
    open_branch(ADA, chat.pk, second.branch_id)
    assert elsewhere() == {"another pot": True, "second pot": False, "first pot": False}


def test_what_a_visitor_said_is_found_in_the_account_they_take_it_into(ada):
    chat = said(ADA, "my pot", "my key")

    adopt_visitor(ada.user, ADA.visitor)

    assert [found.conversation for found in find(ada, "pot")] == [chat]
    assert excerpts(ada, "key") == [["my key"]]
    assert find(ADA, "pot") == []
    chat.delete()
    assert find(ada, "pot") == []
    assert indexed() == 0


def indexed():
    with connection.cursor() as cursor:
        everything = (
            "FROM history_search_owner"
            if connection.vendor == "sqlite"
            else ("FROM history_search")
        )
        cursor.execute(f"SELECT count(*) {everything}")
        return cursor.fetchone()[0]


def test_files_are_found_by_their_names_and_texts(person):
    chat = said(person)
    report = File("a" * 64, "a" * 64, "text/plain", "Fees.txt", text="The harbour is open.")
    append(branch_of(chat), [user_message("What now?", parts=[report])])

    assert excerpts(person, "harbour") == excerpts(person, "fees")
    assert excerpts(person, "harbour") == [["What now? Fees.txt The harbour is open."]]


@pytest.mark.parametrize(
    ("text", "query", "pieces"),
    [
        ("東京の天気は晴れ", "天気", ("東京の", "天気", "は晴れ")),
        ("我的猫名字叫黑黑", "猫名字", ("我的", "猫名", "字叫黑黑")),
        ("Python入門を読む", "python 入門", ("", "Python", "", "入門", "を読む")),
        ("猫", "猫", ("", "猫", "")),
        ("it is 42", "42", ("it is ", "42", "")),
        ("The KEY", "key", ("The ", "KEY", "")),
        ("it's O'Brien's", "O'Brien", ("it's O'", "Brien", "'s")),
        ("<b>pot</b>", "pot", ("<b>", "pot", "</b>")),
    ],
    ids=["Japanese", "Chinese", "mixed", "one character", "short", "capitals", "quotes", "markup"],
)
def test_words_of_any_script_are_found_and_marked(person, text, query, pieces):
    said(person, "something else", text)

    (chat,) = find(person, query)

    assert chat.texts[0].pieces == pieces


@pytest.mark.parametrize(
    "query",
    ["", " ", '"', "'", "%", "*", "a' OR 1=1 --", "\x00", "\ud800", "x" * 100_000, "猫" * 9_000],
    ids=lambda query: repr(query[:12]),
)
def test_no_query_is_an_error(person, query):
    said(person, "55")

    assert find(person, query) == []


def test_the_newest_matches_are_found_among_many(person, django_assert_max_num_queries):
    chat = said(person, "the first question")
    add_turns(chat, MOST_HITS)

    with django_assert_max_num_queries(5):
        (found,) = find(person, "question")

    assert found.count == MOST_HITS
    assert excerpts(person, "first question") == [["the first question"]]
