"""The worked example of docs/first-change.md applies to this code, and does what the page says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.subjects import LONGEST

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "first-change.md").read_text()
PIECES = re.findall(r"^```diff\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
TEST = "tests/chatapp/transcript/test_endings.py"
LEFT = shutil.ignore_patterns(".*", "var", "images", "vendor", "__pycache__", "node_modules")


def apply(folder: Path, *pieces: str) -> str:
    """Apply these patches of the page to a folder; return git's error messages."""
    command = ["git", "apply", "-"]
    # Git must not find a repository above the folder.
    outside = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    return subprocess.run(
        command,
        input="".join(pieces),
        cwd=folder,
        env=outside,
        capture_output=True,
        text=True,
        check=False,
    ).stderr


def changed(piece):
    return re.search(r"^\+\+\+ b/(.+)$", piece, re.MULTILINE)[1]


def test_each_change_fits_the_file_that_is_here(tmp_path):
    for piece in PIECES[1:]:
        name = changed(piece)
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / name, tmp_path / name)
        assert apply(tmp_path, piece) == ""
        assert (tmp_path / name).read_text() != (ROOT / name).read_text()


def test_the_pieces_are_a_new_test_a_template_and_the_code_behind_it():
    assert not (ROOT / TEST).exists()
    assert [changed(piece) for piece in PIECES] == [
        TEST,
        "templates/chat/ending.html",
        "chatapp/transcript/endings.py",
    ]


def test_the_subject_it_proposes_is_short_enough():
    (subject,) = re.findall(r"`(Say in [^`]+)`", PAGE)

    assert len(subject) <= LONGEST


@pytest.mark.whole
def test_the_new_test_fails_before_the_change_and_passes_after_it(tmp_path):
    copy = tmp_path / "vitrine"
    shutil.copytree(ROOT, copy, ignore=LEFT)
    test, *change = PIECES

    apply(copy, test)
    before = run(copy)
    apply(copy, *change)
    after = run(copy)

    assert re.search("1 failed, 1 passed", before), before
    assert re.search("2 passed", after), after


def run(folder: Path) -> str:
    command = [sys.executable, "-m", "pytest", TEST, "-q", "-p", "no:cacheprovider"]
    environment = {**os.environ, "ENV_FILE": os.devnull}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    ).stdout
