import pytest

from history.core.plan.injected import Injected
from history.core.plan.neutral_request import canonical
from history.core.plan.verdict import Verdict
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.transcript.messages import Message, Role, Unread
from history.core.words.errors import NeedsMore
from history.core.words.facts import Rule, fact, note
from tests import transcripts
from tests.history.core.making import (
    ROOMY,
    cold_at,
    of_transcript,
    projected,
    settings_of,
    verdicts,
)
from tests.transcripts import transcript, turns

NINE = turns(9)
CURRENT, SYSTEM = (fact(Rule.CURRENT_TURN),), (fact(Rule.SYSTEM_KEPT),)


def reasons(messages, **values):
    entries = projected(messages, **values).plan.entries
    return [(str(e.verdict), e.first, e.last, e.turns, e.reasons) for e in entries]


def keeps(length, *kept):
    return (fact(Rule.POLICY, policy="lastN", length=length, stride=1, kept=[*kept]),)


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
    assert of_transcript(projected(messages, **values).plan) == expected


def test_a_run_of_trimmed_messages_is_one_entry_with_its_arithmetic():
    assert reasons(NINE, length=5) == [
        ("T", 0, 7, (1, 4), keeps(5, 5, 9)),
        ("K", 8, 15, None, ()),
        ("K", 16, 17, None, CURRENT),
    ]


def test_a_kept_system_message_splits_the_run():
    assert reasons(transcripts.INSTRUCTED, length=1) == [
        ("K", 0, 0, None, SYSTEM),
        ("T", 1, 2, (1, 1), keeps(1, 3, 3)),
        ("K", 3, 3, None, SYSTEM),
        ("T", 4, 5, (2, 2), keeps(1, 3, 3)),
        ("K", 6, 6, None, CURRENT),
    ]


def test_a_removed_system_message_names_its_setting():
    plan = projected(transcripts.INSTRUCTED, policy="all", preserve_system_messages=False).plan

    entry = plan.entry_at(3)
    assert (entry.rule, entry.turns) == ("preserve_system_messages", (1, 1))
    assert entry.reasons == (fact(Rule.SYSTEM_NOT_KEPT),)


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

    assert plan.notes[0] == note(Rule.LENGTH_ACTS_AS_ONE)
    assert plan.settings.value("length") == 0
    assert plan.entries[0].reasons == keeps(0, 9, 9)


@pytest.mark.parametrize("policy", ["none", "all"])
def test_length_0_has_no_note_where_no_length_counts(policy):
    notes = projected(NINE, policy=policy, length=0).plan.notes

    assert note(Rule.LENGTH_ACTS_AS_ONE) not in notes


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
    assert of_transcript(projected(transcripts.MALFORMED[name], policy="all").plan) == expected


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
    assert counts.last_turn == 3


def sent_at(place):
    return (fact(Rule.INJECTED, place=place),)


def test_injected_texts_are_entries_around_the_transcript():
    request = ProjectionRequest(
        settings_of(context_window=1_000, output_reserve=50),
        (
            Injected("continue instruction", Role.USER, "Continue", 12, "end"),
            Injected("date", Role.SYSTEM, "Monday", 5, "turn"),
            Injected("system prompt", Role.SYSTEM, "You are kind", 700, "start"),
        ),
        tool_schema_tokens=120,
    )
    plan = project(transcript("user: a", "assistant: b", "user: hi"), request).plan

    assert [(str(e.verdict), e.label, e.sent_tokens, e.reasons) for e in plan.entries] == [
        ("+", "system prompt", 700, sent_at("start")),
        ("+", "tool schemas", 120, sent_at("always")),
        ("K", "", 20, ()),
        ("+", "date", 5, sent_at("turn")),
        ("K", "", 10, CURRENT),
        ("+", "continue instruction", 12, sent_at("end")),
    ]
    assert (plan.window.system_prompt, plan.window.injected, plan.window.free) == (700, 17, 83)


def test_texts_are_told_apart_by_their_digests():
    texts = [Injected("system prompt", Role.SYSTEM, text, 5) for text in ("a", "b", "a")]
    entries = project((), ProjectionRequest(settings_of(), tuple(texts))).plan.entries

    assert [entry.digest for entry in entries] == ["ca978112ca1b", "3e23e8160039", "ca978112ca1b"]


