"""B07: at every stage, a person's pins are sent, and a person's exclusions are not."""

from dataclasses import replace

import pytest

from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings.layers import environment_layer
from history.core.settings.resolution import resolve
from history.core.stages.marks import MOST_PINS
from history.core.stages.processors import parse_levels
from history.core.summaries.checkpoints import Checkpoint
from history.core.words.facts import Rule, fact, warning
from tests.history.core.making import ROOMY, of_transcript, requested, sent, transcript
from tests.transcripts import turns

TOOLS = transcript(
    "user: go",
    "call c1 a, c2 b",
    "result c1: x",
    "result c2: y",
    "assistant: done",
    "user: more",
    "assistant: fine",
    "user: next",
)
SUMMARY = Checkpoint(1, 0, 4, 1, 1, "they looked", 30, 60)
DROPS_ALL = parse_levels({"agent": [{"use": "token_limiter", "limit": 1}]})
NO_CALLS = parse_levels({"agent": [{"use": "tool_call_filter"}]})


def marked(messages, *, pins=(), exclusions=(), **request):
    values = {**ROOMY, **request.pop("values", {})}
    return requested(
        messages, values, pins=frozenset(pins), exclusions=frozenset(exclusions), **request
    )


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        pytest.param({"values": {"policy": "none"}}, "TKKKTTTK", id="policy none"),
        pytest.param({"values": {"length": 1, "policy": "lastN"}}, "TKKKTTTK", id="policy lastN"),
        pytest.param({"values": {"max_items": 2}}, "TKKKTTKK", id="max_items"),
        pytest.param({"checkpoints": (SUMMARY,)}, "SKKKSKKK", id="checkpoint"),
        pytest.param({"levels": NO_CALLS}, "KKKKKKKK", id="tool_call_filter"),
        pytest.param({"levels": DROPS_ALL}, "FKKKFFFK", id="token_limiter"),
        pytest.param(
            {"values": {"token_budget": 256, "min_history_turns": 0, "output_reserve": 180}},
            "TKKKTTTK",
            id="pruner",
        ),
        pytest.param({"values": {"tool_results_keep": 1}}, "KKKKKKKK", id="placeholders"),
    ],
)
def test_a_pin_is_held_through_every_stage(request_, expected):
    """A pin on one message keeps its whole round."""
    messages = TOOLS if "token_budget" not in request_.get("values", {}) else light(TOOLS)

    assert of_transcript(marked(messages, pins={2}, **request_).plan) == expected


def light(messages):
    """Make the pinned round cost 12 tokens, a quarter of the budget of 51."""
    return tuple(replace(m, tokens=4 if 1 <= m.position <= 3 else 30) for m in messages)


PINNED = (fact(Rule.PINNED),)


def test_a_pin_names_itself():
    entry = marked(TOOLS, pins={1}, values={"policy": "none"}).plan.entry_at(1)

    assert (entry.rule, entry.reasons, entry.first, entry.last) == ("pin", PINNED, 1, 3)


def test_a_pin_of_what_was_repaired_says_both():
    messages = transcript("user: a", "call c1 a, c2 b", "result c1: x", "user: b")
    entry = marked(messages, pins={1}, values={"policy": "none"}).plan.entry_at(1)

    call = {"call": "c2", "tool": "b", "then": "taken_out"}
    assert (str(entry.verdict), entry.sizes) == ("A", (20, 15))
    assert entry.reasons == (*PINNED, fact(Rule.UNPAIRED_CALL, why="no_result", **call))


def test_a_pin_in_the_current_turn_changes_nothing():
    assert marked(TOOLS, pins={7}).plan == marked(TOOLS).plan


def test_at_most_twenty_pins_have_an_effect_the_newest_ones():
    projection = marked(turns(30), pins=range(0, 58, 2), values={"policy": "none"})

    assert sent(projection) == [*range(18, 58, 2), 58, 59]
    assert len(sent(projection)) == MOST_PINS + 2
    assert projection.plan.notes[0] == warning(
        Rule.TOO_MANY_PINS, positions=[*range(0, 18, 2)], most=20
    )
    assert len(projection.plan.notes) == 2


def test_pins_take_at_most_a_quarter_of_the_budget():
    messages = transcript("user: a x40", "user: b x30", "user: c x20", "user: d x10")
    values = {"policy": "none", "token_budget": 256, "output_reserve": 56}
    projection = marked(messages, pins={0, 1, 2}, values=values)

    assert sent(projection) == [1, 2, 3]
    assert projection.plan.notes[0] == warning(Rule.PINS_TOO_LARGE, positions=[0])


