"""Sentences on why a setting can't be changed in an address or a chat."""

import pytest

from history.core.settings.layers import environment_layer
from history.core.settings.resolution import resolve
from history.wording.deciding.locks import lock_of, why_locked
from history.wording.remembering import value_set_by
from tests.history.core.making import template

LENGTH = environment_layer({"DEFAULT_HISTORY_LENGTH": "5"})
GOES_WITH = (
    "It can't be changed here: the server sets History length (DEFAULT_HISTORY_LENGTH), and "
    "History policy goes with it."
)


@pytest.mark.parametrize(
    ("layers", "name", "words", "sentence"),
    [
        (
            [LENGTH],
            "length",
            "can't be changed here",
            "Set by the server (DEFAULT_HISTORY_LENGTH).",
        ),
        ([LENGTH], "policy", "goes with History length, which the server sets", GOES_WITH),
        ([LENGTH], "max_items", "", ""),
        ([], "policy", "", ""),
    ],
    ids=["the one that is set", "the one that goes with it", "another one", "none is set"],
)
def test_the_server_is_named_with_what_it_sets(layers, name, words, sentence):
    settings = resolve(layers)

    assert (lock_of(settings, name), why_locked(settings, name, is_staff=True)) == (words, sentence)


def test_whoever_set_the_policy_before_is_named_with_what_locks_it():
    settings = resolve([LENGTH, template(policy="all")])

    assert value_set_by(settings, "policy", "Demo", is_staff=True) == (
        f"History policy: all. Set by the agent Demo. {GOES_WITH}"
    )


def test_whoever_cannot_change_the_environment_is_told_only_that_the_server_sets_it():
    settings = resolve([LENGTH])

    assert why_locked(settings, "length", is_staff=False) == "Set by the server."
    assert value_set_by(settings, "policy", "Demo").endswith(
        "the server sets History length, and History policy goes with it."
    )
