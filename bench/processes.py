"""The processor time and memory of the processes that are measured."""

import os
from pathlib import Path
from typing import Protocol

TICK = os.sysconf("SC_CLK_TCK")


class Process(Protocol):
    @property
    def pid(self) -> int: ...


class Measured(Protocol):
    """A server or a worker; its process is None while it is stopped."""

    @property
    def process(self) -> Process | None: ...


def processor_time(server: Measured) -> float:
    """Return the processor seconds that the process has used so far."""
    assert server.process
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def memory(server: Measured) -> float:
    """Return the server's resident memory, in megabytes."""
    assert server.process
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024