@pytest.mark.parametrize(("tokens", "expected"), [(40, [0, 6]), (41, [6])])
def test_the_quarter_is_of_what_summaries_leave(tokens, expected):
    """The summary leaves 160 or 159 of 200 tokens; pins may take a quarter of that: 40 or 39."""
    messages = transcript("user: a x40", *(f"user: {letter} x10" for letter in "bcdefg"))
    values = {"token_budget": 256, "output_reserve": 56}
    summary = Checkpoint(1, 1, 5, 2, 6, "they looked", tokens, 50)
    before = Checkpoint(2, 0, 0, 1, 1, "they began", 0, 40)
    projection = marked(messages, pins={0}, values=values, checkpoints=(before, summary))

    assert sent(projection) == expected
    refused = warning(Rule.PINS_TOO_LARGE, positions=[0])
    assert (refused in projection.plan.notes) is (expected == [6])


def test_what_is_pinned_is_no_longer_there_for_the_history():
    values = {"token_budget": 256, "output_reserve": 56}

    assert marked(TOOLS, pins={0}, values=values).plan.budget == 190
    assert marked(TOOLS, values=values).plan.budget == 200


def test_pins_have_no_effect_where_the_environment_says_none():
    settings = resolve([environment_layer({"DEFAULT_HISTORY_POLICY": "none"})])
    plan = project(TOOLS, ProjectionRequest(settings, pins=frozenset({0}))).plan

    assert of_transcript(plan) == "TTTTTTTK"
    assert plan.notes[0] == warning(Rule.PINS_UNDER_NONE)


def test_pins_hold_where_another_layer_says_none():
    assert sent(marked(TOOLS, pins={0}, values={"policy": "none"})) == [0, 7]


def test_pins_hold_where_the_environment_says_something_else():
    settings = resolve([environment_layer({"DEFAULT_HISTORY_LENGTH": "1"})])
    projection = project(TOOLS, ProjectionRequest(settings, pins=frozenset({0})))

    assert sent(projection) == [0, 7]


@pytest.mark.parametrize(
    ("exclusions", "expected"),
    [
        pytest.param({4}, "KKKKXKKK", id="a message"),
        pytest.param({2}, "KXXXKKKK", id="a result takes its whole round along"),
        pytest.param({0}, "XKKKKKKK", id="a question leaves its answer"),
        pytest.param({7}, "KKKKKKKK", id="the current turn is always sent"),
        pytest.param({0, 4, 6}, "XKKKXKXK", id="several"),
    ],
)
def test_what_is_excluded_is_not_sent(exclusions, expected):
    assert of_transcript(marked(TOOLS, exclusions=exclusions).plan) == expected


def test_an_exclusion_names_itself():
    entry = marked(TOOLS, exclusions={4}).plan.entry_at(4)

    assert (entry.rule, entry.reasons) == ("exclusion", (fact(Rule.EXCLUDED),))


@pytest.mark.parametrize("length", [1, 2, 3])
def test_an_exclusion_keeps_its_turns_number_and_counts_toward_n(length):
    messages = turns(4)
    with_it = marked(messages, exclusions={4, 5}, values={"policy": "lastN", "length": length})
    without = marked(messages, values={"policy": "lastN", "length": length})

    assert sent(with_it) == [p for p in sent(without) if p not in {4, 5}]
    assert [m.turn for m in with_it.messages] == [
        m.turn for m in without.messages if m.position not in {4, 5}
    ]


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param({"values": {"policy": "none"}}, id="policy none"),
        pytest.param({"values": {"max_items": 2}}, id="max_items"),
        pytest.param({"levels": DROPS_ALL}, id="token_limiter"),
        pytest.param({"checkpoints": (SUMMARY,)}, id="checkpoint"),
    ],
)
def test_what_is_excluded_stays_so_before_every_cut(request_):
    plan = marked(TOOLS, exclusions={0, 4}, **request_).plan

    assert [str(plan.verdict_of(n)) for n in (0, 4)] == ["X", "X"]


def test_an_excluded_system_message_is_not_preserved():
    messages = transcript("system: be kind", "user: a", "assistant: b", "user: c")

    assert of_transcript(marked(messages, exclusions={0}).plan) == "XKKK"


def test_a_pin_holds_a_system_message_that_is_not_preserved():
    messages = transcript("system: be kind", "user: a", "assistant: b", "user: c")
    values = {"preserve_system_messages": False}

    assert of_transcript(marked(messages, pins={0}, values=values).plan) == "KKKK"
    assert of_transcript(marked(messages, values=values).plan) == "TKKK"


def test_an_exclusion_is_stronger_than_a_pin():
    assert of_transcript(marked(TOOLS, pins={4}, exclusions={4}).plan) == "KKKKXKKK"
