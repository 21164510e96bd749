"""GENERATION_EXECUTOR decides which processes write answers; workers need some other variables."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from chatapp import env
from chatapp.env import redis

pytestmark = pytest.mark.machine

ROOT = Path(__file__).resolve().parents[3]
ADDRESS = "redis://:hidden@db:6379/0"
IMPORTED = """
import sys
from chatapp import asgi
sys.exit("procrastinate" in sys.modules or "redis" in sys.modules)
"""


def read(url):
    return env.read("GENERATION_EXECUTOR", lambda raw: redis.executor(url, raw))


@pytest.mark.parametrize("url", ["", ADDRESS])
def test_answers_are_written_where_they_are_asked_for_unless_it_is_set(url):
    assert read(url) == "inline"


def test_workers_write_them_where_there_is_redis(monkeypatch):
    monkeypatch.setenv("GENERATION_EXECUTOR", "worker")

    assert read(ADDRESS) == "worker"


@pytest.mark.parametrize(
    ("value", "url", "why"),
    [
        pytest.param("workers", ADDRESS, "must be one of inline, worker", id="another word"),
        pytest.param("worker", "", "needs PostgreSQL in DATABASE_URL and Redis", id="no Redis"),
    ],
)
def test_anything_else_is_refused_with_a_way_out(monkeypatch, value, url, why):
    monkeypatch.setenv("GENERATION_EXECUTOR", value)

    with pytest.raises(env.EnvironmentRefused, match=f"^GENERATION_EXECUTOR='{value}' .*{why}"):
        read(url)


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    monkeypatch.setenv("GENERATION_EXECUTOR", "worker")
    monkeypatch.setattr(redis, "find_spec", lambda name: None)

    with pytest.raises(env.EnvironmentRefused, match=r"extra cluster; .*requirements-all.txt"):
        read(ADDRESS)


def test_a_worker_is_refused_where_servers_write_themselves():
    with pytest.raises(CommandError, match="needs GENERATION_EXECUTOR=worker"):
        call_command("worker")


def test_a_server_that_needs_none_of_it_loads_none_of_it(tmp_path):
    quiet = {"ENV_FILE": "/dev/null", "DATABASE_URL": "", "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", IMPORTED]

    done = subprocess.run(command, cwd=ROOT, env=os.environ | quiet, check=False)

    assert done.returncode == 0
