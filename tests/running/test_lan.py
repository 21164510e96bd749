"""Started as by `make run LAN=1`, the app demands sign-in and answers to this machine's names."""

import httpx
import pytest

from chatapp.server.lan import own_names
from tests.servers import running


@pytest.fixture(scope="module")
def network(migrated, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lan") / "data"
    with running(migrated, folder, DJANGO_ENV="lan") as server:
        yield server


@pytest.mark.parametrize(
    ("host", "status", "leads"),
    [
        pytest.param(f"{own_names()[1]}:8000", 302, "/login?next=/chat", id="its own name"),
        pytest.param("127.0.0.1", 302, "/login?next=/chat", id="this machine"),
        pytest.param("evil.example.org", 400, None, id="another site's name"),
    ],
)
def test_who_signs_in_first_and_who_is_refused(network, host, status, leads):
    answer = httpx.get(f"{network.url}/chat", headers={"Host": host})

    assert (answer.status_code, answer.headers.get("Location")) == (status, leads)


@pytest.mark.daily
def test_the_start_says_where_to_go_and_for_whom(network):
    said = network.log.read_text()

    assert "(for this network, unencrypted; everyone signs in)" in said
