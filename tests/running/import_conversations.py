"""Put conversations that no part of the app would accept into a running server's own database.

A process next to the server: `python -m tests.running.import_conversations` reads one conversation
per line, as JSON, and answers each with its id, or with what went wrong.
"""

import json
import subprocess
import sys
import traceback
from types import TracebackType
from typing import Any

from tests.patience import PATIENCE
from tests.servers import ROOT, AppServer, surroundings


class Importer:
    """The process, as its test talks to it."""

    def __init__(self, server: AppServer) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.running.import_conversations"],
            cwd=ROOT,
            env=surroundings(server.folder, server.environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Importer":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate(timeout=PATIENCE)

    def store(self, visitor: str, conversation: dict[str, Any]) -> str:
        """The new conversation's id."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        stdin.write(json.dumps({"visitor": visitor, **conversation}) + "\n")
        stdin.flush()
        answer = json.loads(stdout.readline())
        assert "error" not in answer, answer["error"]
        return str(answer["id"])


def main() -> None:
    from tests.running.scenario_rows import store  # noqa: PLC0415 -- needs Django, as only the child has

    for line in sys.stdin:
        try:
            answer = {"id": store(json.loads(line))}
        except Exception:  # The test fails with it, and may try a smaller conversation.
            answer = {"error": traceback.format_exc()}
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    import django

    from chatapp import env

    env.use_settings("chatapp.settings")
    django.setup()
    main()
