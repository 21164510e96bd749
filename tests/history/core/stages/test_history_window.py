"""F25 to F27: `max_items`, a window of messages with at least one question and answer in text."""

import pytest

from history.core.transcript.messages import Role
from history.core.words.facts import Rule, fact
from tests.history.core.making import ROOMY, cold_at, of_transcript, projected, sent, transcript
from tests.transcripts import turns

LOOP = (
    "user: go",
    "assistant: right away",
    *(line for n in range(10) for line in (f"call c{n} a", f"result c{n}: x")),
)


def windowed(messages, size, **values):
    return projected(messages, **{**ROOMY, "max_items": size, **values})


def asked(count):
    """Make this many complete turns, and then one more question."""
    return turns(count + 1)[:-1]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        pytest.param(10, "KKKKKKK", id="under the cap"),
        pytest.param(7, "KKKKKKK", id="at the cap"),
        pytest.param(6, "TKKKKKK", id="over the cap"),
        pytest.param(3, "TTTTKKK", id="three messages"),
        pytest.param(2, "TTTTTKK", id="the smallest cap"),
    ],
)
def test_the_newest_messages(size, expected):
    assert of_transcript(windowed(asked(3), size).plan) == expected


def test_unset_it_is_off():
    assert of_transcript(projected(asked(30), **ROOMY).plan) == "K" * 61


def test_the_window_counts_what_the_policy_leaves():
    assert of_transcript(windowed(asked(9), 5, policy="lastN", length=3).plan) == "T" * 14 + "KKKKK"


def test_the_window_shows_its_arithmetic():
    entry = windowed(asked(3), 3).plan.entry_at(0)

    assert (entry.rule, entry.setting, entry.turns) == ("history window", "max_items", (1, 2))
    assert entry.reasons == (fact(Rule.HISTORY_WINDOW, size=3, stride=1, kept=3, brought=0),)


def test_what_an_exchange_brings_in_says_why_and_is_counted():
    lines = ["user: a", "assistant: b", "call c1 a", "result c1: x", "user: c"]
    plan = windowed(transcript(*lines), 2).plan

    brought = fact(Rule.HISTORY_WINDOW, size=2, stride=1, kept=4, brought=3)
    assert [(str(e.verdict), e.first, e.last, e.rule, *e.reasons) for e in plan.entries] == [
        ("T", 0, 0, "history window", brought),
        ("+", None, None, "opening", fact(Rule.OPENING)),
        ("K", 1, 3, "history window", fact(Rule.EXCHANGE, size=2)),
        ("K", 4, 4, "current turn", fact(Rule.CURRENT_TURN)),
    ]


def test_no_segment_is_cut():
    messages = transcript(
        "user: go",
        "call c1 a, c2 a",
        "result c1: x",
        "result c2: y",
        "assistant: done",
        "user: next",
    )

    assert of_transcript(windowed(messages, 4).plan) == "TTTTKK"
    assert of_transcript(windowed(messages, 5).plan) == "TKKKKK"


@pytest.mark.parametrize(
    ("lines", "size", "expected"),
    [
        pytest.param(
            ["user: a", "assistant: b", "call c1 a", "result c1: x", "user: c"],
            2,
            "TKKKK",
            id="back to the newest answer in words",
        ),
        pytest.param(
            ["user: a", "assistant: b", "user: c", "user: d", "user: e"],
            2,
            "TKKKK",
            id="everything between is included",
        ),
        pytest.param(
            ["user: a", "assistant: b", "call c1 a: Let me", "result c1: x", "user: c"],
            2,
            "TTKKK",
            id="calls beside text are an answer in words",
        ),
        pytest.param(
            ["user: a", "call c1 a", "result c1: x", "user: b", "user: c"],
            2,
            "TTTKK",
            id="a role that exists nowhere moves nothing",
        ),
        pytest.param(
            ["assistant: a", "assistant: b", "assistant: c"],
            2,
            "TKK",
            id="without a user message all is past",
        ),
    ],
)
def test_the_window_holds_a_question_and_an_answer(lines, size, expected):
    assert of_transcript(windowed(transcript(*lines), size).plan) == expected


def test_the_walk_back_ends_at_four_times_the_cap():
    """The question and the answer in text are kept; between them, only the newest rounds are."""
    messages = transcript(*LOOP, "user: next")
    projection = windowed(messages, 2)

    assert of_transcript(projection.plan) == "TK" + "TT" * 7 + "KK" * 3 + "K"
    assert len(sent(projection)) == 4 * 2


def test_within_the_bound_nothing_between_is_left_out():
    messages = transcript(*LOOP[:8], "user: next")

    assert of_transcript(windowed(messages, 2).plan) == "T" + "K" * 8


def test_the_current_turn_is_never_cut():
    assert of_transcript(windowed(transcript(*LOOP), 2).plan) == "K" * 22


@pytest.mark.parametrize(
    ("count", "first"), [(3, 0), (4, 0), (5, 5), (6, 5), (7, 5), (8, 10), (9, 10), (10, 15)]
)
def test_with_a_stride_the_start_stands_on_a_grid_of_messages(count, first):
    assert sent(windowed(asked(count), 6, length_stride=5))[0] == first


def test_after_a_cold_gap_the_start_moves_at_once():
    messages = asked(6)

    assert sent(windowed(messages, 6, length_stride=50))[0] == 0
    assert sent(windowed(cold_at(messages, 12), 6, length_stride=50))[0] == 7
    assert sent(windowed(cold_at(messages, 10), 6, length_stride=50))[0] == 5


def test_preserved_system_messages_take_no_place_in_it():
    messages = transcript("system: be kind", "user: a", "assistant: b", "user: c")

    assert of_transcript(windowed(messages, 2).plan) == "KTKK"


@pytest.mark.parametrize("size", range(2, 24))
def test_pairs_are_whole_at_every_size(size):
    messages = transcript(
        "user: go",
        "call a1 a, a2 a",
        "result a2: x",
        "result a1: x",
        "assistant: b",
        "user: c",
        *(line for n in range(6) for line in (f"call c{n} a", f"result c{n}: x")),
        "assistant: d",
        "user: e",
    )
    projection = windowed(messages, size)
    calls = [c.id for m in projection.messages for c in m.tool_calls]

    assert sorted(calls) == sorted(
        m.tool_call_id for m in projection.messages if m.role is Role.TOOL
    )
    assert "!" not in of_transcript(projection.plan)
