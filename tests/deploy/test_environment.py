"""The script makes the environment with the real pip, from an empty lock without downloads."""

import sys
from pathlib import Path

import pytest

from deploy import environment

pytestmark = pytest.mark.whole


@pytest.fixture
def lock(tmp_path, monkeypatch):
    """Return an empty lock. Stamps go to the test's own folder; the packages are the tests' own."""
    monkeypatch.setattr(environment, "VENV", tmp_path)
    monkeypatch.setattr(environment, "PYTHON", Path(sys.executable))
    lock = tmp_path / "requirements.txt"
    lock.write_text("# nothing\n")
    return lock


def said(capsys):
    return [line.split(" ")[0] for line in capsys.readouterr().out.splitlines()]


def test_a_lock_is_installed_once_and_again_when_it_changes(lock, capsys):
    environment.main(lock)
    assert said(capsys) == ["Installing"]

    environment.main(lock)
    assert said(capsys) == []

    lock.write_text("# nothing else\n")
    environment.main(lock)
    assert said(capsys) == ["Installing"]


def test_an_interrupted_install_is_done_again(lock, capsys, monkeypatch):
    def interrupt(lock):
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr(environment, "install", interrupt)
        with pytest.raises(KeyboardInterrupt):
            environment.main(lock)
    said(capsys)

    environment.main(lock)
    assert said(capsys) == ["Installing"]


def test_an_environment_whose_python_has_gone_is_made_anew(lock, capsys, monkeypatch, tmp_path):
    folder = tmp_path / ".venv"
    folder.mkdir()
    monkeypatch.setattr(environment, "VENV", folder)
    monkeypatch.setattr(environment, "PYTHON", folder / "bin" / "python")

    environment.main(lock)

    assert said(capsys) == ["Making", "Installing"]
    assert environment.usable()


def test_a_lock_that_cannot_be_installed_is_not_taken_as_installed(lock):
    lock.write_text("no-such-package @ file:///nowhere --hash=sha256:00\n")

    for _ in range(2):
        with pytest.raises(SystemExit) as refusal:
            environment.main(lock)
        assert str(refusal.value) == (
            f"Vitrine could not install {lock}; pip says why above. Run it again to go on."
        )


def test_a_python_without_ensurepip_says_what_to_install(lock, monkeypatch, tmp_path):
    monkeypatch.setattr(environment, "PYTHON", tmp_path / "gone")
    monkeypatch.setattr(environment, "find_spec", lambda name: None)

    with pytest.raises(SystemExit) as refusal:
        environment.main(lock)

    assert "apt-get install python3-venv" in str(refusal.value)
