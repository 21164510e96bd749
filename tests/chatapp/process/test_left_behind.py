"""Which generations count as abandoned."""

from datetime import timedelta

import pytest
from django.utils import timezone

from chatapp.process.left_behind import abandoned
from history.models import Generation, GenerationStatus
from tests.factories import begin_turn, make_conversation

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture
def running():
    generation = begin_turn(make_conversation())
    Generation.objects.update(owner="me")
    return generation


@pytest.mark.parametrize(
    ("age", "alive", "found"),
    [
        pytest.param(10, frozenset(), False, id="a fresh heartbeat"),
        pytest.param(100, frozenset(), True, id="a stale heartbeat"),
        pytest.param(10, frozenset({"me"}), False, id="its process is this one"),
        pytest.param(10, frozenset({"you"}), True, id="its process is gone"),
    ],
)
def test_what_runs_without_a_process_is_abandoned(running, age, alive, found):
    Generation.objects.update(heartbeat_at=timezone.now() - age * SECOND)

    assert list(abandoned(alive)) == ([running] if found else [])


def test_what_waits_for_a_person_is_not_abandoned(running):
    Generation.objects.update(status=GenerationStatus.WAITING, owner="", heartbeat_at=None)

    assert list(abandoned(frozenset({"another process"}))) == []
