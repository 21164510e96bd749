"""A sentence begins with a capital letter, unless a name comes first."""

import pytest

from history.wording.names import capitalised


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
