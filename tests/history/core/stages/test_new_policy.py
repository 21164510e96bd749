"""A new policy needs a class, a line in POLICIES, and its name in the settings table."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from history.core import ProjectionRequest, project, settings_of
from history.core.projection.invariants import check
from history.core.settings.table import BY_NAME
from history.core.stages.policies import POLICIES
from tests.transcripts import turns


@dataclass(frozen=True, slots=True)
class Half:
    """Keeps the newer half of the turns."""

    setting: ClassVar[str] = "policy"
    notes: ClassVar[tuple[()]] = ()
    figures: ClassVar[dict[str, str]] = {"policy": "half"}

    def first_turn(self, last_turn: int, cold_turn: int = 0, /) -> int:
        return last_turn // 2 + 1


@pytest.fixture
def half(monkeypatch):
    """Register the policy `half` during the test, although the names of policies are frozen."""
    names = BY_NAME["policy"].kind
    before = names.values
    monkeypatch.setitem(POLICIES, "half", lambda settings: Half())
    object.__setattr__(names, "values", (*before, "half"))
    yield
    object.__setattr__(names, "values", before)


@pytest.mark.usefixtures("half")
def test_a_new_policy_decides_and_breaks_no_invariant():
    transcript = turns(6)
    projection = project(transcript, ProjectionRequest(settings_of(policy="half")))

    trimmed, *_ = projection.plan.entries
    assert (trimmed.positions, trimmed.reasons[0].figures["policy"]) == (range(6), "half")
    check(transcript, projection)
