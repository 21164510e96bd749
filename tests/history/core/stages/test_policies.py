import pytest

from history.core.settings.table import BY_NAME
from history.core.stages.policies import POLICIES, Everything, LastN, Nothing, horizon, keeps
from history.core.words.facts import Rule, fact
from tests.history.core.making import settings_of


@pytest.mark.parametrize(
    ("policy", "last_turn", "first"),
    [
        pytest.param(LastN(5), 9, 5, id="lastN keeps the last five of nine"),
        pytest.param(LastN(1), 9, 9, id="the current message is one of the N"),
        pytest.param(LastN(9), 9, 0, id="at most N user messages: a greeting too"),
        pytest.param(LastN(20), 9, 0, id="fewer than N"),
        pytest.param(LastN(8), 9, 2, id="one more than N"),
        pytest.param(LastN(0), 9, 9, id="0 acts as 1"),
        pytest.param(LastN(0), 1, 0, id="0 acts as 1 in the first turn"),
        pytest.param(LastN(5), 0, 0, id="no user message yet"),
        pytest.param(Nothing(), 9, 9, id="none keeps the current turn"),
        pytest.param(Nothing(), 1, 1, id="none leaves a greeting out"),
        pytest.param(Nothing(), 0, 1, id="none leaves out a greeting alone"),
        pytest.param(Everything(), 9, 0, id="all keeps all"),
    ],
)
def test_the_first_turn_kept(policy, last_turn, first):
    assert policy.first_turn(last_turn) == first


@pytest.mark.parametrize(
    ("policy", "figures"),
    [
        (LastN(5), {"policy": "lastN", "length": 5, "stride": 1, "kept": [5, 9]}),
        (LastN(1), {"policy": "lastN", "length": 1, "stride": 1, "kept": [9, 9]}),
        (LastN(0), {"policy": "lastN", "length": 0, "stride": 1, "kept": [9, 9]}),
        (LastN(3, 4), {"policy": "lastN", "length": 3, "stride": 4, "kept": [5, 9]}),
        (Nothing(), {"policy": "none", "kept": [9, 9]}),
        (Everything(), {"policy": "all", "kept": [0, 9]}),
    ],
    ids=str,
)
def test_a_policy_shows_its_arithmetic(policy, figures):
    assert keeps(policy, policy.first_turn(9), 9) == fact(Rule.POLICY, **figures)


@pytest.mark.parametrize(
    ("stride", "firsts"),
    [
        pytest.param(1, [0, 0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10], id="1 is the plain window"),
        pytest.param(4, [0, 0, 0, 0, 0, 0, 5, 5, 5, 5, 9, 9], id="4"),
        pytest.param(5, [0, 0, 0, 0, 0, 0, 0, 6, 6, 6, 6, 6], id="5"),
    ],
)
def test_with_a_stride_the_start_stands_on_a_grid_of_turns(stride, firsts):
    assert [LastN(3, stride).first_turn(turn) for turn in range(1, 13)] == firsts


@pytest.mark.parametrize("stride", range(1, 8))
@pytest.mark.parametrize("length", range(6))
def test_never_fewer_than_n_turns_and_at_most_n_and_a_stride_less_one(length, stride):
    least = max(1, length)
    for last_turn in range(1, 40):
        kept = last_turn - max(1, LastN(length, stride).first_turn(last_turn)) + 1

        assert min(least, last_turn) <= kept <= least + stride - 1


@pytest.mark.parametrize(
    ("last_turn", "cold_turn", "first"),
    [
        pytest.param(30, 0, 21, id="no gap: the grid"),
        pytest.param(30, 30, 28, id="a gap right before: the plain start"),
        pytest.param(31, 30, 28, id="it stays there"),
        pytest.param(42, 30, 31, id="until the grid has passed it"),
        pytest.param(30, 5, 21, id="a gap long ago"),
        pytest.param(3, 3, 0, id="at most N turns"),
    ],
)
def test_after_a_cold_gap_the_start_moves_at_once(last_turn, cold_turn, first):
    assert LastN(3, 10).first_turn(last_turn, cold_turn) == first


def test_a_start_never_moves_back_whatever_gaps_there_are():
    policy = LastN(3, 10)
    for cold_turns in ([], [4], [7, 8], [15, 31], range(1, 60, 6)):
        gaps = [max((c for c in cold_turns if c <= turn), default=0) for turn in range(1, 61)]
        firsts = [policy.first_turn(turn, gap) for turn, gap in enumerate(gaps, start=1)]

        assert firsts == sorted(firsts)


def test_every_policy_of_the_settings_table_exists():
    assert tuple(POLICIES) == BY_NAME["policy"].kind.values


def test_the_horizon_is_what_a_reader_must_load():
    assert horizon(settings_of(policy="lastN", length=20), 30_000) == 29_981
