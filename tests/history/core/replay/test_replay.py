"""A conversation's requests are planned again under other settings, without a model."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given

from history.core.draft.budget import DoesNotFit
from history.core.money.cost import UNPRICED, Prices
from history.core.plan.injected import Injected
from history.core.plan.neutral_request import canonical
from history.core.plan.plan import Plan
from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.replay.replay import (
    PastStep,
    PathSummaries,
    SummaryPeriod,
    past_steps,
    priced,
    replay,
)
from history.core.summaries.checkpoints import Checkpoint
from history.core.transcript.messages import Role
from history.core.words.facts import Rule
from tests.history.core import strategies
from tests.history.core.making import ROOMY, cold_at, settings_of, transcript
from tests.history.core.strategies import thorough

TOOLS = transcript(
    "assistant: welcome x5",
    "user: one x10",
    "assistant: c1 x8",
    "tool: c1 x30",
    "assistant: done x20",
    "user: two x10",
    "assistant: done x20",
)
CHAT = transcript(*["user: q x10", "assistant: a x20"] * 40)
CENTS = Prices(Decimal("0.01"), Decimal("0.02"), Decimal("0.001"), cache_minimum=0)


def request_of(**values):
    return ProjectionRequest(settings_of(**ROOMY | values))


ALL = request_of()


@pytest.mark.parametrize(
    ("path", "first_turn", "expected"),
    [
        pytest.param(
            TOOLS,
            1,
            [PastStep(1, 1, 2, None, 8), PastStep(1, 2, 4, 2, 20), PastStep(2, 1, 6, None, 20)],
            id="each answer was asked for once, a greeting never",
        ),
        pytest.param(TOOLS, 2, [PastStep(2, 1, 6, None, 20)], id="from a turn on"),
        pytest.param(
            cold_at(TOOLS, 1),
            1,
            [
                PastStep(1, 1, 2, None, 8, cold=True),
                PastStep(1, 2, 4, 2, 20),
                PastStep(2, 1, 6, None, 20),
            ],
            id="a cold gap counts for the turn's first request",
        ),
        pytest.param(TOOLS[:2], 1, [], id="what was not answered is no request"),
        pytest.param((), 1, [], id="nothing"),
    ],
)
def test_the_transcript_tells_what_was_asked(path, first_turn, expected):
    assert list(past_steps(path, first_turn)) == expected


@pytest.mark.whole
@thorough
@given(strategies.cases())
def test_each_step_is_planned_as_if_it_alone_were(case):
    path, request = case
    alike = replace(request, checkpoints=(), settled=None)
    for step, plan in replay(path, past_steps(path), alike):
        alone = replace(alike, settled=step.settled)
        if isinstance(plan, Plan):
            whole = project(path[: step.end], alone).plan
            assert canonical(plan.as_dict()) == canonical(whole.as_dict())
        else:
            with pytest.raises(DoesNotFit) as refusal:
                project(path[: step.end], alone)
            assert str(refusal.value) == str(plan)


def test_a_summary_counts_while_it_applied():
    point = Checkpoint(1, 0, 19, 1, 10, "they spoke", 30, 300)
    summaries = PathSummaries((SummaryPeriod(point, since=40, until=60),))
    plans = {step.turn: plan for step, plan in replay(CHAT, past_steps(CHAT), ALL, summaries)}

    summarised = [turn for turn, plan in plans.items() if plan.window.summaries]

    assert summarised == list(range(21, 31))


def test_a_growing_prefix_is_read_again_and_a_sliding_window_is_not():
    everything = priced(replay(CHAT, past_steps(CHAT), ALL), CENTS)
    last_two = priced(replay(CHAT, past_steps(CHAT), request_of(policy="lastN", length=2)), CENTS)

    sent = [turn * 30 - 20 for turn in range(1, 41)]
    assert [step.plan.window.sent for step in everything.steps] == sent
    assert (everything.sent, everything.cache_read) == (sum(sent), sum(sent[:-1]))
    assert (last_two.sent, last_two.cache_read) == (10 + 39 * 40, 10)
    assert everything.money == Decimal("0.01") * sent[-1] + Decimal("0.001") * sum(sent[:-1]) + 16
    assert last_two.money == Decimal("0.01") * (39 * 40) + Decimal("0.001") * 10 + 16


def test_an_unknown_price_stays_unknown():
    assert priced(replay(CHAT, past_steps(CHAT), ALL), UNPRICED).money is None


def test_what_would_not_have_fit_is_said_and_the_rest_goes_on():
    prompt = Injected("system prompt", Role.SYSTEM, "Be brief.", 495)
    path = transcript(
        *["user: q x5", "assistant: a x5"],
        *["user: q x5", "call c1 t", "result c1: found", "assistant: a x5"],
        *["user: q x5", "assistant: a x5"],
    )
    small = replace(request_of(context_window=512), injected=(prompt,))

    found = priced(replay(path, past_steps(path), small), CENTS)

    steps = found.steps
    assert [step.plan is None for step in steps] == [False, False, True, False]
    assert steps[2].refused.rule is Rule.DOES_NOT_FIT
    assert steps[2].prediction is None
    assert (found.refusals, found.money) == ((steps[2],), None)
    assert found.sent == sum(step.plan.window.sent for step in steps if step.plan)


def test_what_is_refused_throughout_is_not_the_cheapest():
    prompt = Injected("system prompt", Role.SYSTEM, "Be brief.", 600)
    small = replace(request_of(context_window=512), injected=(prompt,))

    found = priced(replay(CHAT, past_steps(CHAT), small), CENTS)

    assert (len(found.steps), len(found.refusals), found.money) == (40, 40, None)
