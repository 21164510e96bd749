"""A forked process behaves like one that was started from scratch."""

import signal
import subprocess
import sys

import pytest

from tests import data
from tests.forking import forker
from tests.patience import PATIENCE
from tests.servers import ROOT, manage, surroundings

pytestmark = pytest.mark.machine

STATE = """
import os, signal, sys
handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGCHLD)]
opened = sorted(os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd") if int(n) > 2
                and os.path.exists(f"/proc/self/fd/{n}"))
print(sys.argv, sys.path, os.getcwd(), sorted(os.environ.items()), handlers, opened, sep="\\n")
"""

SERVE = """
import signal, socket, sys
from pathlib import Path
from tests.forking import LISTENER, forker
from tests.servers import surroundings
listener = socket.create_server(("127.0.0.1", 0))
files = [sys.stdout.fileno(), sys.stderr.fileno(), listener.fileno()]
server = forker().start(["serve", "--fd", LISTENER], surroundings(Path(sys.argv[1]), {}), files)
signal.pause()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return data.make(tmp_path_factory.mktemp("forked") / "data")


@pytest.mark.whole
def test_it_has_the_same_surroundings_and_nothing_of_the_process_it_comes_from(folder):
    command = ["shell", "-v", "0", "-c", STATE]
    started = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=surroundings(folder, {"DEMO": "1"}),
        capture_output=True,
        text=True,
        check=True,
        # Python's usual handler for Ctrl+C, as in a terminal.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )

    assert manage(folder, *command, DEMO="1").split("\n") == started.stdout.split("\n")


def test_a_failure_says_what_was_printed(folder):
    with pytest.raises(AssertionError, match=r"(?s)so far.*Traceback.*ZeroDivisionError"):
        manage(folder, "shell", "-v", "0", "-c", "print('so far'); 1 / 0")


def test_it_can_be_waited_for_and_killed(folder, tmp_path):
    with (tmp_path / "log").open("wb") as log:
        files = [log.fileno(), log.fileno()]
        command = ["shell", "-v", "0", "-c", "import signal; signal.pause()"]
        process = forker().start(command, surroundings(folder, {}), files)

    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.1)
    assert process.poll() is None
    process.kill()
    assert process.wait(PATIENCE) == process.poll() == -signal.SIGKILL


@pytest.mark.whole
def test_a_server_ends_when_the_tests_are_killed(migrated, tmp_path):
    """The output ends only when all processes that have it open have ended."""
    data.copy(migrated, tmp_path / "data")
    command = [sys.executable, "-c", SERVE, str(tmp_path / "data")]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as tests:
        said = tests.stdout.readline() + tests.stdout.readline()
        tests.kill()
        tests.communicate(timeout=PATIENCE)
    assert b"http://" in said
