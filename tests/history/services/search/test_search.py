"""A person finds words in all of their own chats, and in no other person's."""

from dataclasses import replace
from datetime import timedelta
from time import process_time

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import File
from history.models import Conversation
from history.services.access import Actor, adopt_visitor
from history.services.answers.conversation import open_branch
from history.services.answers.editing import edit
from history.services.path.appending import (
    ImportDetails,
    append,
    assistant_message,
    result_message,
    user_message,
)
from history.services.search import find, postgresql
from history.services.search.corpus import Corpus
from history.services.search.finding import MOST_HITS, SHOWN
from history.services.search.terms import Term
from tests.factories import add_turns, branch_of, make_agent, make_conversation
from tests.history.services.conftest import ADA, BOB, answer, converse, reword
from tests.history.services.search.conftest import excerpts, said
from tests.patience import seconds

pytestmark = pytest.mark.django_db


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


def test_the_words_as_they_were_typed_come_first_short_ones_too(person):
    stops = said(person, *(f"Stop {number} is by the sea." for number in range(20)))
    said(person, "By the sea is stop 14 in the other list.")

    first, other = find(person, "stop 14 is by the sea")

    assert (first.conversation, first.count, other.count) == (stops, 1, 1)
    assert first.texts[0].pieces == ("", "Stop 14 is by the sea", ".")


def test_an_excerpt_is_cut_around_the_words_as_they_were_typed(person):
    said(person, f"The key. {'A long way round. ' * 20}Under the blue pot. {'And on. ' * 40}")

    (chat,) = find(person, "the blue pot")

    assert "the blue pot" in chat.texts[0].pieces
    assert "key" not in "".join(chat.texts[0].pieces)


def test_what_was_imported_is_as_old_as_its_file_says(person):
    newest_first = [
        make_conversation(make_agent(f"agent-{n}"), person.user, person.visitor) for n in range(3)
    ]
    for years, chat in enumerate(newest_first):
        said_then = ImportDetails(timezone.now() - timedelta(days=365 * years))
        append(branch_of(chat), [replace(user_message("a pot"), imported=said_then)])

    assert [found.conversation for found in find(person, "pot")] == newest_first


def test_common_words_are_found_among_the_newest_messages_of_an_account(ada, monkeypatch):
    monkeypatch.setattr(postgresql, "NEWEST", 700)
    chat = said(ada, *(f"blue pot {number}" for number in range(MOST_HITS + 300)))
    said(Actor(user=User.objects.create_user("bob")), *(["blue pot"] * 20))
    said(ada, "pot, blue")

    for query in ("pot", "blue pot", "pot blue", '"blue pot"', "pot -green"):
        found = find(ada, query)
        assert not found.is_cut, query  # One chat has all older matches.
        assert (
            f"blue pot {MOST_HITS + 299}"
            in excerpts(ada, query)[query in ("pot", "pot blue", "pot -green")]
        )
    assert [chat.count for chat in find(ada, '"blue pot 3"')] == [1]
    assert find(ada, '"blue pot 3"')[0].conversation == chat


def test_the_newest_messages_of_an_account_are_not_looked_for_among_everybodys(ada, monkeypatch):
    monkeypatch.setattr(postgresql, "NEWEST", 1_000)
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's index finds the words of an account at once")
    sql, parameters = postgresql.newest_matching(Corpus(owner=1), [Term("pot")])
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO history_search SELECT number, 1 + number / 10000, %s::tsvector"
            " FROM generate_series(0, 19999) number",
            [" ".join(f"word{number}" for number in range(60))],
        )
        cursor.execute("ANALYZE history_search")
        cursor.execute(f"EXPLAIN (ANALYZE) {sql} ORDER BY 1 DESC LIMIT 501", parameters)
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert "using history_search_owned" in plan
    assert "Rows Removed by Filter: 1000\n" in plan  # The account's own messages, and no others.


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"stop 14', ["stop 14.", "stop 146"]),
        ('"stop 14"', ["stop 14."]),
        ('"stop 14."', ["stop 14."]),
        ('"top 14"', []),
        ('"so"', ["so (C++)"]),
        ('"c++)" "so', ["so (C++)"]),
        ('"天気"', ["東京の天気は晴れ"]),
        ('"дело"', ["дело"]),
        ('"де"', []),
    ],
)
def test_what_is_quoted_ends_with_its_quotation_marks(person, query, expected):
    texts = ["stop 146", "stop 14.", "_so_ (C++)", "東京の天気は晴れ", "дело"]
    said(person, *reversed(texts))

    assert [text for chat in excerpts(person, query) for text in chat] == expected


def test_all_matches_of_one_chat_can_be_seen(person, demo):
    pots = said(person, *(f"pot {number}" for number in range(9)))
    said(person, "my pot")
    theirs = said(BOB, "his pot")

    (chat,) = find(person, "pot", within=pots.pk)

    assert ["".join(text.pieces) for text in chat.texts] == [f"pot {n}" for n in range(8, -1, -1)]
    assert find(person, "pot", within=theirs.pk) == []


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

    assert [text.message.role for text in found.texts] == ["user", "assistant"]


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
    "query",
    [
        "",
        " ",
        '"',
        '""',
        '"%" \\',
        '5" or "6',
        'a\x00b "\ud800 b"',
        "'",
        "%",
        "*",
        "a' OR 1=1 --",
        "\x00",
        "\ud800",
        "x" * 100_000,
        "猫" * 9_000,
    ],
    ids=lambda query: repr(query[:12]),
)
def test_no_query_is_an_error(person, query):
    said(person, "55")
    began = process_time()

    assert find(person, query) == []
    assert process_time() - began < seconds(5)  # Quadratic time took minutes.


def test_the_newest_matches_are_found_among_many(person, django_assert_max_num_queries):
    chat = said(person, "the first question")
    add_turns(chat, MOST_HITS)

    with django_assert_max_num_queries(10):
        found = find(person, "question")

    assert found[0].count == MOST_HITS
    assert find(person, "question", within=chat.pk).is_cut
    assert excerpts(person, "first question") == [["the first question"]]
