"""A transcript without user messages has no current turn: all messages are past, and may be cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.projection.invariants import check
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings import registry
from history.core.stages.processors import ChainLink, CustomProcessor, parse_levels
from history.core.summaries.checkpoints import Checkpoint, applicable
from history.core.transcript.messages import Role
from history.core.words.facts import Rule, fact, note
from tests.history.core import strategies
from tests.history.core.making import (
    ROOMY,
    of_transcript,
    sent,
    settings_of,
    transcript,
    verdicts,
)
from tests.history.core.strategies import thorough

THREE = ("assistant: a", "assistant: b", "assistant: c")
SYSTEM = ("system: be kind", *THREE)
TOOLS = (
    "assistant: a",
    *(line for n in (1, 2, 3) for line in (f"call c{n} look", f"result c{n}: x")),
    "assistant: b",
)
OVER = {"token_budget": 256, "output_reserve": 100, "max_message_tokens": 1_000}
LARGE = tuple(f"{line} x100" for line in THREE)
FILTER = {"use": "tool_call_filter"}
NOTED = {**FILTER, "persist_results": True}
LOOK = ("call c9 look", "result c9: x")
TWO_CALLS = ("call c1 a, c2 b", "result c1: x", "result c2: y")
STRIDES = st.sampled_from([1, 2, 5])


@st.composite
def long_chains(draw):
    """Draw two processors at two levels, and perhaps one that removes the newest segment."""
    filters = st.sampled_from([NOTED, FILTER, {**NOTED, "exclude": ["search"]}])
    limits = st.builds(lambda n: {"use": "token_limiter", "limit": n}, st.integers(1, 900))
    links = st.lists(filters | limits, max_size=2)
    levels = parse_levels({"history": draw(links), "agent": draw(links)})
    own = ChainLink("agent", "own", CustomProcessor("own", "agent", lambda parts: parts[:-1]))
    return (*levels, own) if draw(st.booleans()) else levels


def planned(lines, values, **request):
    messages = transcript(*lines)
    levels = parse_levels({"agent": request.pop("chain", ())})
    settings = settings_of(**{**ROOMY, **values})
    projection = project(messages, ProjectionRequest(settings, levels=levels, **request))
    check(messages, projection)
    return projection.plan


@pytest.mark.parametrize(
    ("lines", "values", "request_", "expected"),
    [
        pytest.param(THREE, {}, {}, "KKK", id="all"),
        pytest.param(THREE, {"policy": "lastN", "length": 1}, {}, "KKK", id="lastN keeps it"),
        pytest.param(THREE, {"policy": "none"}, {}, "TTT", id="none"),
        pytest.param(SYSTEM, {"policy": "none"}, {}, "KTTT", id="none keeps system messages"),
        pytest.param(THREE, {"max_items": 2}, {}, "TKK", id="max_items"),
        pytest.param(THREE, {"max_items": 2, "length_stride": 2}, {}, "KKK", id="in steps"),
        pytest.param(TOOLS, {}, {"chain": [FILTER]}, "KFFFFFFK", id="a filter"),
        pytest.param(
            THREE, {}, {"chain": [{"use": "token_limiter", "limit": 20}]}, "FKK", id="a limiter"
        ),
        pytest.param(
            THREE, {}, {"chain": [{"use": "token_limiter", "limit": 1}]}, "FFF", id="nothing fits"
        ),
        pytest.param(TOOLS, {"tool_results_keep": 1}, {}, "KKPKPKKK", id="older results"),
        pytest.param(
            ("assistant: a x900", *THREE), {"max_message_tokens": 64}, {}, "AKKK", id="the clamp"
        ),
        pytest.param(LARGE, {**OVER, "min_history_turns": 0}, {}, "TTT", id="fifo"),
        pytest.param(
            LARGE,
            {**OVER, "min_history_turns": 0, "pruner": "sliding_window"},
            {},
            "TTT",
            id="sliding_window",
        ),
        pytest.param(LARGE, {**OVER, "min_history_turns": 1}, {}, "KKK", id="a protected turn"),
        pytest.param(THREE, {}, {"exclusions": frozenset({1})}, "KXK", id="an exclusion"),
        pytest.param(THREE, {"max_items": 2}, {"pins": frozenset({0})}, "KKK", id="a pin is held"),
        pytest.param(THREE, {"policy": "none"}, {"pins": frozenset({0})}, "KTT", id="and alone"),
    ],
)
def test_every_stage_may_cut_it(lines, values, request_, expected):
    assert of_transcript(planned(lines, values, **request_)) == expected


@pytest.mark.parametrize(
    ("lines", "values", "said"),
    [
        pytest.param(
            THREE,
            {"policy": "none"},
            fact(Rule.POLICY, policy="none", kept=[]),
            id="policy",
        ),
        pytest.param(
            THREE,
            {"max_items": 2},
            fact(Rule.HISTORY_WINDOW, size=2, stride=1, kept=2, brought=0),
            id="history window",
        ),
        pytest.param(
            LARGE,
            {**OVER, "min_history_turns": 0},
            fact(
                Rule.BUDGET,
                pruner="fifo",
                token_stride=1,
                kept=[],
                tokens=0,
                budget=131,
                beyond={"turn": 0, "tokens": 300},
            ),
            id="budget",
        ),
    ],
)
def test_it_says_what_cut_it(lines, values, said):
    entry = planned(lines, values).entry_at(0)

    assert (entry.turns, entry.reasons) == ((0, 0), (said,))


def test_nothing_of_it_is_called_the_current_turn():
    assert planned(THREE, {}).entry_at(0).reasons == ()


def test_a_protected_turn_that_has_no_room_says_so():
    values = {"context_window": 512, "output_reserve": 400, "max_message_tokens": 100}

    plan = planned(LARGE, values)

    assert of_transcript(plan) == "TTT"
    assert note(Rule.TURNS_EXPOSED, least=3, kept=[]) in plan.notes


def test_a_processor_of_ones_own_may_take_it_out(empty_registry):
    registry.register_processor("newest", lambda: lambda parts: parts[-1:])

    assert of_transcript(planned(THREE, {}, chain=[{"use": "newest"}])) == "FFK"


def test_a_summary_may_stand_for_it():
    point = Checkpoint(1, 0, 1, 0, 0, "they spoke", 5, 20)

    assert applicable([point], frozenset(), "", 0) == (point,)
    assert of_transcript(planned(THREE, {}, checkpoints=(point,))) == "SSK"


@pytest.mark.parametrize(
    ("lines", "size", "expected"),
    [
        pytest.param(("system: be kind", *TWO_CALLS), 2, "KTTT", id="nothing of it"),
        pytest.param(("system: be kind", *TWO_CALLS), 3, "KKKK", id="unless it fits"),
        pytest.param((*LOOK, *TWO_CALLS), 2, "TTTTT", id="and nothing before it"),
        pytest.param(("assistant: a", *TWO_CALLS), 2, "KKKK", id="but back to an answer in words"),
    ],
)
def test_of_a_newest_segment_larger_than_the_window_nothing_is_sent(lines, size, expected):
    plan = planned(lines, {"max_items": size})

    assert of_transcript(plan) == expected
    assert plan.counts.sent == expected.count("K")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(("assistant: a", *LOOK), "+KFF+", id="after an answer"),
        pytest.param(LOOK, "FF++", id="alone"),
        pytest.param((*LOOK, "system: be kind", *TWO_CALLS), "FFKFFF++", id="after another"),
    ],
)
def test_a_note_stands_at_the_end_where_the_calls_that_it_names_did(lines, expected):
    messages = transcript(*lines)
    levels = parse_levels({"agent": [NOTED]})
    projection = project(messages, ProjectionRequest(settings_of(**ROOMY), levels=levels))
    check(messages, projection)

    last = projection.messages[-1]
    assert (last.position, last.role) == (len(messages), Role.ASSISTANT)
    assert verdicts(projection.plan) == expected


@pytest.mark.parametrize(("limit", "expected"), [(1, "FFFF"), (20, "FFFF"), (200, "+KKFF+")])
def test_a_note_at_the_end_counts_for_a_limiter(limit, expected):
    lines = ("assistant: a x50", "assistant: b x50", *LOOK)
    chain = [NOTED, {"use": "token_limiter", "limit": limit}]

    assert verdicts(planned(lines, {}, chain=chain)) == expected


@pytest.mark.parametrize(("lines", "expected"), [(LOOK, "FF"), ((*LOOK, "user: a"), "FFK")])
def test_a_limiter_leaves_out_a_note_that_does_not_fit(lines, expected):
    chain = [NOTED, {"use": "token_limiter", "limit": 1}]

    assert verdicts(planned(lines, {}, chain=chain)) == expected


@thorough
@given(strategies.without_user(), st.integers(2, 8), STRIDES, long_chains())
def test_through_every_window_and_processor_the_invariants_hold(path, size, stride, levels):
    settings = settings_of(**ROOMY, max_items=size, length_stride=stride, token_stride=stride)
    projection = project(path, ProjectionRequest(settings, levels=levels))

    check(path, projection)
    in_words = any(m.has_text for m in path if m.role is Role.ASSISTANT)
    held = sum(m.role is Role.SYSTEM for m in path)
    assert in_words or len(sent(projection)) - held <= size + stride - 1


@thorough
@given(strategies.without_user(), st.integers(1, 900), st.sampled_from([NOTED, FILTER]))
def test_a_limiter_sends_no_more_than_its_limit(path, limit, filtering):
    levels = parse_levels({"history": [filtering, {"use": "token_limiter", "limit": limit}]})
    settings = settings_of(**ROOMY, preserve_system_messages=False)
    projection = project(path, ProjectionRequest(settings, levels=levels))

    check(path, projection)
    # All messages except the opening.
    sizes = [m.tokens for m in projection.messages if m.role is not Role.USER]
    assert sum(sizes) <= limit
