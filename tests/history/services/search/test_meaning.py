"""A search without results suggests a similar word, if there is one."""

from dataclasses import replace

import pytest

from history.core.transcript.messages import Role
from history.services.path.appending import append, user_message
from history.services.search import corrected, find
from tests.factories import branch_of
from tests.history.services.conftest import BOB
from tests.history.services.search.conftest import said

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("databse", "database"),
        ("Databsae", "database"),
        ("an index of a databse", "an index of a database"),
        ("gdanks -databse", "gdansk -database"),
        ("lightouse", "lighthouse"),
        ("ligthhouse", "lighthouse"),
        ("database", ""),
        ("data", ""),
        ("zeppelin", ""),
        ("teh", ""),
        ("secret", ""),
        ("thiers", ""),
        ("天気東京", ""),
        ("", ""),
        ("x" * 9_000, ""),
    ],
    ids=lambda text: text[:20],
)
def test_a_misspelt_word_is_said_as_it_may_be_meant(person, query, expected):
    chat = said(person, "The database of Gda\u0144sk", title="Lighthouse")
    append(branch_of(chat), [replace(user_message("secrets"), role=Role.SYSTEM)])
    said(BOB, "theirs", title="Theirs")

    assert corrected(person, query) == expected


def test_what_may_be_meant_is_found(person):
    chat = said(person, "The database of the harbour")

    (found,) = find(person, corrected(person, "harbor databse"))
    assert found.conversation == chat
