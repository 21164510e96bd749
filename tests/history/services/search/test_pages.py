"""Matches beyond the first page are on later pages, each of them once."""

from dataclasses import replace
from itertools import chain
from random import Random

import pytest

from history.core.transcript.messages import Role, ToolCall
from history.models import Message
from history.services.access import listed_conversations
from history.services.path.appending import (
    append,
    assistant_message,
    result_message,
    user_message,
)
from history.services.search import Older, find, finding, looking
from history.services.search.results import ahead
from tests.factories import branch_of
from tests.history.services.conftest import BOB
from tests.history.services.search.conftest import said

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def short_pages(monkeypatch):
    monkeypatch.setattr(finding, "MOST_HITS", 5)
    monkeypatch.setattr(finding, "SHOWN_OF_ONE", 4)


def pages(actor, query, within=None):
    """Yield the texts of each page; each page says where the next one begins."""
    found = find(actor, query, within)
    while True:
        yield [text.message.text for chat in found for text in chat.texts]
        if found.older is None:
            return
        found = find(actor, query, within, Older.of(str(found.older)))


def test_all_chats_are_reached_by_pages_and_one_with_many_matches_fills_no_page_again(person):
    for number in range(12):
        said(person, f"pot {number}")
    many = said(person, *(f"many pots {number}" for number in range(9)))
    said(BOB, "pot of bob")

    first, *others = pages(person, "pot")

    assert first[:5] == ["pot 11", "pot 10", "pot 9", "pot 8", "pot 7"]  # Whole words come first.
    assert sorted([*first, *chain(*others)]) == sorted(
        [*(f"pot {number}" for number in range(12)), *(f"many pots {n}" for n in (8, 7, 6))]
    )
    of_one = list(chain(*pages(person, "pot", many.pk)))
    assert of_one == [f"many pots {number}" for number in range(8, -1, -1)]


@pytest.mark.parametrize(
    ("matches", "counted", "is_counted"), [(4, 4, True), (5, 5, True), (9, 5, False)]
)
def test_one_chats_matches_are_counted_beyond_its_page(person, matches, counted, is_counted):
    many = said(person, *(f"pot {number}" for number in range(matches)), "no hat")

    found = find(person, "pot", many.pk)

    assert (found[0].count, found.is_counted) == (counted, is_counted)
    assert len(found[0].texts) == min(matches, 4)
    if found.older:
        assert find(person, "pot", many.pk, found.older)[0].count == matches - 4


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("query", ["pot", "blue pot", "p"])
def test_every_match_is_shown_on_a_page_or_by_a_chat_that_a_page_shows(person, seed, query):
    random = Random(seed)
    texts = ["blue pot", "a pot of blue", "the pot is blue and by the sea", "pots, bluer", "a hat"]
    drafts = (user_message, assistant_message)
    for _ in range(8):
        many = [random.choice(texts) for _ in range(random.randint(1, 9))]
        drafted = [drafts[place % 2](text) for place, text in enumerate(many)]
        append(branch_of(said(person)), drafted)
    said(BOB, "blue pot")

    paged, chats = set(), set()
    found, older = None, None
    while found is None or (older := found.older):
        found = find(person, query, None, older and Older.of(str(older)))
        assert found
        paged |= {text.message.pk for chat in found for text in chat.texts}
        chats |= {chat.conversation.pk for chat in found if chat.more}
    for chat in chats:
        page = find(person, query, chat)
        while page:
            paged |= {text.message.pk for (one) in page for text in one.texts}
            page = find(person, query, chat, page.older) if page.older else []

    everything = Message.objects.filter(conversation__in=listed_conversations(person))
    assert paged == set(everything.exclude(text="a hat").values_list("pk", flat=True))


def known(found):
    return found.older and found.is_known


def test_no_page_is_offered_whose_matches_are_in_chats_that_lead_to_them(person):
    said(person, "a single pot")
    said(person, *(f"pot {number}" for number in range(9)))

    assert known(find(person, "pot"))
    assert find(person, "pot 1").older is None
    said(person, *(f"pot {number}" for number in range(9)))
    first, *others = pages(person, "pot")
    assert (first, others) == (
        ["pot 8", "pot 7", "pot 6"],
        [["pot 8", "pot 7", "pot 6"], ["a single pot"]],
    )


@pytest.mark.parametrize("hidden", ["a system message", "recall's", "excluded", "shown"])
def test_no_page_is_offered_of_which_nothing_may_be_shown(person, hidden):
    old = said(person)
    secret = user_message("the old pot")
    if hidden == "a system message":
        secret = replace(secret, role=Role.SYSTEM)
    if hidden == "recall's":
        secret = result_message(ToolCall("c1", "recall", "{}"), "the old pot")
    append(branch_of(old), [secret, user_message("a hat" if hidden == "excluded" else "a key")])
    for number in range(5):
        said(person, f"pot {number}, which is old, the pot")
    query = {"excluded": "pot -hat", "shown": "old pot"}.get(hidden, "pot")

    found = find(person, query)

    assert len(found) == 5 + (hidden == "shown")
    assert found.older is None


def test_where_only_reading_tells_it_is_said_that_older_messages_must_be_searched(
    person, monkeypatch
):
    monkeypatch.setattr(looking, "MOST_READ", 3)
    monkeypatch.setattr(ahead, "BATCH", 3)
    said(person, 'a "5%" of it')
    for number in range(7):
        said(person, f"5 is {number}")

    found = find(person, '"5%"')

    assert (found, found.is_known) == ([], False)
    assert found.older
    assert known(find(person, '"5%"', older=found.older)) in (None, True)


def test_pages_go_on_where_texts_are_read(person, monkeypatch):
    monkeypatch.setattr(looking, "MOST_READ", 3)
    said(person, 'a "5%" of it')
    for number in range(7):
        said(person, f"5 is {number}")

    found = list(pages(person, '"5%"'))

    assert [text for page in found for text in page] == ['a "5%" of it']
    assert 2 <= len(found) <= 4


def test_a_page_after_the_best_matches_does_not_repeat_them(person):
    said(person, "the blue pot is old")
    for number in range(8):
        said(person, f"a pot, number {number}, and it is blue")

    texts = list(pages(person, "blue pot is old"))
    assert texts == [["the blue pot is old"]]
    found = list(chain(*pages(person, "blue pot")))
    assert found[0] == "the blue pot is old"
    assert len(found) == len(set(found)) == 9


@pytest.mark.parametrize(
    "text", ["", "0", "-5", "x", "5.", "5..6", "\u0665", "9" * 30, "5\n", "5.6 "]
)
def test_what_no_page_said_leads_nowhere(text):
    assert Older.of(text) is None


def test_what_a_page_said_leads_on():
    assert Older.of("7.5.6") == Older(7, (5, 6))
    assert str(Older(7, tuple(range(1, 900)))).split(".")[:2] == ["7", "600"]
