import pytest

from deploy import postgresql


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Return a function that installs a fake server, which reports the given version."""
    monkeypatch.setattr(postgresql, "INSTALLED", tmp_path)
    monkeypatch.setenv("PATH", "/bin:/usr/bin")

    def install(folder, said):
        programs = tmp_path / folder / "bin"
        programs.mkdir(parents=True)
        (programs / "initdb").touch()
        server = programs / "postgres"
        server.write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {said}'\n")
        server.chmod(0o755)
        return programs

    return install


def test_the_newest_that_is_installed_is_taken(installed):
    installed("9.6", "9.6.24")
    installed("15", "15.18 (Debian 15.18-0)")
    newest = installed("17", "17beta1")

    assert postgresql.find() == newest


def test_what_is_too_old_or_no_server_is_not_taken(installed, tmp_path):
    installed("14", "14.2")
    (tmp_path / "18" / "bin").mkdir(parents=True)

    assert postgresql.find() is None
