"""A found message is shown as an excerpt around the words, without Markdown."""

import pytest

from history.services.search import find
from tests.history.services.search.conftest import excerpts, said

pytestmark = pytest.mark.django_db


def test_an_excerpt_is_where_most_of_the_words_are_and_all_are_marked(person):
    said(person, f"A key. {'A long way round. ' * 20}The Key to the blue pót. {'And on. ' * 40}")

    (chat,) = find(person, "pot key blue")

    assert chat.texts[0].pieces[1::2] == ("Key", "blue", "pót")


def test_an_excerpt_shows_plain_words(person):
    typed = '## The *pot*\n\n> - [x] see [the **map**](https://example.org/a_(b) "Map")\n\n'
    said(
        person,
        f"{typed}| a | `b_c*d*` |\n|---|:-:|\n| 2\\*3 | R&amp;D_x_ |\n\n```py\n*e* # f\n```\n*g",
    )

    assert excerpts(person, "pot") == [["The pot see the map a b_c*d* 2*3 R&D_x_ *e* # f *g"]]


@pytest.mark.parametrize("query", ["b", "zu", "bo"])
def test_an_excerpt_shows_plain_words_while_a_word_is_begun(person, query):
    said(person, r"Say `bob` to the **Zug**, \*\*bold\*\* &#91;docs&#93;")

    assert excerpts(person, query) == [["Say bob to the Zug, **bold** [docs]"]]


LONG = "a = *b*\n" * 80  # More than is read before a match.


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("all **pots**\n```py\n*e*", "all pots *e*"),
        ("all **pots**\n```\n*e*", "all pots *e*"),
        ("all **pots**\n\n```\n*e*\n```\n*f*", "all pots *e* f"),
        ("*e* = 1\n\n1. **all** pots", "e = 1 1. all pots"),
        (f"```py\n{LONG}```\n**all** pots", "a = *b* a = *b* a = *b* all pots"),
        (f"```\n{LONG}```\n**all** pots\n```\n*e*\n```\n*f*", "*b* all pots *e* f"),
        (f"````py\n{LONG}```\n*pots*\n````\n*f*", "*b* ``` *pots* f"),
        (f"~~~\n{LONG}```\n*pots*\n~~~\n*f*", "*b* ``` *pots* f"),
        (f"```\n{LONG}```\n{LONG}**all** pots\n```\n*e*\n```\n*f*", "a = b all pots *e* f"),
    ],
    ids=[
        *("stopped in a block", "stopped in a bare block", "whole", "no block"),
        *("began in a block", "a bare one follows", "longer fences", "other fences"),
        "after a block",
    ],
)
def test_an_excerpt_shows_plain_words_around_code(person, typed, expected):
    said(person, typed)

    ((shown,),) = excerpts(person, "pots")
    assert shown.endswith(expected)
    assert len(typed) > 400 or shown == expected


def test_an_excerpt_shows_what_was_typed_if_nothing_else_contains_the_word(person):
    said(person, "see [the map](https://example.org/harbour)")

    assert excerpts(person, "harbour") == [["…[the map](https://example.org/harbour)"]]
