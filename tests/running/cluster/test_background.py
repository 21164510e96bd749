"""An answer in the background is taken up by another worker, and is asked for only once."""

import signal

import pytest

from tests import data
from tests.clusters import processes_of_cluster
from tests.patience import eventually
from tests.people import Person
from tests.running.cluster.test_workers import Cluster, gapless, shown
from tests.strict.server import Said

pytestmark = pytest.mark.skipif(not data.server(), reason="several processes need PostgreSQL")
WORDS = ["The harbour ", "opens at ", "six, ", "and closes ", "at nine."]
WHOLE = "".join(WORDS)


@pytest.fixture
def cluster(migrated, openai, tmp_path):
    own = {**openai.environment, "DRAIN_SECONDS": "0"}
    with processes_of_cluster(migrated, tmp_path / "data", **own) as (servers, workers, _redis):
        yield Cluster(servers, workers)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "ended"])
def test_another_worker_goes_on_with_it_for_every_tab(cluster, openai, how):
    openai.script(Said(text=WORDS))
    openai.family.gate.clear()
    ada = Person(cluster.servers[0])
    with ada.tab() as tab:
        ack = tab.send("When is the harbour open?", agent="demo")
        assert eventually(lambda: cluster.logged(ack) == "".join(WORDS[:2]))
        cluster.writer_of(ack).stop(how)
        openai.family.gate.set()
        end = tab.until("end", generation=ack["generation"])

        assert end["data"]["status"] == "done"
        assert shown(tab, ack["generation"]) == WHOLE
        assert gapless(tab, ack["generation"]) == [*range(1, end["seq"] + 1)]
    assert cluster.said_in(ack) == [WHOLE]
    assert len(openai.received) == 1
    assert eventually(lambda: not openai.family.responses)
