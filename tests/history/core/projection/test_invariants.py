"""Every invariant holds for any history and settings, and a test can break each of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import pytest

from history.core.plan.injected import Injected
from history.core.plan.verdict import Verdict
from history.core.projection.invariants import INVARIANTS, InvariantBroken, check
from history.core.projection.project import Projection, project
from history.core.projection.request import ProjectionRequest
from history.core.settings.spec import Value
from history.core.stages.processors import parse_levels
from history.core.transcript.messages import Message, Role, Unread
from tests import transcripts
from tests.history.core.making import ROOMY, projected, settings_of, weighing
from tests.history.core.parted import parted
from tests.transcripts import ONE_TOOL, PLAIN, turns

FILTER = "tool_call_filter"


@dataclass(frozen=True)
class Case:
    """The settings and the request of a projection. Each message costs 100 tokens, so that budgets
    matter.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    levels: Mapping[str, Any] = field(default_factory=dict)
    request: Mapping[str, Any] = field(default_factory=dict)

    def of(self, name: str) -> Projection:
        settings = settings_of(**{**ROOMY, **self.values})
        levels = parse_levels(self.levels)
        messages = heavy(name)
        return project(messages, ProjectionRequest(settings, levels=levels, **self.request))


def heavy(name):
    return weighing(transcripts.ALL[name], 100)


def budget(tokens, **values):
    return Case({"token_budget": tokens + 1, "min_history_turns": 0, **values})


def chain(*processors):
    return Case(levels={"history": processors})


CASES: dict[str, Case] = {
    "none": Case({"policy": "none"}),
    "lastN_0": Case({"policy": "lastN", "length": 0}),
    "lastN_1": Case({"policy": "lastN", "length": 1}),
    "lastN_2": Case({"policy": "lastN", "length": 2}),
    "lastN_1_stride_2": Case({"policy": "lastN", "length": 1, "length_stride": 2}),
    "all": Case(),
    "all_without_system": Case({"preserve_system_messages": False}),
    "none_without_system": Case({"policy": "none", "preserve_system_messages": False}),
    "max_items_2": Case({"max_items": 2}),
    "max_items_3_stride_2": Case({"max_items": 3, "length_stride": 2}),
    "fifo": budget(300),
    "fifo_token_stride": budget(300, token_stride=150),
    "sliding_window": budget(300, pruner="sliding_window", sliding_window_turns=1),
    "summarize": budget(300, pruner="summarize"),
    "protected_turns": budget(255, min_history_turns=2),
    "narrow_window": Case({"context_window": 512, "output_reserve": 212}),
    "keep_1": Case({"tool_results_keep": 1}),
    "clamp": Case({"max_message_tokens": 64}),
    "filter_all": chain({"use": FILTER}),
    "filter_exclude": chain({"use": FILTER, "exclude": ["search"]}),
    "filter_include": chain({"use": FILTER, "include": ["fetch"]}),
    "filter_persist": chain({"use": FILTER, "persist_results": True}),
    "limiter_250": chain({"use": "token_limiter", "limit": 250}),
    "limiter_1": chain({"use": "token_limiter", "limit": 1}),
    "filter_then_limiter": chain({"use": FILTER}, {"use": "token_limiter", "limit": 250}),
    "marks": Case({"policy": "none"}, request={"pins": {0, 1}, "exclusions": {2}}),
    "calibrated": Case({"context_window": 600}, request={"factor": 1.3}),
    "everything": Case(
        {"max_items": 4, "token_budget": 400, "tool_results_keep": 1, "max_message_tokens": 64},
        {"history": [{"use": FILTER, "exclude": ["fetch"], "persist_results": True}]},
        {"pins": {1}, "exclusions": {0}},
    ),
}


@cache
def planned(name: str, case: str) -> Projection:
    return CASES[case].of(name)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", transcripts.ALL)
def test_whatever_the_history_every_invariant_holds(name, case):
    check(heavy(name), planned(name, case))


@pytest.mark.parametrize("case", CASES)
def test_every_case_of_the_table_does_something(case):
    """A case must change some plan, or its rows in the table would prove nothing."""
    plain = {name: Case().of(name).plan.entries for name in transcripts.ALL}

    assert case == "all" or plain != {n: planned(n, case).plan.entries for n in transcripts.ALL}


def sending(projection, messages):
    return replace(projection, messages=tuple(messages))


def planning(projection, **changes):
    return replace(projection, plan=replace(projection.plan, **changes))


def summing(projection, **changes):
    return planning(projection, window=replace(projection.plan.window, **changes))


def _with_arguments(message, arguments):
    calls = tuple(replace(call, arguments=arguments) for call in message.tool_calls)
    return replace(message, tool_calls=calls)


