"""A replay plans every request of a conversation under other settings, and computes its cost."""

from decimal import Decimal

import pytest

from history.core.plan.plan import Plan
from history.models import Checkpoint, CheckpointState, ContextPlan
from history.services.explain.lookup import shown_plan
from history.services.whatif import replaying
from history.services.whatif.replaying import replayed
from history.services.whatif.trying import Variant
from tests.factories import add_turns, make_summary

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(model="large/model", history_settings={"policy": "lastN", "length": 3}),
    pytest.mark.turns(8),
]


def test_unchanged_settings_replay_the_recorded_plans(conversation):
    (as_it_is,) = replayed(conversation, [])

    found = {step.step.turn: step.plan for step in as_it_is.replay.steps}

    assert list(found) == list(range(1, 9))
    for turn, plan in found.items():
        stored = Plan.from_dict(shown_plan(conversation, turn).plan)
        assert (plan.entries, plan.window) == (stored.entries, stored.window)


def test_variants_stand_side_by_side(conversation):
    as_it_is, more, other = replayed(
        conversation, [Variant("all", {"policy": "all"}), Variant("small", model="small/model")]
    )

    assert [r.variant.name for r in (as_it_is, more, other)] == ["as it is", "all", "small"]
    assert more.replay.sent > as_it_is.replay.sent
    assert more.replay.cache_read > as_it_is.replay.cache_read
    assert other.replay.sent == as_it_is.replay.sent
    assert other.replay.money < as_it_is.replay.money


def test_only_the_newest_turns_are_replayed_if_so_asked(conversation):
    (as_it_is,) = replayed(conversation, [], turns=2)

    assert [step.step.turn for step in as_it_is.replay.steps] == [7, 8]


def test_a_summary_counts_from_the_turn_after_it(conversation):
    branch = conversation.branch
    point = make_summary(
        conversation,
        branch=branch,
        last=5,
        last_turn=3,
        summary="They spoke.",
        tokens=30,
        source_tokens=60,
        state=CheckpointState.READY,
    )
    asked_fifth = branch.messages.get(turn=5, role="user").created
    Checkpoint.objects.filter(pk=point.pk).update(created=asked_fifth, ended=asked_fifth)

    (as_it_is,) = replayed(conversation, [Variant()])[:1]

    summarised = [s.step.turn for s in as_it_is.replay.steps if s.plan.window.summaries]
    assert summarised == [6, 7, 8]


@pytest.mark.words
def test_a_long_conversation_is_read_only_as_far_as_settings_look(conversation, monkeypatch):
    add_turns(conversation, 200)
    monkeypatch.setattr(replaying, "LONGEST", 300)

    few, every = replayed(conversation, [Variant("all", {"policy": "all"})], turns=20)

    assert len(few.replay.steps) == 20
    assert every.replay is None
    assert every.refused == (
        "These settings need more messages than a replay reads (the newest 300)."
    )


TOO_SMALL = Variant("small", {"context_window": 512, "output_reserve": 500})


@pytest.mark.words
def test_what_is_refused_is_counted_and_said(conversation):
    as_it_is, small = replayed(conversation, [TOO_SMALL])

    assert (len(as_it_is.replay.refusals), as_it_is.shortfall) == (0, "")
    assert (len(small.replay.refusals), small.replay.money) == (8, None)
    assert small.shortfall.startswith("8 of 8 requests would be refused")


def test_nothing_is_stored_and_queries_do_not_grow(conversation, django_assert_max_num_queries):
    plans = ContextPlan.objects.count()
    add_turns(conversation, 100)

    with django_assert_max_num_queries(30):
        replayed(conversation, [Variant("all", {"policy": "all"})])

    assert ContextPlan.objects.count() == plans


def test_money_is_exact(conversation):
    (as_it_is,) = replayed(conversation, [])
    first = as_it_is.replay.steps[0]

    assert first.prediction.money == (
        Decimal("0.01") * first.prediction.fresh + Decimal("0.02") * first.prediction.output
    )
