"""A server that nobody uses has not loaded the libraries for calling models."""

from pathlib import Path

import pytest

from tests import data
from tests.patience import eventually
from tests.people import Person
from tests.servers import FreshServer

OF_LITELLM = "jiter"  # A library of litellm's that shows in the memory map.


@pytest.fixture
def fresh(migrated, tmp_path):
    data.copy(migrated, tmp_path / "data")
    server = FreshServer(
        tmp_path / "data", {"DEFAULT_MODEL": "openai/fake", "OPENAI_API_KEY": "none"}
    )
    server.start()
    yield server
    server.close()


def told(server: FreshServer, file: str) -> str:
    assert server.process is not None
    return Path(f"/proc/{server.process.pid}/{file}").read_text()


def has_litellm(server: FreshServer) -> bool:
    return OF_LITELLM in told(server, "maps")


def megabytes(server: FreshServer) -> int:
    return int(told(server, "status").partition("VmRSS:")[2].split()[0]) // 1024


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux tells what is loaded")
def test_litellm_is_loaded_when_the_first_tab_opens(fresh):
    person = Person(fresh)
    person.open("/chat")
    person.open("/about")
    before = has_litellm(fresh), megabytes(fresh) < 160

    with person.tab():
        assert eventually(lambda: has_litellm(fresh))

    assert before == (False, True)
