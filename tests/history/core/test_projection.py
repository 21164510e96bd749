import pytest

from history.core.messages import Message, Role, Unread
from history.core.projection import Injected, ProjectionRequest, project
from tests import transcripts
from tests.history.core.making import projected, settings_of, verdicts
from tests.transcripts import transcript, turns

NINE = turns(9)
DASH = "\N{EN DASH}"


def reasons(messages, **values):
    entries = projected(messages, **values).plan.entries
    return [(str(e.verdict), e.first, e.last, e.reason) for e in entries]


@pytest.mark.parametrize(
    ("messages", "values", "expected"),
    [
        pytest.param(NINE, {"length": 5}, "T" * 8 + "K" * 10, id="F01: the last five turns"),
        pytest.param(NINE, {"length": 1}, "T" * 16 + "KK", id="F01: the current one counts"),
        pytest.param(
            transcripts.WELL_FORMED["consecutive_user_messages"],
            {"length": 2},
            "TKKK",
            id="F01: consecutive user messages count each",
        ),
        pytest.param(transcripts.GREETED, {"length": 2}, "KKKK", id="F01: a greeting is kept"),
        pytest.param(transcripts.GREETED, {"length": 1}, "TTTK", id="F01: a greeting is older"),
        pytest.param(NINE, {"policy": "all", "length": 1}, "K" * 18, id="F02: all"),
        pytest.param(NINE, {"policy": "none"}, "T" * 16 + "KK", id="F03: the current turn"),
        pytest.param(
            transcripts.WELL_FORMED["two_rounds"],
            {"policy": "none"},
            "KKKKK",
            id="F03: the current turn's tools",
        ),
        pytest.param(
            transcripts.INSTRUCTED, {"policy": "none"}, "KTTKTTK", id="F03, F04: none keeps system"
        ),
        pytest.param(
            transcripts.INSTRUCTED, {"length": 1}, "KTTKTTK", id="F04: lastN keeps system"
        ),
        pytest.param(
            transcripts.INSTRUCTED,
            {"length": 1, "preserve_system_messages": False},
            "TTTTTTK",
            id="F04: false removes them under lastN",
        ),
        pytest.param(
            transcripts.INSTRUCTED,
            {"policy": "all", "preserve_system_messages": False},
            "TKKTKKK",
            id="F04: false removes them under all",
        ),
        pytest.param(NINE, {"length": 0}, "T" * 16 + "KK", id="F05: 0 acts as 1"),
        pytest.param(turns(21), {}, "TT" + "K" * 40, id="F06: lastN 20 is the default"),
    ],
)
def test_what_becomes_of_each_message(messages, values, expected):
    assert verdicts(projected(messages, **values).plan) == expected


def test_a_run_of_trimmed_messages_is_one_entry_with_its_arithmetic():
    assert reasons(NINE, length=5) == [
        ("T", 0, 7, f"turns 1{DASH}4 of 9; lastN 5 keeps turns 5{DASH}9"),
        ("K", 8, 15, ""),
        ("K", 16, 17, "current turn"),
    ]


def test_a_kept_system_message_splits_the_run():
    assert reasons(transcripts.INSTRUCTED, length=1) == [
        ("K", 0, 0, "a system message; every policy keeps it"),
        ("T", 1, 2, "turn 1 of 3; lastN 1 keeps turn 3"),
        ("K", 3, 3, "a system message; every policy keeps it"),
        ("T", 4, 5, "turn 2 of 3; lastN 1 keeps turn 3"),
        ("K", 6, 6, "current turn"),
    ]


def test_a_removed_system_message_names_its_setting():
    plan = projected(transcripts.INSTRUCTED, policy="all", preserve_system_messages=False).plan

    assert (plan.entry_at(3).rule, plan.entry_at(3).reason) == (
        "preserve_system_messages",
        "turn 1 of 3; a system message, and preserve_system_messages is false",
    )


@pytest.mark.parametrize(
    ("values", "setting"),
    [({"length": 1}, "length"), ({"policy": "none"}, "policy")],
    ids=["lastN", "none"],
)
def test_a_trim_names_the_setting_that_moves_it(values, setting):
    entry = projected(NINE, **values).plan.entries[0]

    assert (entry.rule, entry.setting) == ("policy", setting)


def test_length_0_is_shown_as_stored_and_noted():
    plan = projected(NINE, length=0).plan

    assert plan.notes == ("lastN: length 0 acts as 1",)
    assert plan.settings.value("length") == 0
    assert plan.entries[0].reason == f"turns 1{DASH}8 of 9; lastN 0 (0 acts as 1) keeps turn 9"


