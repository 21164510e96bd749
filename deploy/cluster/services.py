"""The services that the processes share: PostgreSQL, Redis and a proxy, each on a free port."""

import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import redis

from deploy import packages, postgresql
from deploy.cluster.programs import DidNotStart, Program

USER = "vitrine"
CADDYFILE = """\
{{
	admin off
	auto_https off
	servers {{
		timeouts {{
			read_header 10s
			idle 5m
		}}
		max_header_size 16KB
	}}
}}

http://:{port} {{
	bind 127.0.0.1
	reverse_proxy {servers} {{
		lb_policy least_conn
		lb_try_duration 10s
		health_uri /readyz
		health_interval 1s
		health_timeout 3s
		flush_interval -1
	}}
}}
"""
WANTED = "PostgreSQL 15 or newer, Redis and Caddy (Debian, Ubuntu: apt-get install {})"


def missing() -> str:
    """Install missing programs. Return a text that names those still missing, or an empty one."""
    there: dict[str, Callable[[], object]] = {
        "postgresql": postgresql.find,
        "redis-server": partial(shutil.which, "redis-server"),
        "caddy": partial(shutil.which, "caddy"),
    }
    absent = [name for name, find in there.items() if not find()]
    if absent and packages.install(*absent):
        absent = [name for name in absent if not there[name]()]
    return WANTED.format(" ".join(absent)) if absent else ""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def start_postgresql(folder: Path) -> tuple[Program, str]:
    """Start PostgreSQL, and create its folder the first time. Return it with its database's URL."""
    programs = postgresql.find()
    assert programs
    if not (folder / "data").exists():
        _make_database(programs, folder)
    password, port = (folder / "password").read_text(), free_port()
    command = [str(programs / "postgres"), "-D", str(folder / "data"), "-p", str(port)]
    command += ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    started = Program("PostgreSQL", command, folder / "postgresql.log", {}, **_somebody())
    url = f"postgresql://{USER}:{password}@127.0.0.1:{port}/postgres"
    started.wait_until(lambda: _without(psycopg.Error, lambda: psycopg.connect(url).close()))
    return started, url


def _make_database(programs: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    secret = folder / "password"
    secret.write_text(secrets.token_urlsafe(24))
    secret.chmod(0o600)
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
        shutil.chown(secret, "nobody")
    options = [f"--pgdata={folder / 'data'}", f"--username={USER}", "--encoding=UTF8"]
    options += ["--locale=C", "--auth=scram-sha-256", f"--pwfile={secret}"]
    initdb = [str(programs / "initdb"), *options]
    made = subprocess.run(initdb, check=False, capture_output=True, text=True, **_somebody())
    if made.returncode:
        raise DidNotStart(f"PostgreSQL could not make its database: {made.stderr.strip()}")


def _somebody() -> dict[str, Any]:
    """Choose PostgreSQL's user: `nobody` if we are root, which PostgreSQL refuses."""
    return {"user": "nobody", "extra_groups": [], "cwd": "/"} if os.geteuid() == 0 else {}


def start_redis(folder: Path) -> tuple[Program, str]:
    port, password = free_port(), secrets.token_urlsafe(24)
    # Redis reads the password from a file: everybody on this machine can see a program's arguments.
    settings = folder / "redis.conf"
    settings.touch(mode=0o600)
    lines = (f"port {port}", "bind 127.0.0.1", f'requirepass "{password}"', 'save ""')
    settings.write_text("\n".join([*lines, f"dir {folder}", ""]))
    started = Program("Redis", ["redis-server", str(settings)], folder / "redis.log", {})
    url = f"redis://:{password}@127.0.0.1:{port}/0"
    with redis.Redis.from_url(url) as client:
        started.wait_until(lambda: _without(redis.RedisError, client.ping))
    return started, url


def start_proxy(folder: Path, ports: Sequence[int], port: int = 0) -> tuple[Program, str]:
    """Start the proxy, by default on a free port. Return it with the address that people open in a
    browser.
    """
    port = port or free_port()
    servers = " ".join(f"127.0.0.1:{each}" for each in ports)
    (folder / "Caddyfile").write_text(CADDYFILE.format(port=port, servers=servers))
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    own = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    started = Program("Caddy", command, folder / "caddy.log", own)
    started.wait_until(lambda: is_open(port))
    return started, f"http://127.0.0.1:{port}"


def is_open(port: int) -> bool:
    def connect() -> None:
        socket.create_connection(("127.0.0.1", port), 5).close()

    return _without(OSError, connect)


def _without(error: type[Exception], call: Callable[[], object]) -> bool:
    try:
        call()
    except error:
        return False
    return True