GOOD = projected(ONE_TOOL, policy="all")
SENT = GOOD.messages
LAST_TWO = projected(turns(3), length=2)
MISCOUNTED = replace(GOOD.plan.counts, trimmed=1)
EMPTY_ANSWER = replace(SENT[3], text="")
LEFT_OUT = replace(GOOD.plan.entries[-1], verdict=Verdict.TRIMMED)
SHORTER = replace(GOOD.plan.entries[0], last=2)
PARTED = parted()
WITH_PARTS = projected(PARTED, policy="all", images_keep=1)
BROKEN = {
    "reasoning_goes_by_turns": (PARTED, sending(WITH_PARTS, PARTED)),
    "no_more_is_attached_than_kept": (PARTED, sending(WITH_PARTS, PARTED)),
    "parts_have_their_tokens": (PARTED, sending(WITH_PARTS, PARTED)),
    "order_is_kept": (ONE_TOOL, sending(GOOD, reversed(SENT))),
    "only_the_transcript_is_sent": (
        ONE_TOOL,
        sending(GOOD, [replace(SENT[0], text="other"), *SENT[1:]]),
    ),
    "calls_and_results_pair_up": (ONE_TOOL, sending(GOOD, [SENT[0], SENT[1], *SENT[3:]])),
    "every_call_is_one_that_providers_take": (
        ONE_TOOL,
        sending(GOOD, [_with_arguments(message, "{") for message in SENT]),
    ),
    "no_assistant_message_is_empty": (
        ONE_TOOL,
        sending(GOOD, [*SENT[:3], EMPTY_ANSWER, SENT[4]]),
    ),
    "the_first_to_speak_is_the_user": (ONE_TOOL, sending(GOOD, SENT[1:])),
    "the_current_message_is_sent": (ONE_TOOL, sending(GOOD, SENT[:-1])),
    "the_current_turn_is_sent_whole": (
        ONE_TOOL,
        planning(GOOD, entries=(*GOOD.plan.entries[:-1], LEFT_OUT)),
    ),
    "the_window_holds_it": (ONE_TOOL, summing(GOOD, output_reserve=1_000_000)),
    "every_message_is_planned_once": (
        ONE_TOOL,
        planning(GOOD, entries=(SHORTER, *GOOD.plan.entries[1:])),
    ),
    "sums_close": (ONE_TOOL, summing(GOOD, history=1)),
    "counts_agree": (ONE_TOOL, planning(GOOD, counts=MISCOUNTED)),
    "the_window_starts_with_a_turn": (
        turns(3),
        sending(LAST_TWO, [turns(3)[1], *LAST_TWO.messages]),
    ),
    "a_summary_stands_for_what_is_past": (
        PLAIN,
        replace(GOOD, injected=(Injected("checkpoint 1", Role.USER, "x", 5, covers=(0, 9)),)),
    ),
    "the_policy_is_exact": (turns(3), planning(LAST_TWO, settings=settings_of(length=1))),
}


@pytest.mark.parametrize("name", [rule.__name__ for rule in INVARIANTS])
def test_each_invariant_can_be_broken(name):
    messages, projection = BROKEN[name]

    with pytest.raises(InvariantBroken) as error:
        check(messages, projection)

    assert name in error.value.names


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([SENT[0], SENT[2], *SENT[3:]], id="a result without its call"),
        pytest.param([SENT[1], SENT[3], SENT[2]], id="a message between"),
        pytest.param([SENT[1], SENT[2], SENT[1], SENT[2]], id="an id used twice"),
        pytest.param([SENT[1]], id="a call at the very end"),
    ],
)
def test_pairs_are_checked_strictly(messages):
    with pytest.raises(InvariantBroken, match="calls_and_results_pair_up"):
        check(ONE_TOOL, sending(GOOD, messages))


def test_a_message_that_nobody_stored_is_not_sent():
    stranger = replace(PLAIN[0], position=99, role=Role.SYSTEM)

    with pytest.raises(InvariantBroken, match="only_the_transcript_is_sent"):
        check(PLAIN, sending(projected(PLAIN), [*PLAIN, stranger]))


def test_a_check_does_not_look_at_each_place_that_was_not_read():
    """Checking each unread place would take years here, and ever longer in a growing
    conversation.
    """
    unread = 10**15
    hello = Message(unread, Role.USER, "hello", turn=2, tokens=10)
    transcript = (Unread(0, unread - 1, 1, 1, unread), hello)
    projection = projected(transcript, policy="none")

    check(transcript, projection)

    assert [(e.first, e.last) for e in projection.plan.entries] == [
        (0, unread - 1),
        (unread, unread),
    ]