@pytest.mark.parametrize("policy", ["none", "all"])
def test_length_0_has_no_note_where_no_length_counts(policy):
    assert projected(NINE, policy=policy, length=0).plan.notes == ()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("call_without_result", "K!K"),
        ("result_without_call", "K!K"),
        ("user_between_call_and_result", "K!K!K"),
        ("assistant_between_call_and_result", "K!K!K"),
        ("system_between_call_and_result", "K!K!K"),
        ("same_call_id_twice_in_a_message", "KAK!K"),
        ("same_call_id_twice_in_a_turn", "KKKA!"),
        ("result_with_the_wrong_id", "K!!K"),
        ("parallel_round_missing_one", "KAKK"),
        ("results_in_another_order", "KKKKK"),
        ("pending_call_at_the_end", "KKK!"),
        ("pending_call_beside_text", "KA"),
        ("empty", ""),
        ("only_system_messages", "KK"),
        ("only_a_greeting", "K"),
        ("result_before_any_call", "!K!K"),
        ("two_hundred_tool_messages", "K" + "!" * 200 + "K"),
        ("empty_assistant_message", "K!K"),
    ],
)
def test_a_malformed_history_is_planned(name, expected):
    assert verdicts(projected(transcripts.MALFORMED[name], policy="all").plan) == expected


def test_two_hundred_orphans_are_one_entry():
    plan = projected(transcripts.MALFORMED["two_hundred_tool_messages"], policy="all").plan

    assert [entry.count for entry in plan.entries] == [1, 200, 1]


def test_what_is_trimmed_is_not_reported_as_repaired():
    plan = projected(transcripts.MALFORMED["call_without_result"], length=1).plan

    assert verdicts(plan) == "TTK"


def test_an_altered_message_costs_less_by_the_calls_taken_out():
    plan = projected(transcripts.MALFORMED["parallel_round_missing_one"]).plan
    entry = plan.entry_at(1)

    assert (entry.tokens, entry.sent_tokens, plan.window.history) == (20, 15, 45)


def test_the_counts():
    messages = transcript("user: a", "assistant: b", "user: c", "call c1 search", "user: d")
    counts = projected(messages, length=2).plan.counts

    assert (counts.transcript, counts.sent, counts.trimmed, counts.repaired) == (5, 2, 2, 1)
    assert (counts.turns, counts.last_turn) == (3, 3)


def test_injected_texts_are_entries_around_the_transcript():
    request = ProjectionRequest(
        settings_of(context_window=1_000, output_reserve=100),
        (
            Injected("continue instruction", Role.USER, "Continue", 12, "end"),
            Injected("system prompt", Role.SYSTEM, "You are kind", 800, "start"),
        ),
        tool_schema_tokens=120,
    )
    plan = project(transcript("user: hi"), request).plan

    assert [(str(e.verdict), e.label, e.sent_tokens, e.reason) for e in plan.entries] == [
        ("+", "system prompt", 800, "sent ahead of the transcript: 800 tokens"),
        ("+", "tool schemas", 120, "sent with every request: 120 tokens"),
        ("K", "", 10, "current turn"),
        ("+", "continue instruction", 12, "sent after the transcript: 12 tokens"),
    ]
    assert (plan.window.system_prompt, plan.window.injected, plan.window.over) == (800, 12, 42)
    assert plan.notes == ("42 tokens over the context window with the output reserve",)


def test_an_empty_transcript_has_only_what_is_injected():
    request = ProjectionRequest(
        settings_of(), (Injected("system prompt", Role.SYSTEM, "You are kind", 8),)
    )
    projection = project((), request)

    assert verdicts(projection.plan) == "+"
    assert projection.messages == ()


def test_a_run_of_a_hundred_thousand_unread_messages_is_one_entry():
    current = Message(100_000, Role.USER, "hi", turn=30_001, tokens=10)
    messages = (Unread(0, 99_999, 0, 30_000, 2_000_000), current)

    assert reasons(messages, length=1) == [
        ("T", 0, 99_999, f"turns 0{DASH}30000 of 30001; lastN 1 keeps turn 30001"),
        ("K", 100_000, 100_000, "current turn"),
    ]


def test_unread_messages_that_the_policy_keeps_are_an_error():
    messages = (Unread(0, 7, 1, 4, 80), *NINE[8:])

    with pytest.raises(ValueError, match=r"^positions 0 to 7 were not read, but .* keeps turn 4$"):
        projected(messages, length=6)
