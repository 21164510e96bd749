"""F36 and F37: old tool results become placeholders, and everything else stays."""

import pytest

from history.core.transcript.messages import Role
from history.core.words.facts import Rule, fact
from tests.history.core.making import (
    ROOMY,
    chained,
    cold_at,
    of_transcript,
    projected,
    requested,
    sent,
    transcript,
)

DONE = ("assistant: done", "user: next")
PARALLEL = transcript(
    "user: go",
    "call c1 a, c2 b, c3 c",
    "result c1: x x50",
    "result c2: y x50",
    "result c3: z x50",
    *DONE,
)


def loop(calls, *after):
    """Make one turn with this many rounds of one call each."""
    rounds = [
        line for n in range(calls) for line in (f"call c{n} browse", f"result c{n}: page x50")
    ]
    return transcript("user: go", *rounds, *after)


def kept(messages, keep, **values):
    projection = projected(messages, **{**ROOMY, "tool_results_keep": keep, **values})
    return "".join(
        letter
        for letter, message in zip(of_transcript(projection.plan), messages, strict=True)
        if message.role is Role.TOOL
    )


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        pytest.param(0, "KKKK", id="0 is off"),
        pytest.param(1, "PPPK", id="the newest one"),
        pytest.param(3, "PKKK", id="the newest three"),
        pytest.param(4, "KKKK", id="as many as there are"),
        pytest.param(5, "KKKK", id="more than there are"),
    ],
)
def test_the_newest_results_stay_whole(keep, expected):
    assert kept(loop(4, *DONE), keep) == expected


@pytest.mark.parametrize(
    ("keep", "expected"), [(1, "PPK"), (2, "PKK"), (3, "KKK")], ids="keep {}".format
)
def test_results_are_counted_so_a_round_may_be_part_placeholder(keep, expected):
    assert kept(PARALLEL, keep) == expected


@pytest.mark.parametrize(
    ("pin", "whole"), [(None, [6]), (2, [2, 6]), (6, [4, 6])], ids="pinned {}".format
)
def test_a_pinned_result_stays_and_is_not_counted(pin, whole):
    pins = frozenset() if pin is None else frozenset({pin})
    projection = requested(loop(3, *DONE), {**ROOMY, "tool_results_keep": 1}, pins=pins)

    results = [m for m in projection.messages if m.role is Role.TOOL]
    assert [m.position for m in results if m.text != "[Omitted]"] == whole
    assert sent(projection) == [*range(9)]


def test_only_the_text_of_a_result_changes():
    messages = loop(3, *DONE)
    projection = projected(messages, **ROOMY, tool_results_keep=1)

    assert len(projection.messages) == len(messages)
    assert [m.text for m in projection.messages if m.role is Role.TOOL] == [
        "[Omitted]",
        "[Omitted]",
        "page",
    ]
    for before, after in zip(messages, projection.messages, strict=True):
        assert (after.tool_calls, after.tool_call_id) == (before.tool_calls, before.tool_call_id)
        assert after.role is Role.TOOL or after == before


def test_a_placeholder_shows_its_arithmetic():
    entry = projected(loop(3, *DONE), **ROOMY, tool_results_keep=1).plan.entry_at(2)

    assert (entry.rule, entry.setting) == ("placeholders", "tool_results_keep")
    assert (entry.reasons, entry.sizes) == ((fact(Rule.PLACEHOLDER, text="[Omitted]"),), (50, 7))


@pytest.mark.parametrize("calls", range(1, 11))
def test_in_a_loop_of_ten_calls_every_step_sees_its_newest_result(calls):
    messages = loop(calls)

    assert kept(messages, 1) == "P" * (calls - 1) + "K"
    assert set(kept(messages[:-2], 1)) <= {"P", "K"}


def test_the_newest_round_is_whole_until_it_is_answered():
    asked = PARALLEL[:5]

    assert kept(asked, 1) == "KKK"
    assert kept(PARALLEL, 1) == "PPK"


def test_an_earlier_round_is_not_whole_because_a_newer_one_is():
    messages = transcript(
        "user: go",
        "call c1 a",
        "result c1: x",
        "call c2 a, c3 a",
        "result c2: y",
        "result c3: z",
    )

    assert kept(messages, 1) == "PKK"


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        (5, "KKKKK"),
        (6, "KKKKKK"),
        (7, "PPPPPKK"),
        (8, "PPPPPKKK"),
        (11, "PPPPPKKKKKK"),
        (12, "PPPPPPPPPPKK"),
    ],
)
def test_with_a_stride_so_many_become_placeholders_at_once(calls, expected):
    assert kept(loop(calls, *DONE), 2, results_stride=5) == expected


def test_after_a_cold_gap_the_old_ones_go_at_once():
    messages = loop(6, *DONE)
    cold = cold_at(messages, len(messages) - 1)

    assert kept(messages, 2, results_stride=5) == "KKKKKK"
    assert kept(cold, 2, results_stride=5) == "PPPPKK"


def test_a_cold_gap_leaves_the_results_after_it_to_the_grid():
    first = ["user: go", "call a1 browse", "result a1: x", "call a2 browse", "result a2: x"]
    second = ["user: on", "call b1 browse", "result b1: x", "call b2 browse", "result b2: x"]
    messages = cold_at(transcript(*first, *second, "user: next"), 5)

    assert kept(messages, 1, results_stride=5) == "PKKK"


def test_what_a_filter_takes_out_does_not_count():
    messages = transcript(
        "user: go",
        "call c1 search",
        "result c1: x",
        "call c2 debug_tool",
        "result c2: y",
        "user: next",
    )
    plan = chained(messages, {"use": "tool_call_filter", "exclude": ["debug_tool"]}).plan
    kept_one = kept(messages, 1)

    assert (of_transcript(plan), kept_one) == ("KKKFFK", "PK")
