"""Every rule of an error has its sentence."""

import pytest

from history.core.words.facts import Rule, fact
from history.wording.faults import word_fault, word_supposed

pytestmark = pytest.mark.words

SUMS = {"over": 15, "rest": 900, "history": 1_500, "window": 2_000, "reserve": 100}


def nested(rule, **figures):
    return fact(rule, **figures).as_dict()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            fact(Rule.NO_LEVELS, known=["history", "agent"]),
            "processors: must be lists by level (history, agent)",
        ),
        (
            fact(Rule.NO_LEVEL, names=["agents"], known=["history", "agent"]),
            "processors: there is no level agents. The levels are history, agent",
        ),
        (
            fact(Rule.NO_LIST, level="agent"),
            "processors, agent level: must be a list",
        ),
        (
            fact(
                Rule.BAD_PROCESSOR,
                level="agent",
                place=2,
                why=nested(Rule.BOTH_FILTERS, name="tool_call_filter"),
            ),
            "processors, agent level, 2: tool_call_filter: give either exclude or include, not "
            "both",
        ),
        (
            fact(Rule.NO_FUNCTION, name="mine", kind="tuple"),
            "mine: its factory returned tuple, not a function",
        ),
        (
            fact(Rule.PROCESSOR_FAILED, name="mine", level="agent", why="KeyError"),
            "The processor mine at the agent level failed: KeyError",
        ),
        (
            fact(
                Rule.PROCESSOR_FAILED,
                name="mine",
                level="agent",
                why=nested(Rule.MESSAGE_CHANGED, position=0),
            ),
            "The processor mine at the agent level failed: it returned message 1 changed or twice",
        ),
        (
            fact(Rule.PRUNER_FAILED, name="mine", why=nested(Rule.NO_TURN, kind="bool")),
            "The pruner mine failed: it returned bool, not the place of a turn",
        ),
        (
            fact(
                Rule.DOES_NOT_FIT,
                **SUMS,
                largest=nested(Rule.LARGEST_SHORTENED, position=0, tokens=1_300, now=15),
            ),
            "This request is 15 tokens too large for the model, so it was not sent. "
            "Instructions, tools and summaries take 900 tokens, messages that must be sent take "
            "1,500 (the largest is message 1 with 1,300, 15 when shortened), and 100 of the "
            "context window of 2,000 are reserved for the answer. Send a shorter message, or "
            "ask an administrator to change the agent's prompt, tools or limits.",
        ),
    ],
    ids=lambda value: value.rule if hasattr(value, "rule") else None,
)
def test_what_is_wrong(wrong, sentence):
    assert word_fault(wrong) == sentence


def test_of_what_nobody_wanted_to_send_it_is_not_said_that_it_was_not_sent():
    too_large = fact(Rule.DOES_NOT_FIT, **SUMS, largest=nested(Rule.NO_MESSAGE))

    assert word_supposed(too_large) == (
        "This request would be 15 tokens too large for the model, so it could not be sent. "
        "Instructions, tools and summaries take 900 tokens, messages that must be sent take 1,500 "
        "(there are none), and 100 of the context window of 2,000 are reserved for the answer. A "
        "larger context window or a smaller output reserve would make room."
    )


def test_another_fault_is_the_same_for_it():
    wrong = fact(Rule.PRUNER_FAILED, name="mine", why="KeyError")

    assert word_supposed(wrong) == word_fault(wrong)
