"""F19 and F20: removed calls take their results along; the rest of a message stays."""

import pytest

from history.core.plan.verdict import Verdict
from history.core.stages.processor import ToolCallFilter
from history.core.transcript.messages import Role
from history.core.transcript.segments import segment
from history.core.words.errors import SettingErrors
from history.core.words.facts import Rule, fact
from tests.history.core.making import chained, of_transcript, sent, transcript

FILTER = "tool_call_filter"
AGENT = transcript(
    "user: look it up",
    "call c1 search, c2 fetch: Let me look",
    "result c1: found",
    "result c2: fetched",
    "call c3 debug_tool",
    "result c3: trace",
    "assistant: here",
    "user: thanks",
)
RUN = transcript(
    "user: go",
    "call c1 search",
    "result c1: x",
    "call c2 fetch, c3 search",
    "result c3: y",
    "result c2: z",
    "assistant: done",
    "user: next",
)

BY_TURNS = [
    "u go",
    "a Used search tool",
    "a  fetch",
    "t z",
    "a Used search tool",
    "a done",
    "u next",
]


def filtered(messages, **options):
    return chained(messages, {"use": FILTER, **options})


def lines(projection):
    """Write each message as its role's first letter, its text, and the names of its calls."""
    return [
        " ".join([str(m.role)[0], m.text, *(call.name for call in m.tool_calls)]).strip()
        for m in projection.messages
    ]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param({}, "KAFFFFKK", id="all"),
        pytest.param({"exclude": ["debug_tool"]}, "KKKKFFKK", id="exclude one"),
        pytest.param({"exclude": ["search"]}, "KAFKKKKK", id="exclude one of a round"),
        pytest.param({"exclude": ["search", "debug_tool"]}, "KAFKFFKK", id="exclude two"),
        pytest.param({"include": ["search"]}, "KAKFFFKK", id="include one of a round"),
        pytest.param({"include": ["debug_tool"]}, "KAFFKKKK", id="include one"),
        pytest.param({"include": ["nothing"]}, "KAFFFFKK", id="include none that is there"),
        pytest.param({"exclude": ["nothing"]}, "KKKKKKKK", id="exclude none that is there"),
        pytest.param({"exclude": ["Search"]}, "KKKKKKKK", id="names are exact"),
        pytest.param({"persist_results": True}, "KAFFFFKK", id="persist_results takes out as many"),
    ],
)
def test_the_filter_removes_the_calls_it_is_told_to(options, expected):
    projection = filtered(AGENT, **options)

    assert of_transcript(projection.plan) == expected


def test_a_message_that_mixes_calls_keeps_the_allowed_ones_and_its_text():
    projection = filtered(AGENT, exclude=["search"])
    entry = projection.plan.entry_at(1)

    assert lines(projection)[1:3] == ["a Let me look fetch", "t fetched"]
    assert (entry.tokens, entry.sent_tokens, entry.rule, entry.setting, entry.level) == (
        20,
        15,
        FILTER,
        "processors",
        "history",
    )
    assert entry.reasons == (
        fact(Rule.TOOL_CALL_FILTER, exclude=["search"], processor=FILTER, level="history"),
    )


def test_text_beside_calls_is_kept_without_them():
    assert lines(filtered(AGENT)) == ["u look it up", "a Let me look", "a here", "u thanks"]


@pytest.mark.parametrize("options", [{}, {"exclude": ["a", "b"]}, {"include": ["a", "b"]}])
def test_it_says_what_it_does(options):
    does = ToolCallFilter(**{k: tuple(v) for k, v in options.items()}).reason

    assert does == fact(Rule.TOOL_CALL_FILTER, **options)


def test_a_result_that_is_not_adjacent_leaves_too():
    """Results of other calls stand between the call c1 and its result."""
    messages = transcript(
        "user: go",
        "call c1 search, c2 fetch, c3 fetch",
        "result c2: x",
        "result c3: y",
        "result c1: z",
        "assistant: done",
        "user: next",
    )

    assert of_transcript(filtered(messages, exclude=["search"]).plan) == "KAKKFKK"


def test_exclude_and_include_together_are_refused():
    with pytest.raises(SettingErrors, match="both_filters"):
        filtered(AGENT, exclude=["search"], include=["fetch"])


def test_the_current_turn_is_sent_whole():
    messages = transcript("user: go", "call c1 search", "result c1: x")

    assert of_transcript(filtered(messages).plan) == "KKK"


def test_repaired_messages_are_not_filtered():
    messages = transcript("user: a", "call c1 search: hm", "result c9: x", "user: b")

    assert of_transcript(filtered(messages).plan) == "KA!K"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(
            {},
            ["u go", "a Used tools: search, fetch", "a done", "u next"],
            id="several tools in one run, each named once",
        ),
        pytest.param(
            {"exclude": ["search"]},
            BY_TURNS,
            id="a run ends where something is kept",
        ),
        pytest.param(
            {"include": ["fetch"]},
            BY_TURNS,
            id="it stands behind a round, not inside it",
        ),
    ],
)
def test_a_run_that_is_taken_out_leaves_a_note(options, expected):
    assert lines(filtered(RUN, persist_results=True, **options)) == expected


def test_a_note_costs_tokens_and_is_an_entry_of_its_own():
    projection = filtered(RUN, persist_results=True)
    note = next(e for e in projection.plan.entries if e.verdict is Verdict.INJECTED)

    assert (note.label, note.rule, note.sent_tokens, note.positions) == (
        "Used tools: search, fetch",
        "note",
        13,
        range(0),
    )
    assert note.reasons == (fact(Rule.CALLS_NOTE),)
    assert projection.plan.window.history == 43


def test_notes_part_no_pair_whatever_is_taken_out():
    messages = transcript(
        "user: go",
        "call c1 a, c2 b, c3 c",
        "result c3: x",
        "result c1: y",
        "result c2: z",
        "call c4 a",
        "result c4: x",
        "call c5 b",
        "result c5: x",
        "user: next",
    )
    for names in (["a"], ["b"], ["c"], ["a", "b"], ["a", "c"], ["b", "c"]):
        projection = filtered(messages, exclude=names, persist_results=True)

        assert not [r for part in segment(projection.messages) for r in part.repairs]


def test_two_filters_leave_their_notes_in_order():
    projection = chained(
        RUN,
        {"use": FILTER, "exclude": ["search"], "persist_results": True},
        {"use": FILTER, "exclude": ["fetch"], "persist_results": True},
    )

    assert lines(projection) == [
        "u go",
        "a Used search tool",
        "a Used fetch tool",
        "a Used search tool",
        "a done",
        "u next",
    ]


def test_a_run_at_the_end_of_a_turn_is_noted_there():
    messages = transcript("user: go", "call c1 search", "result c1: x", "user: next")
    projection = filtered(messages, persist_results=True)

    assert lines(projection) == ["u go", "a Used search tool", "u next"]
    assert [m.turn for m in projection.messages] == [1, 1, 2]


def test_notes_are_left_out_where_nothing_was_taken():
    assert sent(filtered(AGENT, exclude=["nothing"], persist_results=True)) == list(range(8))
    assert all(m.role is not Role.SYSTEM for m in filtered(AGENT).messages)
