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
def clustered(
    migrated: Path, folder: Path, servers: int = 2, workers: int = 2, **environment: str
) -> Iterator[Cluster]:
    """Run a cluster on a copy of a migrated data folder during the block."""
    beside = folder.parent / f"{folder.name}-cluster"
    beside.mkdir()
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server.serving(beside))
        own = {
            "REDIS_URL": redis.url,
            "GENERATION_EXECUTOR": "worker",
            "TRUSTED_PROXIES": "127.0.0.1",
            **environment,
        }
        first = stack.enter_context(running(migrated, folder, **own))
        others = [AppServer(folder, own) for _ in range(servers - 1)]
        for number, server in enumerate(others, 2):
            server.log = beside / f"server{number}.log"
        logs = [beside / f"worker{number}.log" for number in range(1, workers + 1)]
        writers = [WorkerProcess(folder, own, log) for log in logs]
        processes: list[AppServer | WorkerProcess] = [*others, *writers]
        for process in processes:
            stack.callback(process.close)
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda process: process.start(), processes))
        all_servers = [first, *others]
        ports = [server.listener.getsockname()[1] for server in all_servers]
        proxy, url = services.start_proxy(beside, ports)
        stack.callback(proxy.stop)
        yield Cluster(all_servers, writers, redis, proxy, _behind(first, url))


def _behind(server: AppServer, url: str) -> AppServer:
    """Return a server like this one, at the proxy's address."""
    door = copy(server)
    door.url, door.address = url, url.removeprefix("http://")
    return door
