import pytest

from history.core.policies import POLICIES, Everything, LastN, Nothing, horizon, keeps
from history.core.settings import BY_NAME
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
        pytest.param(Nothing(), 0, 0, id="none with a greeting alone"),
        pytest.param(Everything(), 9, 0, id="all keeps all"),
    ],
)
def test_the_first_turn_kept(policy, last_turn, first):
    assert policy.first_turn(last_turn) == first


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (LastN(5), "lastN 5 keeps turns 5\N{EN DASH}9"),
        (LastN(1), "lastN 1 keeps turn 9"),
        (LastN(0), "lastN 0 (0 acts as 1) keeps turn 9"),
        (Nothing(), "none keeps turn 9"),
    ],
    ids=str,
)
def test_a_policy_shows_its_arithmetic(policy, sentence):
    assert keeps(policy, 9) == sentence


def test_every_policy_of_the_settings_table_exists():
    assert tuple(POLICIES) == BY_NAME["policy"].kind.values


def test_the_horizon_is_what_a_reader_must_load():
    assert horizon(settings_of(policy="lastN", length=20), 30_000) == 29_981
