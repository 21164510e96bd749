"""The check refuses long subjects of commits, and passes where there is no history."""

import os
import subprocess
from pathlib import Path

import pytest

from deploy import subjects

NOBODY = {"NAME": "Nobody", "EMAIL": "nobody@example.org"}
WHO = {
    f"GIT_{role}_{what}": text for role in ("AUTHOR", "COMMITTER") for what, text in NOBODY.items()
}
FITS = "Say it in 72 characters".ljust(72, ".")
TOO_LONG = f"{FITS}!"


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, env=os.environ | WHO, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(folder: Path, subject: str) -> str:
    git(folder, "commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--message", subject)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a repository whose only long subject is older than the check's first commit."""
    folder = tmp_path / "repository"
    git(tmp_path, "init", "--quiet", str(folder))
    commit(folder, f"{TOO_LONG} It is older than the check.")
    monkeypatch.setattr(subjects, "START", commit(folder, "Begin to check"))
    monkeypatch.setattr(subjects, "ROOT", folder)
    return folder


def test_a_longer_subject_is_named(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(repository, FITS)
    name = commit(repository, TOO_LONG)[:7]
    commit(repository, f"Say more below\n\n{TOO_LONG}")

    assert subjects.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{name}: a subject of 73 characters; 72 is the most: {TOO_LONG}"
    ]


def test_shorter_subjects_pass_whatever_came_before(repository: Path) -> None:
    commit(repository, FITS)
    assert subjects.main() == 0


def test_a_merge_is_nobodys_sentence(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "-b", "aside")
    commit(repository, "Do something aside")
    git(repository, "checkout", "--quiet", "-")
    git(repository, "merge", "--quiet", "--no-ff", "--message", TOO_LONG, "aside")
    assert subjects.main() == 0


def test_without_the_history_nothing_is_checked(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(repository, TOO_LONG)
    shallow, archive = tmp_path / "shallow", tmp_path / "archive"
    git(tmp_path, "clone", "--quiet", "--depth=1", repository.as_uri(), str(shallow))
    archive.mkdir()
    for folder in (shallow, archive):
        monkeypatch.setattr(subjects, "ROOT", folder)
        assert subjects.main() == 0

    monkeypatch.setattr(subjects, "ROOT", repository)
    assert subjects.main() == 1
    monkeypatch.setenv("PATH", str(archive))  # An empty PATH: git is missing.
    assert subjects.main() == 0
