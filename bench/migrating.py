"""Measure `migrate` on a database of commit f778175 that holds 100,000 messages more.

It runs on SQLite and, if PostgreSQL is installed, on a server of its own.
"""

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.tables import milliseconds, print_table
from deploy import postgresql
from tests import data, postgres
from tests.history.earlier import loading
from tests.servers import manage

MESSAGES = 100_000
TOLD = """SELECT conversation_id, branch_id FROM history_message
WHERE role = 'tool' AND turn = 1 ORDER BY id LIMIT 1"""
BRANCH = """INSERT INTO history_branch (conversation_id, lineage, created)
SELECT conversation_id, lineage, created FROM history_branch WHERE id = ?"""
PLACED = {  # What differs from the turn that is repeated, whose messages are m; n.i counts.
    "position": "n.i * s.many + m.position",
    "segment": "n.i * s.many + m.segment",
    "turn": "n.i + 1",
    "tokens_through": "n.i * s.tokens + m.tokens_through",
    "results_through": "n.i * s.results + m.results_through",
    "branch_id": "(SELECT max(id) FROM history_branch)",
    "generation_id": "NULL",
    "client_msg_id": "NULL",
}
REPEAT = """
WITH RECURSIVE m AS (SELECT * FROM history_message WHERE turn = 1 AND conversation_id = ?),
s (many, tokens, results) AS (
  SELECT count(*), max(tokens_through), max(results_through) FROM m
),
n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n, s WHERE (i + 1) * s.many < {most})
INSERT INTO history_message ({names}) SELECT {values} FROM n CROSS JOIN m CROSS JOIN s
"""
STEP = re.compile(r"Applying (\S+)\.\.\. OK \(([\d.]+)s\)")


def main() -> None:
    measured = {"SQLite": measure("")}
    if postgresql.find():
        with postgres.serving() as url:
            measured["PostgreSQL"] = measure(url)
    names = list(measured["SQLite"])
    rows = [
        [name, *(milliseconds(1000 * found.get(name, 0)) for found in measured.values())]
        for name in names
    ]
    print_table(f"Migrating {MESSAGES:,} messages of f778175", ["migration", *measured], rows)


def measure(url: str) -> dict[str, float]:
    """Return the seconds that each migration took, and all of the command."""
    os.environ["DATABASE_URL"] = url
    with TemporaryDirectory() as scratch:
        folder = loading.load(Path(scratch) / "data")
        multiply(folder)
        began = perf_counter()
        said = manage(folder, "migrate", "--verbosity", "2")
        whole = perf_counter() - began
        assert is_hashed(folder)
    found = {name: float(seconds) for name, seconds in STEP.findall(said)}
    return {**found, "all, with starting and ending": whole}


def multiply(folder: Path) -> None:
    """Say the first turn that used tools again and again, on a branch of its own."""
    ((conversation, branch),) = data.execute(folder, TOLD)
    names = [name for name in loading.columns(folder)["history_message"] if name != "id"]
    values = [PLACED.get(name, f"m.{name}") for name in names]
    parts = {"names": ", ".join(names), "values": ", ".join(values), "most": MESSAGES}
    data.execute(folder, BRANCH, branch)
    data.execute(folder, REPEAT.format(**parts), conversation)


def is_hashed(folder: Path) -> bool:
    counts = "SELECT (SELECT count(*) FROM history_message), (SELECT count(*) FROM {})"
    ((messages, hashes),) = data.execute(folder, counts.format("history_messagehash"))
    return bool(messages >= MESSAGES and messages == hashes)


if __name__ == "__main__":
    main()
