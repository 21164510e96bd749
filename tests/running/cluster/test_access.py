"""The matrices of access hold in a cluster, whichever server a request or a command comes to."""

import json
from itertools import cycle

import httpx
import pytest

from tests import data
from tests.chatapp.scenes import SECRET, Scene
from tests.chatapp.test_foreign_ids_of_sockets import cases, frame
from tests.chatapp.test_permissions import ARGUMENT, OTHERS, ROWS, addresses, filled
from tests.clusters import clustered
from tests.faults.rig import UNLIMITED
from tests.patience import PATIENCE, eventually
from tests.people import Person
from tests.provider import Reply
from tests.servers import AppServer, manage

pytestmark = pytest.mark.skipif(not data.server(), reason="several processes need PostgreSQL")
REFUSALS = (["not_found"], ["reload"], ["notice"])
TOKEN = "0123456789abcdef" * 2
ENDLESS = {
    **UNLIMITED,
    **dict.fromkeys(
        ("BYTES_PER_DAY", "FRAMES_PER_SECOND", "SOCKETS_PER_MINUTE", "VISITORS_PER_HOUR"), "0"
    ),
}


@pytest.fixture(scope="module")
def cluster(migrated, module_provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster") / "data"
    with clustered(migrated, folder, **module_provider.environment, **ENDLESS) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def strict(cluster):
    """Return a server of the cluster at which nobody may chat without an account."""
    environment = {**cluster.door.environment, "ANONYMOUS_CHAT": "false"}
    server = AppServer(cluster.door.folder, environment)
    server.log = cluster.redis.folder / "strict.log"
    server.start()
    yield server
    server.close()


def made(cluster, call):
    code = f"from tests.running.cluster import worlds; worlds.{call}"
    output = manage(cluster.door.folder, "shell", "-v", "0", "-c", code, **cluster.door.environment)
    return json.loads(output.splitlines()[-1])


def client(server, session):
    cookies = {"csrftoken": TOKEN, **({"sessionid": session} if session else {})}
    headers = {"X-CSRFToken": TOKEN, "Referer": server.url}
    return httpx.Client(base_url=server.url, cookies=cookies, headers=headers, timeout=PATIENCE)


def status(server, name, world, who):
    row = ROWS[name]
    address = ARGUMENT.sub(lambda match: str(world["names"][match[1]]), addresses()[name])
    sent = filled(row.data, world["names"])
    is_json = row.is_json or (name.startswith("api:") and row.method != "get")
    form = "params" if row.method == "get" else "data"
    with client(server, world["sessions"].get(who)) as http:
        response = http.request(row.method, address, **{"json" if is_json else form: sent})
    return response.status_code


def test_everybody_is_answered_as_the_table_says(cluster, strict):
    changing = [name for name, row in ROWS.items() if row.method != "get"]
    reading = [name for name in ROWS if name not in changing]
    first, *others = made(cluster, f"access({1 + len(changing)})")
    worlds = {**dict.fromkeys(reading, first), **dict(zip(changing, others, strict=True))}
    servers = cycle(cluster.servers)

    wrong = {}
    for name, world in worlds.items():
        found = {
            who: status(strict if who == "nobody" else next(servers), name, world, who)
            for who in OTHERS
        }
        if found != ROWS[name].expected:
            wrong[name] = (found, ROWS[name].expected)

    assert wrong == {}


@pytest.mark.parametrize("who", ["user", "staff"])
def test_ids_of_another_conversation_open_nothing_at_any_server(cluster, provider, who):
    provider.script(*[Reply(text=[SECRET], hang_after=1)] * 50)
    world = made(cluster, f"scenes({{{who!r}: {who == 'staff'}}})")[who]
    named = {"own": world["own"], **world["foreign"]}
    scenes = {kind: Scene(None, None, names) for kind, names in named.items()}
    people = [cluster_person(server, world["session"]) for server in cluster.servers]

    with people[0].tab(world["own"]["CONVERSATION"]) as here, people[1].tab() as there:
        tabs = cycle([here, there])
        wrong = [
            (verb, *ids.values(), kinds)
            for verb, ids in cases()
            if (kinds := replies(next(tabs), frame(verb, ids, scenes))) not in REFUSALS
        ]
        provider.release()
        assert eventually(lambda: not cluster.door.is_answering())
        for tab in (here, there):
            replies(tab, {"type": "ping"})
        seen = json.dumps([*here.seen, *there.seen])

    assert wrong == []
    assert SECRET not in seen
    assert provider.requests  # Workers wrote foreign answers meanwhile, and nothing showed them.


def cluster_person(server, session):
    person = Person(server)
    person.http.cookies.set("sessionid", session, domain="127.0.0.1", path="/")
    return person


def replies(tab, sent):
    """Send a frame and a ping; return what came before the pong, without lists of chats."""
    before = len(tab.seen)
    tab.say(**sent)
    tab.say(type="ping")
    tab.until("pong")
    kinds = [each.get("code") or each["type"] for each in tab.seen[before:-1]]
    return [kind for kind in kinds if kind != "list"]
