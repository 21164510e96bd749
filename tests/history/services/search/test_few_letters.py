"""Short words, names with signs or dots, and phrases are found; the best matches come first."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from history.services.search import find
from history.services.search.beginnings import beginnings, is_beginning, looked_up
from history.services.search.corpus import Corpus
from history.services.search.letters import plain
from history.services.search.looking import look
from history.services.search.terms import Term, searched_terms
from tests.factories import branch_of
from tests.history.services.conftest import BOB
from tests.history.services.search.conftest import excerpts, said

TEXTS = (
    "Stop 141 and stop 4",
    "Get off at stop 14.",
    "I like C and c.",
    "I like C++ and F#",
    "see settings.py",
    "settings and py",
    "v1.2.3 is out",
    "v1 2 3",
    "Plan B it is",
    "À Évora, 5% of it",
    "東京の天気は晴れ",
)


def found(person, query):
    return [text for chat in excerpts(person, query) for text in chat]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("stop 14", ["Get off at stop 14.", "Stop 141 and stop 4"]),
        ('"stop 14"', ["Get off at stop 14."]),
        ("14 stop", ["Get off at stop 14.", "Stop 141 and stop 4"]),
        ("like c", ["I like C++ and F#", "I like C and c."]),
        ("C++", ["I like C++ and F#"]),
        ("c++ f#", ["I like C++ and F#"]),
        ("f#", ["I like C++ and F#"]),
        ("settings.py", ["see settings.py"]),
        ("SETTINGS.PY see", ["see settings.py"]),
        ("see -settings.py", []),
        ("settings py", ["settings and py", "see settings.py"]),
        ("v1.2.3", ["v1.2.3 is out"]),
        ("v1.2", ["v1.2.3 is out"]),
        ("plan b", ["Plan B it is"]),
        ("b plan", ["Plan B it is"]),
        ("ev", ["À Évora, 5% of it"]),
        ("a ÉV", ["À Évora, 5% of it"]),
        ('"5%"', ["À Évora, 5% of it"]),
        ('"4%"', []),
        ('"pl"', []),
        ("op 14", []),
        ("天", ["東京の天気は晴れ"]),
        ("気は 東", ["東京の天気は晴れ"]),
        ("天は", []),
    ],
)
def test_words_of_any_length_count(person, query, expected):
    for text in TEXTS:
        said(person, text)
    said(BOB, *TEXTS)

    assert found(person, query) == expected


@pytest.mark.django_db
def test_whole_words_come_before_newer_beginnings_and_a_phrase_before_both(person):
    said(person, *reversed(["stop 141", "14 at the last stop", "at stop 14", "stop 140 is 14"]))
    said(person, "stop 149")

    first, other = find(person, "stop 14")

    assert ["".join(text.pieces) for text in first.texts] == [
        "at stop 14",
        "14 at the last stop",
        "stop 140 is 14",
    ]
    assert (first.count, other.count) == (4, 1)


@pytest.mark.django_db
def test_few_letters_count_too_if_words_are_in_several_messages(person):
    said(person, "a pot", "the tulips", title="Stop 14")
    said(person, "a pot", "the tulips", title="Stop 41")

    assert [chat.conversation.title for chat in find(person, "tulips pot 14")] == ["Stop 14"]


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["zq", "stop 14", "z", "c#"])
def test_few_letters_are_looked_up_without_reading_the_messages(person, query):
    chat = said(person, "c# zq stop 14")

    with CaptureQueriesContext(connection) as queries:
        looked = look(Corpus(branches=[branch_of(chat).pk]), searched_terms(query), 9)

    assert list(looked.keys) == [chat.messages.get().pk]
    reads = [each["sql"] for each in queries if "history_message" in each["sql"]]
    assert connection.vendor == "postgresql" or reads == []


LETTERS = st.text(alphabet="ab1é_+#. -天気ñ", max_size=12)


@given(LETTERS, st.sampled_from(["a", "b1", "n", "天", "天気", "a+", "1#"]))
def test_an_index_of_three_characters_has_just_what_begins_a_word(text, few):
    indexed = beginnings(text)
    threes = {indexed[at : at + 3] for at in range(len(indexed) - 2)}

    assert (looked_up(few) <= threes) == bool(re.search(Term(few).begun, plain(text)))
    assert is_beginning(few)


@pytest.mark.parametrize("few", [",a", "5%", "a.", "--"])
def test_signs_around_few_letters_are_read_for(few):
    assert not is_beginning(few)
