"""`make cluster` runs two servers behind a proxy and two workers; killed servers end no answer."""

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import expect

from deploy.cluster import services
from tests.browser.conftest import PATIENCE_MS
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent
SLOWLY = "40"  # The demo model's words per second: tests must see unfinished answers.


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        variables = os.environ | {"ENV_FILE": os.devnull, "DEMO_WORDS_PER_SECOND": SLOWLY}
        command = [sys.executable, "-m", "deploy.cluster", "--folder", str(folder)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=variables
        )
        assert self.process.stdout
        said = iter(self.process.stdout.readline, "")
        found = (re.search(r"http://\S+", line) for line in said)
        if not (address := next(filter(None, found), None)):
            pytest.fail(f"The cluster did not start: exit code {self._end()}.")
        self.address = address[0]

    def ids(self) -> dict[str, int]:
        files = [*self.folder.glob("*.pid"), *self.folder.glob("postgresql/*.pid")]
        return {path.stem: int(path.read_text()) for path in files}

    def kill(self, name: str) -> None:
        os.kill(self.ids()[name], signal.SIGKILL)

    def stop(self) -> None:
        self.process.terminate()
        self._end()

    def _end(self) -> int:
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


@pytest.fixture(scope="module")
def cluster():
    if absent := services.missing():
        missing = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        missing(f"A cluster needs {absent}.")
    # If we are root, PostgreSQL runs as a user who may not enter pytest's folder.
    with TemporaryDirectory(prefix="vitrine-", ignore_cleanup_errors=True) as folder:
        started = Cluster(Path(folder))
        yield started
        with suppress(subprocess.TimeoutExpired):
            started.stop()


@pytest.fixture
def page(browser, cluster):
    """Open the app without collecting errors: a page logs errors when its server is killed."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(cluster.address)
    expect(page.locator("#text")).to_be_focused()
    yield page
    context.close()


def ask(page, text):
    page.locator("#text").fill(text)
    page.keyboard.press("Enter")


def done(page):
    return page.locator('.answer[data-status="done"]')


def test_answers_come_from_workers_to_every_tab(page):
    ask(page, "Hello")
    expect(done(page)).to_have_count(1)
    other = page.context.new_page()
    other.goto(page.url)

    ask(other, "And again")

    expect(done(other)).to_have_count(2)
    expect(done(page)).to_have_count(2)


def test_a_server_that_is_killed_cuts_no_answer(cluster, page):
    ask(page, "Tell me about everything")
    expect(page.locator(".answer .answer-body")).not_to_be_empty()

    cluster.kill("web-1")

    expect(done(page)).to_have_count(1)
    ask(page, "And then?")
    expect(done(page)).to_have_count(2)


def test_everything_ends_with_it(cluster):
    ids = cluster.ids()
    cluster.stop()

    assert set(ids) >= {"postgresql", "redis", "caddy", "web-1", "web-2", "worker-1", "worker-2"}
    assert [name for name, number in ids.items() if Path(f"/proc/{number}").exists()] == []
