"""`manage.py context project` reads a hundred thousand messages, some of them malformed."""

from dataclasses import replace
from itertools import chain, cycle

import pytest

from tests.history.projecting import as_openai, letters, plan_of
from tests.history.row_cases import REPAIRED
from tests.transcripts import MALFORMED, WELL_FORMED

pytestmark = [pytest.mark.whole, pytest.mark.django_db]

KINDS = {**WELL_FORMED, **MALFORMED}
VERDICTS = {name: "K" * len(messages) for name, messages in WELL_FORMED.items()}
VERDICTS |= {**REPAIRED, "only_system_messages": "KK"}
LONG = "two_hundred_tool_messages"  # Used once, or most messages would be from it.
MANY = 100_000
ROOM = ["--set", "policy=all", "--set", "context_window=100000000"]


@pytest.fixture(scope="module")
def sprinkled():
    """Repeat every kind of transcript; return the messages, and their expected letters."""
    messages, expected = [], ""
    others = [name for name in KINDS if name != LONG]
    for number, name in enumerate(chain([LONG], cycle(others))):
        messages += [_of_its_own(message, number) for message in KINDS[name]]
        expected += VERDICTS[name]
        if len(messages) >= MANY:
            return as_openai(messages), expected


def _of_its_own(message, number):
    """Give the message's calls ids that no other part of the transcript has."""
    calls = tuple(replace(call, id=f"{number} {call.id}") for call in message.tool_calls)
    answered = message.tool_call_id and f"{number} {message.tool_call_id}"
    return replace(message, tool_calls=calls, tool_call_id=answered)


def pairs_up(messages):
    """Whether every call is answered once, before the next message that is no result."""
    waiting = []
    for message in messages:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
        elif waiting:
            return False
        waiting += [call["id"] for call in message.get("tool_calls", ())]
    return not waiting


def test_100_000_messages_with_broken_pairs_are_projected_and_all_repairs_named(
    tmp_path, sprinkled
):
    messages, expected = sprinkled

    record = plan_of(tmp_path, messages, *ROOM)

    assert letters(record) == expected
    assert pairs_up(record["messages"])
    assert [(repair["position"], repair["verdict"]) for repair in record["repaired"]] == [
        (place, letter) for place, letter in enumerate(expected) if letter in "A!"
    ]
    assert all(repair["reason"] for repair in record["repaired"])


@pytest.mark.parametrize(
    "values",
    [
        ["length=1000"],
        ["policy=all", "token_budget=50000", "tool_results_keep=3"],
    ],
    ids=["by-turns", "by-tokens"],
)
def test_a_window_on_100_000_messages_is_valid_and_names_the_repairs_in_it(
    tmp_path, sprinkled, values
):
    messages, expected = sprinkled
    values = [*values, "context_window=1000000"]  # System messages alone exceed the usual window.
    options = [part for value in values for part in ("--set", value)]

    record = plan_of(tmp_path, messages, *options)

    found = letters(record)
    repaired = [repair["position"] for repair in record["repaired"]]
    assert len(found) == len(messages)
    assert pairs_up(record["messages"])
    assert repaired == [place for place, letter in enumerate(found) if letter in "A!"]
    assert {expected[place] for place in repaired} <= {"A", "!"}
