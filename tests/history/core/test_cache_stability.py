"""What a provider has cached stays useful: requests mostly grow at their end, and rarely change
before it.

Each strategy with a stride, or with a stable prefix and no stride, is tried with every request of
a growing transcript: the first request of each turn, and those that follow while its tools run.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.plan.injected import SYSTEM_PROMPT, Injected
from history.core.plan.neutral_request import openai_messages
from history.core.plan.verdict import Verdict
from history.core.projection.project import Projection, project
from history.core.projection.request import ProjectionRequest
from history.core.settings.resolved import Settings
from history.core.settings.spec import Value
from history.core.stages.processors import Chain, parse_levels
from history.core.transcript.messages import Role
from tests.history.core import strategies
from tests.history.core.making import ROOMY, settings_of, weighing
from tests.history.core.strategies import Path, thorough
from tests.transcripts import turns

PROMPT = Injected(SYSTEM_PROMPT, Role.SYSTEM, "You are kind", 10)
STRIDE = 4
GRID = 100  # The token stride; each message costs 10 tokens.


@dataclass(frozen=True)
class Strategy:
    """Settings to try. `moves` is the most prefix changes that they allow over a whole path."""

    values: Mapping[str, Value]
    moves: Callable[[Path], int]
    levels: Chain = ()

    @property
    def settings(self) -> Settings:
        return settings_of(**{**ROOMY, "preserve_system_messages": False, **self.values})


def per_turn(path):
    return path[-1].turn // STRIDE if path else 0


def per_message(path):
    return len(path) // STRIDE


def per_result(path):
    return len([message for message in path if message.role is Role.TOOL]) // STRIDE


def per_token(path):
    return sum(message.tokens for message in path) // GRID


BUDGET: dict[str, Value] = {"token_budget": 500, "min_history_turns": 0}
WINDOW: dict[str, Value] = {
    "pruner": "sliding_window",
    "sliding_window_turns": 1,
    "length_stride": STRIDE,
}
PROTECTED: dict[str, Value] = {"token_budget": 256, "min_history_turns": 12}
LIMITED = parse_levels({"agent": [{"use": "token_limiter", "limit": 400}]})
STRATEGIES = {
    "lastN": Strategy({"policy": "lastN", "length": 3, "length_stride": STRIDE}, per_turn),
    "max_items": Strategy({"max_items": 12, "length_stride": STRIDE}, per_message),
    "sliding_window": Strategy({**BUDGET, **WINDOW}, per_turn),
    "tool_results_keep": Strategy({"tool_results_keep": 2, "results_stride": STRIDE}, per_result),
    "fifo": Strategy({**BUDGET, "token_stride": GRID}, per_token),
    "protected turns": Strategy({**PROTECTED, "token_stride": GRID}, per_token),
    "token_limiter": Strategy({"token_stride": GRID}, per_token, LIMITED),
}
STABLE = {  # Unset strides are half of 8, which is STRIDE, and a quarter of 400, which is GRID.
    "stable lastN": Strategy({"policy": "lastN", "length": 8}, per_turn),
    "stable max_items": Strategy({"max_items": 8}, per_message),
    "stable tool_results_keep": Strategy({"tool_results_keep": 8}, per_result),
    "stable fifo": Strategy({"token_budget": 401, "min_history_turns": 0}, per_token),
    "stable token_limiter": Strategy({}, per_token, LIMITED),
}
STRATEGIES |= {
    name: replace(strategy, values={**strategy.values, "prefix": "stable"})
    for name, strategy in STABLE.items()
}
NAMES = st.sampled_from(list(STRATEGIES))


def projections(path: Path, strategy: Strategy) -> Iterator[Projection]:
    """Yield the projection for each answer of the path, made of all messages before the answer."""
    for answer in path:
        if answer.role is Role.ASSISTANT and answer.turn:
            first = next(
                m.position for m in path if m.turn == answer.turn and m.role is Role.ASSISTANT
            )
            request = ProjectionRequest(
                strategy.settings, (PROMPT,), levels=strategy.levels, settled=first
            )
            yield project(path[: answer.position], request)


def sent(projection: Projection) -> list[dict[str, object]]:
    return openai_messages(projection.messages, projection.injected)


def moves(path: Path, strategy: Strategy) -> int:
    """Count the requests that are not an exact beginning of the following request."""
    requests = map(sent, projections(path, strategy))
    return sum(after[: len(before)] != before for before, after in pairwise(requests))


def starts(path: Path, strategy: Strategy) -> list[int]:
    return [projection.messages[0].position for projection in projections(path, strategy)]


def bare(path):
    """Return a path without reasoning, because each new turn leaves out the last one's."""
    return tuple(replace(message, parts=()) for message in path)


@thorough
@given(NAMES, strategies.well_formed(cold=False, answered=True, most=16))
def test_a_request_is_a_prefix_of_the_next_but_for_one_move_a_stride(name, path):
    path, strategy = bare(weighing(path, 10)), STRATEGIES[name]

    assert moves(path, strategy) <= strategy.moves(path)


@thorough
@given(NAMES, strategies.well_formed(most=16))
def test_a_window_never_moves_back(name, path):
    places = starts(path, STRATEGIES[name])

    assert places == sorted(places)


@thorough
@given(strategies.well_formed(most=16))
def test_a_placeholder_never_becomes_whole_again(path):
    plans = [p.plan for p in projections(path, STRATEGIES["tool_results_keep"])]

    for before, after in pairwise(plans):
        assert omitted(before) <= omitted(after)


def positions(projection):
    return {message.position for message in projection.messages if not message.label}


def omitted(plan):
    return {p for e in plan.entries if e.verdict is Verdict.PLACEHOLDER for p in e.positions}


@thorough
@given(st.sampled_from(["stable max_items", "stable fifo"]), strategies.well_formed(most=16))
def test_no_more_is_sent_than_without_steps(name, path):
    strategy = STRATEGIES[name]
    plain = replace(strategy, values=strategy.values | {"length_stride": 1, "token_stride": 1})

    for moved, slid in zip(projections(path, strategy), projections(path, plain), strict=True):
        assert positions(moved) <= positions(slid)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lastN", 9),
        ("max_items", 16),
        ("sliding_window", 4),
        ("fifo", 4),
        ("protected turns", 5),
        ("token_limiter", 4),
        ("stable lastN", 8),
        ("stable max_items", 18),
        ("stable fifo", 4),
        ("stable token_limiter", 4),
    ],
)
def test_forty_plain_turns_move_so_often(name, expected):
    assert moves(turns(40), STRATEGIES[name]) == expected


MOVING = ["lastN", "max_items", "fifo", "token_limiter"]
MOVING += ["protected turns", *(f"stable {name}" for name in MOVING)]


@pytest.mark.parametrize("name", MOVING)
def test_with_a_stride_of_1_it_moves_every_turn(name):
    strategy = STRATEGIES[name]
    plain = replace(strategy, values=strategy.values | {"length_stride": 1, "token_stride": 1})

    assert moves(turns(40), plain) >= 15
