"""Start PostgreSQL, Redis, two servers behind Caddy and two workers, until Ctrl+C."""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

from deploy.cluster import services
from deploy.cluster.programs import DidNotStart, Program

SERVERS = WORKERS = 2
MANAGE = (sys.executable, "manage.py")
READY = """
  Vitrine is ready: {address}/chat?agent=demo
  It is two servers and two workers: kill one, and look. Their logs and process ids are in
  {folder}
  Press Ctrl+C to stop.
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="deploy.cluster", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("var/cluster"))
    folder = parser.parse_args().folder.resolve()
    if absent := services.missing():
        sys.exit(f"A cluster needs {absent}.")
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with _running(folder) as address:
            print(READY.format(address=address, folder=folder), flush=True)
            while True:
                time.sleep(3600)
    except DidNotStart as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        print("\nVitrine has stopped.")
    return 0


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


@contextmanager
def _running(folder: Path) -> Iterator[str]:
    """Start all programs in the order in which they depend on each other; stop them in reverse."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)  # PostgreSQL, which may run as another user, has a folder in here.
    with ExitStack() as stack:
        database, database_url = services.start_postgresql(folder / "postgresql")
        stack.callback(database.stop)
        bell, redis_url = services.start_redis(folder)
        stack.callback(bell.stop)
        variables = _variables(folder, database_url, redis_url)
        _prepare(variables)
        for number in range(1, WORKERS + 1):
            stack.callback(_manage(f"worker-{number}", folder, variables, "worker").stop)
        ports = [services.free_port() for _ in range(SERVERS)]
        servers = [_server(number, folder, variables, port) for number, port in enumerate(ports, 1)]
        for server, port in zip(servers, ports, strict=True):
            stack.callback(server.stop)
            server.wait_until(partial(services.is_open, port))
        proxy, address = services.start_proxy(folder, ports)
        stack.callback(proxy.stop)
        yield address


def _variables(folder: Path, database_url: str, redis_url: str) -> dict[str, str]:
    return os.environ | {
        "DATA_DIR": str(folder / "data"),
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "GENERATION_EXECUTOR": "worker",
        "DRAIN_SECONDS": os.environ.get("DRAIN_SECONDS", "10"),
        "TRUSTED_PROXIES": "127.0.0.1",
    }


def _prepare(variables: dict[str, str]) -> None:
    """Prepare the database. The first time, print the administrator's password."""
    for command in (["migrate", "--verbosity", "0"], ["bootstrap"]):
        subprocess.run([*MANAGE, *command], env=variables, check=True)


def _server(number: int, folder: Path, variables: dict[str, str], port: int) -> Program:
    return _manage(f"web-{number}", folder, variables, "serve", "--port", str(port))


def _manage(name: str, folder: Path, variables: dict[str, str], *arguments: str) -> Program:
    return Program(name, [*MANAGE, *arguments], folder / f"{name}.log", variables)


if __name__ == "__main__":
    sys.exit(main())
