"""A query consists of words in any script, phrases in quotation marks, and words after a minus."""

import pytest

from history.services.search import find
from tests.history.services.search.conftest import excerpts, said

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"blue pot"', ["a blue pot"]),
        ("\u201cblue  POT\u201d", ["a blue pot"]),
        ('a "blue p', ["a blue pot"]),
        ('"pot a"', []),
        ("blue pot", ["a blue pot", "the pot, a blue one"]),
    ],
    ids=["quoted", "typographic, spaces, capitals", "not ended yet", "other order", "not quoted"],
)
def test_what_is_quoted_is_found_as_one(person, query, expected):
    said(person, "a blue pot", "the pot, a blue one")

    assert [text for chat in excerpts(person, query) for text in chat] == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("pot -blue", ["red pot", "pot foo_bar"]),
        ("-blue pot", ["red pot", "pot foo_bar"]),
        ("pot -bl", ["bluebell pot", "a blue pot"]),
        ('pot -"blue pot"', ["red pot", "bluebell pot", "pot foo_bar"]),
        ("pot -\u201cblue p", ["red pot", "bluebell pot", "pot foo_bar"]),
        ("pot -foo_bar", ["red pot", "bluebell pot", "a blue pot"]),
        ('"pot -blue"', []),
        ("-blue", []),
        ("git --blue", ["git -blue"]),
        ("git -b", ["git -blue"]),
        ("天気 -東京", ["大阪の天気"]),
        ("天気 -は晴れ", ["大阪の天気"]),
    ],
)
def test_a_minus_excludes_a_word_or_a_phrase(person, query, expected):
    texts = ["red pot", "bluebell pot", "a blue pot", "pot foo_bar", "git -blue"]
    for text in reversed([*texts, "東京の天気は晴れ", "大阪の天気"]):
        said(person, text)

    assert [text for chat in excerpts(person, query) for text in chat] == expected


@pytest.mark.parametrize(
    ("text", "query", "pieces"),
    [
        ("東京の天気は晴れ", "天気", ("東京の", "天気", "は晴れ")),
        ("我的猫名字叫黑黑", "猫名字", ("我的", "猫名字", "叫黑黑")),
        ("Python入門を読む", "python 入門", ("", "Python入門", "を読む")),
        ("this is **his** `pot`", "is pot", ("this ", "is", " his ", "pot", "")),
        ("Stare Miasto, Gdańsk", "gdansk", ("Stare Miasto, ", "Gdańsk", "")),
        ("Stare Miasto, Gdan\u0301sk", "Gdańsk", ("Stare Miasto, ", "Gdańsk", "")),
        ("ŁÓDŹ is far", "łodz", ("", "ŁÓDŹ", " is far")),
        ("no sé", '"NO SE"', ("", "no sé", "")),
        ("in Örebro, Übersee", '"orebro ubersee" orebro, u', ()),
        ("μέρες, δρόμος", "ΜΕΡΕΣ δρομοσ", ("", "μέρες", ", ", "δρόμος", "")),
        ("ещё раз", "еще", ("", "ещё", " раз")),
        ("がっこう", "かっ", ()),
        ("猫", "猫", ("", "猫", "")),
        ("it is 42", "42", ("it is ", "42", "")),
        ("The KEY", "key", ("The ", "KEY", "")),
        ("it's O'Brien's", "O'Brien", ("it's ", "O'Brien", "'s")),
        ("<b>pot</b>", "pot", ("<b>", "pot", "</b>")),
        ("المفتاح تحت القدر", "القدر", ("المفتاح تحت ", "القدر", "")),
        ("📌 the key 🔑 is here", "🔑 key", ("📌 the ", "key", " 🔑 is here")),
        ("cats and NOT dogs", '"cats" AND (NOT', ("", "cats", " ", "and", " ", "NOT", " dogs")),
        ("text : the near end", "text:near*", ("", "text", " : the ", "near", " end")),
    ],
    ids=[
        *("Japanese", "Chinese", "mixed", "Markdown"),
        *("no accents", "accents apart", "strokes", "an accented phrase", "commas in between"),
        *("Greek", "Russian", "kana are letters of their own"),
        *("one character", "short", "capitals", "quotes", "markup"),
        *("Arabic", "emoji", "operators", "columns"),
    ],
)
def test_words_of_any_script_are_found_and_marked(person, text, query, pieces):
    said(person, "something else", text)

    assert [each.pieces for chat in find(person, query) for each in chat.texts] == (
        [pieces] if pieces else []
    )


def test_a_chat_that_has_what_is_excluded_anywhere_is_not_found(person):
    said(person, "a red pot", "and a blue hat", title="Hats")
    said(person, "a red pot", "and a green hat", title="A blue title")
    said(person, "a red pot", "and a green hat", title="Pots")
    said(person, "the red one", "a pot", "a blue hat", title="Parted")

    assert [chat.conversation.title for chat in find(person, "red pot -blue")] == ["Pots"]
    assert [chat.conversation.title for chat in find(person, 'red pot -"a blue hat"')] == [
        "Pots",
        "A blue title",
    ]
