"""A draining server ends only when no request that may begin an answer is under way."""

import subprocess
import sys

import pytest

from chatapp.generation.queue import AnswerQueue, ProcessEnding
from chatapp.process import draining
from chatapp.server.health import readiness
from tests.patience import PATIENCE

HANGING = """
from chatapp.process import draining
from time import sleep
draining.LAST_SECONDS = 0.1
draining.end_at_last()
sleep(600)
"""


@pytest.fixture
def queue(monkeypatch, settings):
    settings.DRAIN_SECONDS = 30
    queue = AnswerQueue()
    monkeypatch.setattr(draining, "answer_queue", queue)
    monkeypatch.setattr(readiness, "is_draining", False)
    return queue


def test_a_message_that_is_being_stored_is_waited_for(queue):
    drained = draining.Draining()

    with queue.admitting("visitor:ada", ""):
        assert not drained.is_over()
    assert drained.is_over()


def test_it_waits_no_longer_than_it_may(queue, settings):
    settings.DRAIN_SECONDS = 0

    with queue.admitting("visitor:ada", ""):
        assert draining.Draining().is_over()


def test_what_could_not_be_answered_any_more_is_not_accepted(queue):
    draining.Draining().is_over()

    with pytest.raises(ProcessEnding), queue.admitting("visitor:ada", ""):
        pytest.fail("It was accepted.")


def test_a_process_that_hangs_at_its_end_is_ended_and_says_where_it_hung():
    ended = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", HANGING],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )

    assert ended.returncode == 1
    assert "most recent call first" in ended.stderr
