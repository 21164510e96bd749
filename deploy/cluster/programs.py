"""Programs that run beside this process, and end when it ends."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

UNTIL_ITS_INPUT_ENDS = """
exec 3<&0
"$@" 3<&- &
program=$!
echo "$program" > "$0"
{ read -r _ <&3; kill -TERM "$program"; } 2>/dev/null &
wait "$program"
"""  # The shell ends the program even if this process is killed.
START_SECONDS = 90
STOP_SECONDS = 60  # Longer than our own programs take to end, even if they hang.


class DidNotStart(RuntimeError):
    """A program ended before it was ready, or was not ready in time."""


class Program:
    """A running program with files for its log and its process id. It ignores Ctrl+C, which only
    this process receives; this process then stops the program.
    """

    def __init__(
        self, name: str, command: Sequence[str], log: Path, variables: Mapping[str, str], **who: Any
    ) -> None:
        self.name = name
        self.log = log
        with log.open("ab") as output:
            self._shell = subprocess.Popen(
                ["sh", "-c", UNTIL_ITS_INPUT_ENDS, str(log.with_suffix(".pid")), *command],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                env=variables,
                start_new_session=True,
                **who,
            )

    def wait_until(self, is_ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not is_ready():
            if self._shell.poll() is not None or time.monotonic() > deadline:
                raise DidNotStart(f"{self.name} did not start; {self.log} says why.")
            time.sleep(0.05)

    @property
    def pid(self) -> int:
        return int(self.log.with_suffix(".pid").read_text())

    def stop(self) -> None:
        """Ask the program to end, and wait until it has ended."""
        assert self._shell.stdin
        self._shell.stdin.close()
        try:
            self._shell.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._shell.pid, signal.SIGKILL)  # The program, and not only the shell.
            self._shell.wait()
