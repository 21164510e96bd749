"""Two servers behind Caddy and two workers, with a Redis of their own, for tests of any kind."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from deploy.cluster import services
from deploy.cluster.programs import Program
from tests import redis_server
from tests.redis_server import RedisServer
from tests.servers import AppServer, running
from tests.workers import WorkerProcess


@dataclass(frozen=True)
class Cluster:
    """The processes of a cluster. `door` stands for all servers: its address is the proxy's."""

    servers: Sequence[AppServer]
    workers: Sequence[WorkerProcess]
    redis: RedisServer
    proxy: Program
    door: AppServer


@contextmanager
def processes_of_cluster(
    migrated: Path, folder: Path, **environment: str
) -> Iterator[tuple[Sequence[AppServer], Sequence[WorkerProcess], RedisServer]]:
    """Run two servers and two workers on a copy of a migrated data folder during the block."""
    beside = folder.parent / f"{folder.name}-cluster"
    beside.mkdir()
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server.serving(beside))
        own = {"REDIS_URL": redis.url, "GENERATION_EXECUTOR": "worker", **environment}
        first = stack.enter_context(running(migrated, folder, **own))
        second = AppServer(folder, own)
        second.log = beside / "second.log"
        workers = [WorkerProcess(folder, own, beside / f"worker{n}.log") for n in (1, 2)]
        others: list[AppServer | WorkerProcess] = [second, *workers]
        for process in others:
            stack.callback(process.close)
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda process: process.start(), others))
        yield (first, second), workers, redis


@contextmanager
def clustered(migrated: Path, folder: Path, **environment: str) -> Iterator[Cluster]:
    """Run a cluster with its proxy during the block."""
    own = {"TRUSTED_PROXIES": "127.0.0.1", **environment}
    with processes_of_cluster(migrated, folder, **own) as (servers, workers, redis):
        ports = [server.listener.getsockname()[1] for server in servers]
        proxy, url = services.start_proxy(redis.folder, ports)
        try:
            yield Cluster(servers, workers, redis, proxy, _behind(servers[0], url))
        finally:
            proxy.stop()


def _behind(server: AppServer, url: str) -> AppServer:
    """Return a server like this one, at the proxy's address."""
    door = copy(server)
    door.url, door.address = url, url.removeprefix("http://")
    return door
