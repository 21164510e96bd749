"""A search for several words finds short messages first, which are nearly what was typed."""

import pytest

from history.core.transcript.parts import File
from history.services.path.appending import append, assistant_message, user_message
from history.services.search import find
from tests.factories import branch_of
from tests.history.services.search.conftest import excerpts, said

pytestmark = pytest.mark.django_db
LATER = "Later we went on to other places, which had neither."


def texts_of(person, query):
    return [[text.message.text for text in chat.texts] for chat in find(person, query)]


@pytest.mark.parametrize("query", ["stop 2 sea", "stop 2", "2 stop is", "sto se 2"])
def test_what_a_person_said_comes_before_long_answers_that_quote_it_with_more(person, query):
    chat = branch_of(said(person))
    sentences = [f"Remember that stop {number} is by the sea." for number in range(2, 12)]
    append(chat, [user_message(sentence) for sentence in sentences])
    for count in range(4, len(sentences)):
        quoted = "\n".join(f"- “{sentence}”" for sentence in sentences[:count])
        append(chat, [user_message("What now?"), assistant_message(f"I found this:\n\n{quoted}")])

    ((first, *_),) = texts_of(person, query)

    assert first == sentences[0]


def test_the_length_counts_in_all_chats_and_the_date_only_at_about_the_same_length(person):
    short = "The key is in the blue pot, and the pot is here, I think."
    shorter, brief = "A blue pot? A key!", "The pot, blue, has a key."
    said(person, short, shorter)
    said(person, f"{short} {LATER}", brief)
    said(person, f"{short} {LATER * 4}", f"{short} {LATER * 20}", f"{short} {LATER * 12}")

    assert texts_of(person, "blue key") == [
        [brief, f"{short} {LATER}"],
        [shorter, short],
        [f"{short} {LATER * 4}", f"{short} {LATER * 12}", f"{short} {LATER * 20}"],
    ]


def test_of_a_single_word_the_newest_message_comes_first_however_long(person):
    long = f"The pot. {LATER * 20}"
    said(person, "A pot.", long)

    assert texts_of(person, "pot") == texts_of(person, '"pot"') == [[long, "A pot."]]


def test_a_short_message_with_the_words_in_a_long_file_is_not_short(person):
    report = File("a" * 64, "a" * 64, "text/plain", "Fees.txt", text=f"A key, blue. {LATER * 20}")
    chat = said(person, f"The key is blue. {LATER * 3}")
    append(branch_of(chat), [user_message("What now?", parts=[report])])

    assert [text[:7] for text in excerpts(person, "blue key")[0]] == ["The key", "What no"]
