"""Sentences begin with a capital letter, unless a name comes first, and shares are never 0%."""

import pytest

from history.wording.names import capitalised, percentage


@pytest.mark.parametrize(
    ("sentence", "begins"),
    [
        pytest.param("messages 1 and 2", "Messages", id="a word"),
        pytest.param("turn, then", "Turn,", id="a word with a comma"),
        pytest.param("lastN 2 keeps turns 2 and 3", "lastN", id="a policy"),
        pytest.param("“Images kept” 1 only", "“Images", id="a setting"),
        pytest.param("Already so", "Already", id="one that has its capital"),
    ],
)
def test_a_sentence_begins_with_a_capital_unless_with_a_name(sentence, begins):
    assert capitalised(sentence).split(" ")[0] == begins


@pytest.mark.parametrize(
    ("share", "words"), [(14.6, "14.6%"), (100.0, "100.0%"), (0.1, "0.1%"), (0.0, "under 0.1%")]
)
def test_a_share_of_what_is_sent_is_never_called_nothing(share, words):
    assert percentage(share) == words
