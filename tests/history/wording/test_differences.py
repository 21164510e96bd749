"""Sentences on bound reasoning that is left out name the setting that caused it."""

import pytest

from history.core.settings.resolution import resolve
from history.core.words.facts import Rule, fact
from history.wording.differences import unbound, unbound_messages
from tests.history.core.making import template

BEGINS = (
    "not sent: the model accepts it only if nothing before it has changed since it was written, "
    "but "
)
CASES = [
    (fact(Rule.PREFIX_CHANGED), "something before it changed"),
    (fact(Rule.TEXT_CHANGED, label="system prompt"), "system prompt changed"),
    (fact(Rule.MESSAGE_GONE, position=3, setting=""), "message 4 is no longer sent"),
    (
        fact(Rule.MESSAGE_BECAME, position=3, verdict="P", setting="tool_results_keep"),
        "message 4 became a placeholder (“Tool results kept in full” is 3, from agent demo v1)",
    ),
    (fact(Rule.MESSAGE_GONE, position=3, setting="a pruner"), "message 4 is no longer sent"),
]


@pytest.mark.parametrize(("change", "told"), CASES)
def test_the_change_and_its_setting(change, told):
    assert unbound(change, resolve([template(tool_results_keep=3)])) == BEGINS + told


PROMPT, GONE = fact(Rule.TEXT_CHANGED, label="system prompt"), fact(Rule.MESSAGE_GONE, position=3)
UNKNOWN = fact(Rule.PREFIX_CHANGED)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([GONE], "earlier message is not sent again, because message 4 is no longer sent."),
        ([GONE, GONE], "earlier messages is not sent again, because message 4 is no longer sent."),
        ([UNKNOWN, PROMPT], "earlier messages is not sent again, because system prompt changed."),
        ([PROMPT, UNKNOWN], "earlier messages is not sent again, because system prompt changed."),
        ([UNKNOWN], "earlier message is not sent again, because something before it changed."),
        (
            [GONE, PROMPT],
            "earlier messages is not sent again, because system prompt changed. Some of it has "
            "other reasons.",
        ),
    ],
    ids=["one", "two", "old", "new", "not explained", "different"],
)
def test_the_change_before_the_newest_message_is_named(changes, told):
    sentence = unbound_messages(changes, resolve([]))

    assert sentence == f"The reasoning of {len(changes)} {told}"
