"""The image, put together here as the Containerfile says, starts from a read-only folder."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE

pytestmark = pytest.mark.whole

ROOT = Path(__file__).resolve().parent.parent.parent
LINES = (ROOT / "deploy/containers/Containerfile").read_text().replace("\\\n", "").splitlines()
FINAL = LINES[max(n for n, line in enumerate(LINES) if line.startswith("FROM ")) :]
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"'
CONFINED = ("unshare", "--mount", "--map-root-user", "sh", "-c", READ_ONLY)
PUBLIC = {"Host": "chat.example.org", "X-Forwarded-Proto": "https"}


def said(instruction):
    """Return the arguments of each line with this instruction of the Containerfile."""
    return [line.split(" ", 1)[1].strip() for line in FINAL if line.startswith(f"{instruction} ")]


def copy(sources, target):
    for source in sources:
        if (ROOT / source).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / source, target, ignore=ignored, dirs_exist_ok=True)
        else:
            shutil.copy(ROOT / source, target)


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """Return a folder with the image's files, and with the packages of this environment."""
    try:
        subprocess.run([*CONFINED[:3], "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no folder can be mounted here")
    folder = tmp_path_factory.mktemp("image")
    for line in said("COPY"):
        *sources, target = line.split()
        if not sources[0].startswith("--from="):
            copy(sources, folder / target)
    (folder / ".venv").symlink_to(Path(sys.executable).parent.parent)
    return folder


def surroundings(data):
    ours = dict(pair.split("=", 1) for line in said("ENV") for pair in shlex.split(line))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    given = {
        "DJANGO_ENV": "production",
        "SECRET_KEY": "0123456789abcdefghij" * 3,
        "PUBLIC_URL": "https://chat.example.org",
        "ALLOWED_HOSTS": "chat.example.org",
        "TRUSTED_PROXIES": "127.0.0.1",
    }
    return {**ours, **given, "DATA_DIR": str(data), "PATH": path}


def at(command, port):
    return [part.replace("8000", str(port)) for part in json.loads(command)]


@pytest.fixture(scope="module")
def served(image, tmp_path_factory):
    data = tmp_path_factory.mktemp("data")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = at(said("CMD")[0].replace("0.0.0.0", "127.0.0.1"), port)
    with (data / "log").open("w") as log:
        process = subprocess.Popen(
            [*CONFINED, str(image), *command], env=surroundings(data), stdout=log, stderr=log
        )
    with httpx.Client(
        base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, headers=PUBLIC
    ) as client:
        try:
            wait_for(client, process, data / "log")
            yield client
        finally:
            process.terminate()
            assert process.wait(timeout=PATIENCE) in (0, -signal.SIGTERM)


def wait_for(client, process, log):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            client.get("/healthz")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(log.read_text())


def test_it_serves_from_a_folder_that_nobody_can_write(served):
    ready = served.get("/readyz")
    page = served.get("/login")
    styles = re.findall(r'href="(/static/[^"]+\.css)"', page.text)

    assert (ready.status_code, page.status_code) == (200, 200)
    assert styles
    assert {served.get(path).status_code for path in styles} == {200}


def test_it_has_the_documents(served):
    for name in ("operations", "CHANGELOG"):
        assert served.get(f"/about/docs/{name}").status_code == 200


@pytest.mark.parametrize(("path", "status"), [("healthz", 200), ("readyz", 200), ("login", 400)])
def test_probes_need_not_know_the_name_that_people_use(served, path, status):
    answer = served.get(f"/{path}", headers={"Host": "10.1.2.3:8000"})

    assert answer.status_code == status


def test_its_own_check_finds_it_alive(served):
    (_, check) = said("HEALTHCHECK")[0].split("CMD ")
    command = at(check, served.base_url.port)

    assert subprocess.run([sys.executable, *command[1:]], check=False).returncode == 0


def test_it_does_not_run_as_root():
    assert int(said("USER")[0]) > 0
    assert FINAL.index(f"USER {said('USER')[0]}") < FINAL.index(f"CMD {said('CMD')[0]}")
