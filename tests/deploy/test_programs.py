"""A program of `make cluster` ends with it, even if the program ignores the signal to end."""

import os
from pathlib import Path

import pytest

from deploy.cluster import programs
from deploy.cluster.programs import Program

STUBBORN = "trap '' TERM; echo here; while :; do sleep 0.05; done"


@pytest.mark.parametrize("script", ["echo here; exec sleep 600", STUBBORN], ids=["obeys", "hangs"])
def test_it_is_gone_once_it_was_stopped(script, tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "STOP_SECONDS", 0.3)
    log = tmp_path / "program.log"
    program = Program("It", ["sh", "-c", script], log, os.environ)
    program.wait_until(lambda: "here" in log.read_text())
    number = program.pid

    program.stop()

    assert not runs(number)


def runs(number):
    """Whether a process exists, and is not a zombie."""
    command = Path(f"/proc/{number}/cmdline")
    return command.exists() and command.read_bytes() != b""