@pytest.mark.parametrize("budget", [600, 1_000, 4_000])
def test_what_is_injected_is_never_pruned(budget):
    """F17: injected texts are sent whole at any budget."""
    texts = (
        Injected("system prompt", Role.SYSTEM, "You are kind", 300),
        Injected("profile", Role.SYSTEM, "They like cats", 200, "turn"),
    )
    values = {"policy": "all", "token_budget": budget, "output_reserve": 50}
    plan = project(turns(100), ProjectionRequest(settings_of(**values), texts)).plan

    assert [e.sent_tokens for e in plan.entries if e.verdict is Verdict.INJECTED] == [300, 200]


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
        ("T", 0, 99_999, (0, 30_000), keeps(1, 30_001, 30_001)),
        ("K", 100_000, 100_000, None, CURRENT),
    ]


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"length": 6}, id="the policy keeps some of them"),
        pytest.param({"policy": "all"}, id="all of them may be sent"),
        pytest.param({"policy": "all", "max_items": 11}, id="the window may reach them"),
        pytest.param({"policy": "all", "token_budget": 320, "output_reserve": 200}, id="budget"),
    ],
)
def test_unread_messages_that_may_be_sent_must_be_read(values):
    messages = (Unread(0, 7, 1, 4, 80), *NINE[8:])

    with pytest.raises(NeedsMore, match=r"^the messages before position 8 must be read$"):
        projected(messages, **values)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"length": 5}, id="policy"),
        pytest.param({"policy": "all", "max_items": 9}, id="max_items"),
        pytest.param(
            {"policy": "all", "token_budget": 256, "output_reserve": 170, "min_history_turns": 1},
            id="budget",
        ),
    ],
)
def test_unread_messages_that_cannot_be_sent_make_no_difference(values):
    messages = (Unread(0, 7, 1, 4, 80), *NINE[8:])

    part, whole = (projected(given, **values).plan.as_dict() for given in (messages, NINE))
    assert canonical(part) == canonical(whole)


RUNNING = transcript(
    *("user: a", "assistant: b") * 6,
    "user: go",
    *(line for n in range(5) for line in (f"call c{n} a", f"result c{n}: x")),
)


@pytest.mark.parametrize(
    ("values", "start", "next_start"),
    [
        pytest.param({"policy": "lastN", "length": 3}, 8, 8, id="lastN"),
        pytest.param({"max_items": 5}, 8, 11, id="max_items"),
        pytest.param({"token_budget": 256}, 4, 12, id="fifo"),
        pytest.param(
            {"token_budget": 256, "pruner": "sliding_window", "sliding_window_turns": 4},
            6,
            12,
            id="sliding_window",
        ),
    ],
)
def test_the_start_stays_while_tools_run(values, start, next_start):
    """F29: each step of a generation begins its window where the first step began it."""
    more = {"output_reserve": 160, "min_history_turns": 0}
    settings = settings_of(**{**ROOMY, **more, **values})
    steps = [
        project(RUNNING[:end], ProjectionRequest(settings, settled=13))
        for end in range(13, len(RUNNING) + 1, 2)
    ]

    assert {step.messages[0].position for step in steps} == {start}
    assert project(RUNNING, ProjectionRequest(settings)).messages[0].position == next_start


def test_the_plan_says_where_the_generation_began():
    plan = project(RUNNING, ProjectionRequest(settings_of(), settled=13)).plan

    assert (plan.settled, projected(RUNNING).plan.settled) == (13, len(RUNNING))


def test_placeholders_apply_before_every_step():
    settings = settings_of(**{**ROOMY, "tool_results_keep": 1})
    plan = project(RUNNING, ProjectionRequest(settings, settled=13)).plan

    assert verdicts(plan)[13:] == "KPKPKPKPKK"


def test_a_gap_that_was_not_read_may_move_the_start():
    """The plan must not depend on how much was read, whatever later stages leave out."""
    budget = {"token_budget": 256, "output_reserve": 220, "min_history_turns": 0}
    values = {"length": 2, "length_stride": 50, **budget}
    cold = cold_at(NINE, 8)
    messages = (Unread(0, 15, 1, 8, 160), *NINE[16:])

    with pytest.raises(NeedsMore):
        projected(messages, **values)
    assert projected(cold, **values).plan.entries[0].rule == "policy"
    assert projected(NINE, **values).plan.entries[0].rule == "budget"
