"""Words in several messages find their chat, names keep their signs, and a full match is first."""

import pytest

from history.services.search import find
from history.services.search.all_terms import MOST_CHATS
from tests.history.services.conftest import BOB
from tests.history.services.search.conftest import excerpts, said

pytestmark = pytest.mark.django_db


def test_words_of_a_title_and_of_several_messages_find_their_chat_together(person):
    pool = said(person, "How with django?", "Set max_client_conn.", "pgbouncer", title="A pool")
    said(person, "django", "another pgbouncer", title="Elsewhere")
    said(BOB, "max_client_conn pgbouncer django", title="A pool")

    for query in ("pgbouncer django max_client_conn", "pool pgbouncer"):
        assert [chat.conversation for chat in find(person, query)] == [pool]
    (shown,) = excerpts(person, "pgbouncer django max_client_conn")
    assert sorted(shown) == ["How with django?", "Set max_client_conn.", "pgbouncer"]
    assert excerpts(person, "pool pgbouncer") == [["pgbouncer"]]
    assert find(person, "pool pgbouncer zeppelin") == []
    assert find(person, "pgbouncer max_client_conn -pgbouncer") == []


def test_what_one_message_has_is_found_alone(person):
    one = said(person, "a pot of tulips")
    said(person, "a pot", "the tulips")

    assert [chat.conversation for chat in find(person, "tulips pot")] == [one]


def test_looking_for_words_together_is_bounded(ada, django_assert_max_num_queries):
    for number in range(30):
        said(ada, f"pot {number}", "tulips", title=f"Chat {number}")

    with django_assert_max_num_queries(18):
        assert len(find(ada, "tulips pot")) == MOST_CHATS


@pytest.mark.parametrize(
    ("query", "found", "marks"),
    [
        ("C++", ["I like C++."], ["C++"]),
        ("c#", ["I like C#."], ["C#"]),
        ("get_user_by_id", ["call get_user_by_id(user)"], ["get_user_by_id"]),
        ("user", ["get the user", "call get_user_by_id(user)"], ["user"]),
    ],
)
def test_names_of_programs_are_found_with_their_signs(person, query, found, marks):
    texts = ["I like C.", "cats", "I like C++.", "I like C#.", "call get_user_by_id(user)"]
    said(person, *texts, "get the user")

    (chat,) = find(person, query)

    assert ["".join(text.pieces) for text in chat.texts] == found
    assert list(chat.texts[0].pieces[1::2]) == marks


def test_the_message_that_is_the_query_is_shown_first(person):
    answers = [f"You ask: how do boats float? A long answer, {number}." for number in range(5)]
    said(person, "How do boats float?", *answers)

    assert excerpts(person, "how do boats float")[0][0] == "How do boats float?"


def test_words_that_are_left_out_are_nothing_to_look_for(person):
    said(person, "a database")

    assert find(person, "-database") == []
