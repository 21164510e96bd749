"""In the running server, no lower layer changes a setting that the environment locks.

Each case sends a message in a conversation of eight turns, and counts the user messages that the
provider received.
"""

import itertools
import json
from contextlib import ExitStack
from functools import cache

import pytest

from tests import data
from tests.people import Person
from tests.provider import Reply
from tests.servers import manage, running

TURNS = 8
ENVIRONMENT = {
    "environment unset": {},
    "environment policy": {"DEFAULT_HISTORY_POLICY": "lastN"},
    "environment length": {"DEFAULT_HISTORY_LENGTH": "3"},
    "environment both": {"DEFAULT_HISTORY_POLICY": "lastN", "DEFAULT_HISTORY_LENGTH": "3"},
}
URL = {
    "no URL": "",
    "URL policy": "historyPolicy=all",
    "URL length": "historyLength=5",
    "URL both": "historyPolicy=lastN&historyLength=6",
    "URL invalid": "historyPolicy=ALL&historyLength=-1",
}
TEMPLATE = {"template set": {"policy": "lastN", "length": 2}, "template unset": {}}
ALL = 10**6

# By environment and URL: the user messages sent, with the template's settings set or unset.
UNSET, POLICY, LENGTH, BOTH = ENVIRONMENT
EXPECTED = {
    (UNSET, "no URL"): (2, 20),
    (UNSET, "URL policy"): (ALL, ALL),
    (UNSET, "URL length"): (5, 5),
    (UNSET, "URL both"): (6, 6),
    (UNSET, "URL invalid"): (2, 20),
    (POLICY, "no URL"): (2, 20),
    (POLICY, "URL policy"): (2, 20),
    (POLICY, "URL length"): (2, 20),
    (POLICY, "URL both"): (2, 20),
    (POLICY, "URL invalid"): (2, 20),
    (LENGTH, "no URL"): (3, 3),
    (LENGTH, "URL policy"): (3, 3),
    (LENGTH, "URL length"): (3, 3),
    (LENGTH, "URL both"): (3, 3),
    (LENGTH, "URL invalid"): (3, 3),
    (BOTH, "no URL"): (3, 3),
    (BOTH, "URL policy"): (3, 3),
    (BOTH, "URL length"): (3, 3),
    (BOTH, "URL both"): (3, 3),
    (BOTH, "URL invalid"): (3, 3),
}
AGENTS = """
from agents.models import AgentTemplate
import json, sys
for slug, values in json.loads({values!r}).items():
    AgentTemplate.objects.create(slug=slug, name=slug, history_settings=values)
"""


def slug(template):
    return template.replace(" ", "-")


@pytest.fixture(scope="module")
def locked_servers(migrated, tmp_path_factory, module_provider):
    """Return a function that starts a server for an environment when first asked, with a
    conversation for each template.
    """
    with_agents = tmp_path_factory.mktemp("lock") / "agents"
    data.copy(migrated, with_agents)
    values = json.dumps({slug(key): value for key, value in TEMPLATE.items()})
    manage(with_agents, "shell", "--no-imports", "-c", AGENTS.format(values=values))
    with ExitStack() as servers:

        @cache
        def locked(environment):
            folder = tmp_path_factory.mktemp("lock") / "data"
            variables = {**module_provider.environment, **ENVIRONMENT[environment]}
            server = servers.enter_context(running(with_agents, folder, **variables))
            person = Person(server)
            return server, person, {key: begin(person, key) for key in TEMPLATE}

        yield locked


def begin(person, template):
    with person.tab() as tab:
        ack, _ = tab.ask("message 1", agent=slug(template))
        for number in range(2, TURNS + 1):
            tab.ask(f"message {number}", conversation=ack["conversation"])
    return ack["conversation"]


CELLS = list(itertools.product(ENVIRONMENT, URL, TEMPLATE))


@pytest.mark.daily(
    "environment both, URL both, template set", "environment both, no URL, template unset"
)
@pytest.mark.parametrize(
    ("environment", "url", "template"), CELLS, ids=[", ".join(cell) for cell in CELLS]
)
def test_the_lock_decides_what_is_sent(locked_servers, module_provider, environment, url, template):
    server, person, conversations = locked_servers(environment)
    kept = EXPECTED[environment, url][list(TEMPLATE).index(template)]
    said = server.rows(
        "SELECT text FROM history_message WHERE role = 'user' AND conversation_id = ? "
        "ORDER BY position",
        conversations[template].replace("-", ""),
    )
    module_provider.script(Reply(text=["fine"]))

    with person.tab() as tab:
        ack, _ = tab.ask("now", conversation=conversations[template], query=f"?{URL[url]}")

    request = module_provider.requests[-1]
    asked = [m["content"] for m in request["messages"] if m["role"] == "user"]
    assert asked == [*[text for (text,) in said], "now"][-kept:]
    plan = person.api("GET", f"/conversations/{ack['conversation']}/plans?limit=1").json()[0]
    sources = source_of(plan, "policy"), source_of(plan, "length")
    assert ("env" in "".join(sources)) == (environment != UNSET)
    if environment != UNSET:
        assert not any(source.startswith("URL") for source in sources)
    if url == "URL invalid":
        assert outcome_of(plan, "length", "URL historyLength") == "invalid"


def test_a_url_that_agrees_with_the_environment_is_still_the_environments(
    locked_servers, module_provider
):
    _, person, conversations = locked_servers(BOTH)

    with person.tab() as tab:
        ack, _ = tab.ask(
            "now",
            conversation=conversations["template set"],
            query="?historyPolicy=lastN&historyLength=3",
        )

    plan = person.api("GET", f"/conversations/{ack['conversation']}/plans?limit=1").json()[0]
    assert source_of(plan, "length") == "env DEFAULT_HISTORY_LENGTH"
    assert outcome_of(plan, "length", "URL historyLength") == "locked"


def source_of(plan, name):
    candidates = plan["plan"]["settings"][name]["candidates"]
    return next(c["source"] for c in candidates if c["outcome"] == "winner")


def outcome_of(plan, name, source):
    candidates = plan["plan"]["settings"][name]["candidates"]
    return next(c["outcome"] for c in candidates if c["source"] == source)
