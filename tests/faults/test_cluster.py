"""While people chat, all processes of a cluster are replaced, or killed; no answer is lost."""

import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta

import pytest

from tests import data
from tests.clusters import clustered
from tests.faults.figures import Figures
from tests.faults.kills import PatientChatter
from tests.faults.rig import UNLIMITED, audited, ended
from tests.faults.steady import SteadyProvider
from tests.faults.told import Told
from tests.patience import PATIENCE, eventually
from tests.people import Person

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(not data.server(), reason="several processes need PostgreSQL"),
]
PEOPLE = 50
DRAIN_SECONDS = 4  # Half as long as an answer takes.
FATES = "SELECT status, owner, ended FROM history_generation"


class CountingChatter(PatientChatter):
    """Counts how often each message was sent again."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.repeats = Counter()

    def _begin(self, tab):
        if self._pending:
            self.repeats[self._pending.get("client_msg_id")] += 1
        super()._begin(tab)


@pytest.fixture
def crowd(migrated, tmp_path):
    """Let people chat at a cluster; yield it, with a function that ends their chats."""
    told, figures = Told(), Figures()
    with SteadyProvider() as provider, ExitStack() as stack:
        own = {**provider.environment, **UNLIMITED, "OPEN_ANSWERS": "0"}
        own["DRAIN_SECONDS"] = str(DRAIN_SECONDS)
        cluster = stack.enter_context(clustered(migrated, tmp_path / "data", **own))
        stack.callback(provider.release)
        chatters = [
            CountingChatter(Person(cluster.door), f"roll {number}", told, figures)
            for number in range(PEOPLE)
        ]
        for chatter in chatters:
            chatter.start()
        assert eventually(lambda: len(told.messages) >= PEOPLE)

        def leave():
            faults = ended(*chatters)
            assert eventually(lambda: not cluster.door.is_answering())
            found = audited(cluster.door.folder, own, told)
            repeats = Counter[str]()
            for chatter in chatters:
                repeats += chatter.repeats
            return faults, {check: faults for check, faults in found.items() if faults}, repeats

        yield cluster, leave


def test_a_rolling_restart_of_the_servers_ends_no_answer(crowd):
    cluster, leave = crowd

    for server in cluster.servers:
        server.terminate()
        server.start()
    faults, found, repeats = leave()

    assert (faults, found) == ([], {})
    fates = cluster.door.rows(FATES)
    assert {status for status, _, _ in fates} == {"done"}
    assert len(fates) >= PEOPLE
    assert max(repeats.values(), default=0) <= 1


def test_one_of_the_workers_interrupts_only_what_outlasts_the_drain(crowd):
    cluster, leave = crowd

    told = {}
    for worker in cluster.workers:
        told[worker.name] = datetime.now(UTC)
        worker.stop()
        worker.start()
        time.sleep(DRAIN_SECONDS)  # Until then, the other worker has all answers.
    faults, found, _ = leave()

    assert (faults, found) == ([], {})
    fates = cluster.door.rows(FATES)
    drained = timedelta(seconds=DRAIN_SECONDS)
    early = [
        (owner, when)
        for status, owner, when in fates
        if status == "interrupted" and when < told[owner] + drained
    ]
    assert {status for status, _, _ in fates} == {"done", "interrupted"}
    assert early == []


def test_whatever_is_killed_nothing_is_lost_doubled_late_or_billed_twice():
    command = [sys.executable, "-m", "tests.faults.kills", "--each", "1", "--people", "10"]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=10 * PATIENCE
    )

    assert done.returncode == 0, done.stdout + done.stderr
