"""The command works with a database that has no tables."""

import json
import os
import subprocess
import sys
from uuid import uuid4

import pytest
from django.conf import settings


@pytest.fixture
def context(tmp_path):
    """Return a function that runs `manage.py context` in an unused data folder."""
    own = {"ENV_FILE": os.devnull, "DATA_DIR": str(tmp_path / "data"), "DATABASE_URL": ""}

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "manage.py", "context", *map(str, arguments)],
            cwd=settings.BASE_DIR,
            env=os.environ | own,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_a_file_is_planned_without_any(context, tmp_path):
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"role": "user", "content": "hello"}]))

    done = context("project", file, "--json")

    assert (done.returncode, done.stderr) == (0, "")
    notes = json.loads(done.stdout)["plan"]["notes"]
    learnt = "Tokens are estimated: without a database no provider's figures are known."
    assert learnt in notes


def test_a_conversation_needs_them_and_the_command_says_how_they_are_made(context):
    done = context("explain", uuid4())

    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: no such table: history_conversation. ")
    assert done.stderr.endswith("`make run` or `manage.py migrate` creates the tables.\n")
