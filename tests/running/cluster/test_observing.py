"""A worker reports metrics, as a server does: whichever process writes answers counts them."""

import pytest

from tests import data
from tests.patience import eventually
from tests.people import Person
from tests.ports import free_port
from tests.provider import Reply
from tests.running.test_observing import risen, value, values
from tests.servers import running
from tests.workers import WorkerProcess

pytestmark = pytest.mark.skipif(not data.server(), reason="several processes need PostgreSQL")


def told(number):
    return {"METRICS_ADDRESS": f"127.0.0.1:{number}"}


def test_answers_are_counted_by_the_worker_and_tabs_by_the_server(
    migrated, provider, redis, tmp_path
):
    provider.script(Reply(text=["Hello"]))
    own = {**provider.environment, "REDIS_URL": redis.url, "GENERATION_EXECUTOR": "worker"}
    with running(migrated, tmp_path / "data", **own, **told(free_port())) as server:
        worker = WorkerProcess(server.folder, {**own, **told(free_port())}, tmp_path / "worker.log")
        worker.start()
        try:
            before = values(worker)
            with Person(server).tab() as tab:
                assert eventually(lambda: value(values(server), "sockets") == 1)
                _, end = tab.ask("Hi", agent="demo")
            assert eventually(
                lambda: risen(before, values(worker), "answers_total", status="done", kind="") == 1
            )
            at_server, at_worker = values(server), values(worker)
        finally:
            worker.close()

    assert end["status"] == "done"
    assert value(at_worker, "sockets") == 0
    assert value(at_server, "answers_total", status="done", kind="") == 0
    for samples in (at_server, at_worker):
        idle = value(samples, "database_pool_connections", state="idle")
        assert idle + value(samples, "database_pool_connections", state="used") >= 1
