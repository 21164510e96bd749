import json
import subprocess
import sys

from chatapp.server.joined.finder import SOURCES
from chatapp.server.joined.joining import joined


def test_joined_scripts_do_what_they_do_by_themselves(chromium_path):
    command = [sys.executable, "-m", "tests.js.joining", chromium_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    alone, together = json.loads(done.stdout)

    assert together == alone
    assert alone[:6] == ["state", "listed", 1, True, True, "silent"]
    assert alone[-5:] == [["one", 3, 1, "own"], ["other", 4, 2], ["begin"], 5, "later"]


def test_the_joined_scripts_of_the_app_can_be_read(chromium_path, tmp_path):
    for name, text in joined(SOURCES).items():
        (tmp_path / f"{name}.js").write_text(text)

    command = [sys.executable, "-m", "deploy.scripts", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
