import pytest

from history.core.transcript.segments import segment
from history.core.words.facts import Rule, fact
from tests import transcripts
from tests.transcripts import transcript


def grouped(messages):
    return [[message.position for message in part.messages] for part in segment(messages)]


def repairs(messages):
    return [
        (repair.message.position, *repair.reasons)
        for s in segment(messages)
        for repair in s.repairs
    ]


@pytest.mark.parametrize(
    ("messages", "groups"),
    [
        pytest.param(transcripts.PLAIN, [[0], [1], [2], [3], [4]], id="text stands alone"),
        pytest.param(transcripts.ONE_TOOL, [[0], [1, 2], [3], [4]], id="a call with its result"),
        pytest.param(transcripts.PARALLEL, [[0], [1, 2, 3], [4]], id="a parallel round"),
        pytest.param(
            transcripts.WELL_FORMED["two_rounds"], [[0], [1, 2], [3, 4]], id="two rounds in a turn"
        ),
        pytest.param(
            transcripts.MALFORMED["results_in_another_order"],
            [[0], [1, 2, 3], [4]],
            id="results in another order",
        ),
        pytest.param(
            transcripts.MALFORMED["parallel_round_missing_one"],
            [[0], [1, 2], [3]],
            id="what is left of a round",
        ),
        pytest.param(
            transcripts.MALFORMED["user_between_call_and_result"],
            [[0], [], [2], [], [4]],
            id="what is removed is a segment with no messages",
        ),
    ],
)
def test_messages_are_grouped(messages, groups):
    assert grouped(messages) == groups


def call(why, then, tool="search"):
    return fact(Rule.UNPAIRED_CALL, why=why, call="c1", tool=tool, then=then)


LOST = call("no_result", "taken_out")
GONE = (call("no_result", "removed"), fact(Rule.NOTHING_ELSE))
ORPHAN = fact(Rule.UNPAIRED_RESULT, why="no_call")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("call_without_result", [(1, *GONE)]),
        ("result_without_call", [(1, ORPHAN)]),
        ("user_between_call_and_result", [(1, *GONE), (3, ORPHAN)]),
        ("assistant_between_call_and_result", [(1, *GONE), (3, ORPHAN)]),
        ("system_between_call_and_result", [(1, *GONE), (3, ORPHAN)]),
        (
            "same_call_id_twice_in_a_message",
            [
                (1, call("repeats", "taken_out", "fetch")),
                (3, fact(Rule.UNPAIRED_RESULT, why="second")),
            ],
        ),
        (
            "same_call_twice_with_other_arguments",
            [(1, call("repeats", "taken_out"))],
        ),
        (
            "same_call_id_twice_in_a_turn",
            [
                (3, call("repeats", "taken_out")),
                (4, fact(Rule.UNPAIRED_RESULT, why="repeats")),
            ],
        ),
        ("result_with_the_wrong_id", [(1, *GONE), (2, ORPHAN)]),
        ("parallel_round_missing_one", [(1, LOST)]),
        ("results_in_another_order", []),
        ("pending_call_at_the_end", [(3, *GONE)]),
        ("pending_call_beside_text", [(1, LOST)]),
        ("empty", []),
        ("only_system_messages", []),
        ("only_a_greeting", []),
        ("result_before_any_call", [(0, ORPHAN), (2, *GONE)]),
        ("two_hundred_tool_messages", [(n, ORPHAN) for n in range(1, 201)]),
        ("empty_assistant_message", [(1, fact(Rule.EMPTY))]),
    ],
)
def test_a_malformed_history_is_repaired_and_says_why(name, expected):
    assert repairs(transcripts.MALFORMED[name]) == expected


def test_every_malformed_history_has_a_row_above():
    rows = test_a_malformed_history_is_repaired_and_says_why.pytestmark[0].args[1]

    assert {name for name, _ in rows} == set(transcripts.MALFORMED)


def test_a_pair_counts_though_an_earlier_call_of_its_id_was_lost():
    messages = transcript("user: a", "call c1 search", "user: b", "call c1 search", "result c1: x")

    assert grouped(messages) == [[0], [], [2], [3, 4]]


def test_equal_calls_in_one_message_are_duplicates_too():
    messages = transcript("user: a", "call c1 search, c1 search", "result c1: x")

    assert [len(m.tool_calls) for s in segment(messages) for m in s.messages] == [0, 1, 0]


def test_a_segment_knows_its_tokens():
    assert [part.tokens for part in segment(transcripts.PARALLEL)] == [10, 40, 10]
