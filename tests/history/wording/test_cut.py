"""The chat's line: a sentence for each kind of thing that was left out, in singular and plural."""

import pytest

from history.core.plan.verdict import Verdict
from history.wording.cut import CHANGED, changed, left_out, seen, still_sent, summarised

DASH = "\N{EN DASH}"


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        (seen("none", 9, 9), "The model only sees the current turn."),
        (seen("lastN", 2, 2), "The model only sees the last turn (2)."),
        (seen("lastN", 5, 9), f"The model sees the last 5 turns (5{DASH}9)."),
        (left_out(1, []), "1 earlier message was left out."),
        (left_out(1_400, []), "1,400 earlier messages were left out."),
        (left_out(1, ["so"]), "1 earlier message was left out (so)."),
        (left_out(14, ["this", "that"]), "14 earlier messages were left out (this and that)."),
        (summarised(1), "1 earlier message was summarised."),
        (summarised(12), "12 earlier messages were summarised."),
        (still_sent(1), "1 of the earlier messages is still sent."),
        (still_sent(2), "2 of the earlier messages are still sent."),
        (changed(Verdict.ALTERED, 2), "2 messages were altered."),
        (changed(Verdict.PLACEHOLDER, 1), "1 message was replaced by a placeholder."),
        (changed(Verdict.PLACEHOLDER, 2), "2 messages were replaced by placeholders."),
        (changed(Verdict.TRIMMED, 2), "2 messages were left out."),
        (changed(Verdict.FILTERED, 2), "2 messages were filtered out."),
        (changed(Verdict.SUMMARISED, 2), "2 messages were summarised."),
        (changed(Verdict.EXCLUDED, 1), "1 message was excluded."),
        (changed(Verdict.REPAIRED, 2), "2 messages were repaired."),
    ],
)
def test_what_the_line_says(sentence, words):
    assert sentence == words


def test_all_that_is_not_as_it_was_has_its_sentence():
    assert CHANGED.keys() == set(Verdict) - {Verdict.KEPT, Verdict.INJECTED}
