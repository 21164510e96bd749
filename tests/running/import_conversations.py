"""Store conversations that the app itself would refuse, in the database of a running server.

`python -m tests.running.import_conversations` runs beside the server. It reads one conversation per
line, as JSON, and prints an id for each, or what went wrong.
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
    """The test's side of the process."""

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
        """Store a conversation for the visitor; return its id."""
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
        except Exception:  # The test reports it, and may try smaller data.
            answer = {"error": traceback.format_exc()}
        sys.stdout.write(f"{json.dumps(answer)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    import django

    from chatapp import env

    env.use_settings("chatapp.settings")
    django.setup()
    main()
