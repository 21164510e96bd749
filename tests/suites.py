"""Choose the tests of `make test`, those left to `make test-all`, and those that may be repeated.

In the folders of `WHOLE`, only tests with the mark `daily` run daily. In all other folders, all
tests without the mark `whole` do. A test's own mark outranks its file's. Both marks may name single
cases of a table.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import hypothesis
import pytest

FOLDER = Path(__file__).resolve().parent
WHOLE = {"browser", "running"}
MACHINE_ROOMS = {*WHOLE, "agents/mcp", "deploy", "faults", "js"}
MACHINE_FIXTURES = {"app", "served", "browser", "chromium_path", "redis"}
EXAMPLES = 25  # The examples of each property; `make test-all` tries 100.
LEFT = pytest.StashKey[int]()
REPEATS = 2
LINES = 12  # The most lines shown of one unsteady test's failure.

hypothesis.settings.register_profile("daily", hypothesis.settings(), max_examples=EXAMPLES)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--suite", choices=["daily", "all"], default="all", help="which tests to run")
    parser.addoption("--told", default="", help="a file for what was left out, and was unsteady")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("suite") == "daily":
        hypothesis.settings.load_profile("daily")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if may_be_repeated(item):
            item.add_marker(pytest.mark.flaky(reruns=REPEATS))
    if config.getoption("suite") == "daily":
        if not is_narrowed(config):
            refuse_unknown_cases(items)
        left = [item for item in items if not is_daily(item)]
        items[:] = [item for item in items if is_daily(item)]
        config.hook.pytest_deselected(items=left)
        note_left(config, len(left))


def is_daily(item: pytest.Item) -> bool:
    for mark in item.iter_markers():
        if mark.name in {"daily", "whole"} and (not mark.args or case_of(item) in mark.args):
            return mark.name == "daily"
    return room_of(item).parts[0] not in WHOLE


def is_narrowed(config: pytest.Config) -> bool:
    """Whether only some tests of the run were requested, so that cases may be missing."""
    asked = config.option.keyword or config.option.markexpr
    return bool(asked) or any("[" in argument for argument in config.args)


def refuse_unknown_cases(items: Iterable[pytest.Item]) -> None:
    """Raise `LookupError` if a mark names a case that no longer exists, such as a renamed one."""
    named, known = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for item in items:
        function = item.nodeid.partition("[")[0]
        known[function].add(case_of(item))
        for mark in chain(item.iter_markers("daily"), item.iter_markers("whole")):
            named[function].update(mark.args)
    for function, cases in named.items():
        if missing := cases - known[function]:
            raise LookupError(f"{function} is marked for cases that it lacks: {missing}")


def may_be_repeated(item: pytest.Item) -> bool:
    """Whether the test may be repeated, because a slow machine can make it fail: it starts a
    process, a browser or a database. Property tests are never repeated: Hypothesis would shrink
    their examples each time.
    """
    if hypothesis.is_hypothesis_test(getattr(item, "obj", None)):
        return False
    on_server = item.config.getoption("database", "sqlite") == "postgresql"
    is_on_server = on_server and item.get_closest_marker("django_db") is not None
    is_marked = item.get_closest_marker("machine") is not None
    in_rooms = any(room_of(item).is_relative_to(room) for room in MACHINE_ROOMS)
    return (
        is_on_server or is_marked or in_rooms or not MACHINE_FIXTURES.isdisjoint(fixtures_of(item))
    )


def room_of(item: pytest.Item) -> Path:
    """Return the path of the test's file, relative to the folder `tests`."""
    return item.path.relative_to(FOLDER) if item.path.is_relative_to(FOLDER) else item.path


def case_of(item: pytest.Item) -> str:
    """Return the id of the test's case; empty if it has none."""
    spec = getattr(item, "callspec", None)
    return spec.id if spec else ""


def fixtures_of(item: pytest.Item) -> Iterable[str]:
    return getattr(item, "fixturenames", ())


def note_left(config: pytest.Config, count: int) -> None:
    """Keep the number of omitted tests for the summary, which xdist's main process writes."""
    config.stash[LEFT] = count
    if hasattr(config, "workeroutput"):
        config.workeroutput["left"] = count


@pytest.hookimpl(optionalhook=True)  # Only xdist has this hook.
def pytest_testnodedown(node: Any, error: object) -> None:
    """Take the number of omitted tests from a worker; all workers have the same number."""
    if "left" in (output := getattr(node, "workeroutput", {})):  # A crashed worker reports none.
        note_left(node.config, output["left"])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    lines = [*unsteady(terminalreporter.stats)]
    if left := config.stash.get(LEFT, 0):
        lines.append(f"{left} tests are left to make test-all.")
    for line in lines:
        terminalreporter.write_line(line)
    if file := config.getoption("told"):
        Path(file).write_text("".join(f"{line}\n" for line in lines))


def unsteady(stats: dict[str, list[pytest.TestReport]]) -> Iterator[str]:
    """Yield each test that failed at first and passed in the end, with the reason of the
    failure.
    """
    failed = {report.nodeid for name in ("failed", "error") for report in stats.get(name, [])}
    for report in {report.nodeid: report for report in stats.get("rerun", [])}.values():
        if report.nodeid not in failed:
            tries = vars(report)["rerun"] + 2  # Counted from 0, without the last try.
            yield f"unsteady: {report.nodeid}, {tries} of {REPEATS + 1}"
            yield from (f"    {line}" for line in report.longreprtext.splitlines()[-LINES:])
