"""The turn goes on, whatever a real MCP server does."""

import subprocess
import sys
from html import unescape

import pytest

from tests import data
from tests.pairing import faults
from tests.people import Person
from tests.ports import free_port
from tests.provider import Call, Reply
from tests.running.malformed_streams import calling
from tests.running.mcp_servers import (
    PROGRAM,
    call,
    configure,
    give,
    lives,
    notes,
    offered,
    results,
    wait_for_state,
    wait_until,
)
from tests.servers import running

GREETED = '-c\necho Hello there; exec "$@"\nsh'
ROOMY = {"HISTORY_CONTEXT_WINDOW": "100000"}  # Enough for a crowd of tools.
SUM = '{"a": 2, "b": 3}'
BOTH = pytest.mark.parametrize("slug", ["odd", "web"])  # Child process and address.
EACH = pytest.mark.parametrize(
    "slug", [pytest.param("hasty", id="program"), pytest.param("distant", id="address")]
)


@pytest.fixture(scope="module")
def web():
    """Run the odd server at an address, and yield the address."""
    port = free_port()
    with subprocess.Popen(
        [sys.executable, PROGRAM, "--port", str(port)], stderr=subprocess.DEVNULL
    ) as process:
        yield f"http://127.0.0.1:{port}/mcp"
        process.kill()


@pytest.fixture(scope="module")
def configured(migrated, web, tmp_path_factory):
    """Make a data folder that configures MCP servers of every kind."""
    folder = data.copy(migrated, tmp_path_factory.mktemp("mcp") / "data")
    address = {"transport": "http", "command": "", "arguments": "", "url": web}
    configure(folder, "odd")
    configure(folder, "web", **address)
    configure(folder, "hasty", timeout=3)
    configure(folder, "distant", timeout=3, **address)
    configure(folder, "crowd", arguments=f"{PROGRAM}\n--crowd\n1000")
    configure(
        folder, "noisy", command="/bin/sh", arguments=f"{GREETED}\n{sys.executable}\n{PROGRAM}"
    )
    configure(folder, "gone", command="/nowhere/at-all", arguments="")
    configure(folder, "mute", command="/bin/sleep", arguments="600")
    configure(folder, "off", enabled=False)
    configure(folder, "theirs", audience=2)
    return folder


@pytest.fixture(scope="module")
def served(configured, module_provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp("served") / "data"
    with running(configured, folder, **module_provider.environment, **ROOMY) as server:
        yield server


@pytest.fixture
def ask(ada, provider, served):
    """Return a function that gives Goldfish these servers, and sends a message; the model makes the
    calls."""

    def ask(*slugs, calls=(), text="Go"):
        give(served, *slugs)
        if calls:
            provider.script(calling(*calls))
        with ada.tab() as tab:
            ack, end = tab.ask(text, agent="goldfish")
        assert end["status"] == "done"
        assert [fault for request in provider.requests for fault in faults(request)] == []
        return ack

    return ask


@pytest.mark.daily("odd")
@BOTH
def test_a_servers_tools_are_offered_and_called(ask, provider, served, slug):
    wait_for_state(served, slug, "ready")

    ack = ask(
        slug, calls=[call(slug, "add", SUM), call(slug, "echo", '{"text": "é\\u0000"}', "c2")]
    )

    assert results(served, ack) == ["5", "é\N{REPLACEMENT CHARACTER}"]
    assert f"{slug}__add" in offered(provider)
    assert notes(served, ack) == []


@EACH
@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        pytest.param("slow", '{"seconds": 60}', "took longer than 3 seconds.", id="it is slow"),
        pytest.param("fail", "{}", "Error: Error executing tool fail", id="it raises"),
        pytest.param(
            "add", '{"a": 1e999}', "Error: the arguments are not valid JSON", id="no JSON"
        ),
        pytest.param("add", '{"a": 1}', "Field required", id="an argument is missing"),
        pytest.param("garbage", "{}", "done all the same", id="it writes beside the protocol"),
        pytest.param(
            "huge",
            '{"characters": 1000000}',
            "[Shortened: 20,000 of 1,000,000 characters]",
            id="it says a lot",
        ),
    ],
)
def test_whatever_a_call_does_the_turn_goes_on(ask, served, slug, tool, arguments, says):
    wait_for_state(served, slug, "ready")

    ack = ask(slug, calls=[call(slug, tool, arguments)])

    (result,) = results(served, ack)
    assert says in result
    assert len(result) < 20_100


@pytest.mark.parametrize(
    ("tool", "says"),
    [
        pytest.param(
            "crash", "disconnected before it answered. It is being reconnected.", id="it crashes"
        ),
        pytest.param("stuck", "took longer than 3 seconds.", id="it hangs"),
    ],
)
def test_a_server_that_breaks_in_a_call_is_back_soon(ask, served, tool, says):
    wait_for_state(served, "hasty", "ready")
    first = results(served, ask("hasty", calls=[call("hasty", "process")]))

    ack = ask("hasty", calls=[call("hasty", tool)])
    assert says in results(served, ack)[0]
    wait_for_state(served, "hasty", "failed")
    wait_for_state(served, "hasty", "ready")

    ack = ask("hasty", calls=[call("hasty", "process"), call("hasty", "add", SUM, "c2")])
    (second, total) = results(served, ack)
    assert (second == first[0], total) == (False, "5")
    assert not lives(int(first[0]))


def test_garbage_where_the_protocol_belongs_is_passed_over(ask, served):
    wait_for_state(served, "noisy", "ready")

    assert results(served, ask("noisy", calls=[call("noisy", "add", SUM)])) == ["5"]
    assert "MCP server Noisy: [not a message] Hello there" in served.log.read_text()


def test_only_as_many_of_a_thousand_tools_are_offered_as_providers_accept(ask, provider, served):
    wait_for_state(served, "crowd", "ready")

    ack = ask("crowd", calls=[call("crowd", "tool_0", SUM), call("crowd", "tool_999", SUM, "c2")])

    assert len(offered(provider)) == 120
    inside, outside = results(served, ack)
    assert (inside, outside.partition(";")[0]) == (
        "5",
        "Error: there is no tool named crowd__tool_999 here",
    )


@BOTH
def test_a_new_tool_is_there_in_the_next_turn(ask, provider, served, slug):
    wait_for_state(served, slug, "ready")
    ask(slug, calls=[call(slug, "grow")])
    assert f"{slug}__added" not in offered(provider)  # A turn keeps its tools.
    known = "SELECT CAST(listing AS text) FROM agents_mcpserver WHERE slug = ?"
    wait_until(lambda: f"{slug}__added" in served.rows(known, slug)[0][0], "the list has grown")

    ack = ask(slug, calls=[call(slug, "added", SUM)])

    assert results(served, ack) == ["5"]


@BOTH
def test_stop_ends_a_call_and_the_server_hears_of_it(ada, ask, provider, served, slug):
    wait_for_state(served, slug, "ready")
    give(served, slug)
    slow = call(slug, "slow", '{"seconds": 600}', "c2")
    provider.script(calling(call(slug, "add", SUM), slow))

    with ada.tab() as tab:
        ack = tab.send("Go", agent="goldfish")
        tab.until("result")
        tab.say(type="stop", conversation=ack["conversation"], generation=ack["generation"])
        assert tab.until("end")["data"]["status"] == "stopped"

    assert results(served, ack) == [
        "5",
        "Error: no result: the answer was stopped before the tool was done.",
    ]
    assert results(served, ask(slug, calls=[call(slug, "busy")])) == ["busy with []"]


@pytest.mark.parametrize(
    ("slug", "state", "why"),
    [
        pytest.param(
            "gone",
            "failed",
            "it isn't responding: its program can't be started (No such file or directory)",
            id="is not there",
        ),
        pytest.param(
            "mute", "failed", "it isn't responding: it took too long to answer", id="says nothing"
        ),
        pytest.param("off", "waiting", "it is disabled", id="is switched off"),
        pytest.param("theirs", "ready", "it is for staff only", id="is for others"),
    ],
)
def test_the_plan_tells_of_a_server_whose_tools_are_left_out(
    ada, ask, provider, served, slug, state, why
):
    wait_for_state(served, slug, state)

    ack = ask(slug, text=f"Is {slug} there?")

    note = f"The tools of MCP server {slug.title()} were left out because {why}."
    assert notes(served, ack) == [note]
    assert offered(provider) == []
    assert note in unescape(ada.open(f"/chat/{ack['conversation']}/panel").text)


def test_what_an_administrator_changes_is_obeyed_without_a_restart(ask, provider, served):
    configure(served.folder, "fresh", only="add")
    wait_for_state(served, "fresh", "ready")
    (pid,) = results(served, ask("odd", calls=[call("odd", "process")]))

    ask("fresh")
    assert offered(provider) == ["fresh__add"]
    served.write("UPDATE agents_mcpserver SET enabled = (1 = 0) WHERE slug = 'fresh'")
    ask("fresh", "odd")

    assert "fresh__add" not in offered(provider)
    assert results(served, ask("odd", calls=[call("odd", "process")])) == [pid]


@pytest.mark.parametrize(
    ("approved", "says"),
    [
        pytest.param(True, "5", id="approved"),
        pytest.param(False, "The user refused this call. It was not run.", id="refused"),
    ],
)
def test_a_call_that_may_change_something_asks_first(ada, provider, served, approved, says):
    slug = f"careful-{approved}".lower()
    configure(served.folder, slug, asks="unless_reading")
    wait_for_state(served, slug, "ready")
    give(served, slug)
    provider.script(calling(call(slug, "process"), call(slug, "add", SUM, "c2")))

    with ada.tab() as tab:
        ack = tab.send("Go", agent="goldfish")
        tab.until("waiting")
        assert len(results(served, ack)) == 1  # The read-only call ran at once.
        ada.api("POST", decisions(ack), json={"call": "c2", "approved": approved, "words": ""})
        assert tab.until("end")["data"]["status"] == "done"

    assert results(served, ack)[1] == says
    assert [fault for request in provider.requests for fault in faults(request)] == []


def decisions(ack):
    return f"/conversations/{ack['conversation']}/generations/{ack['generation']}/decisions"


def test_where_another_agent_asks_it_is_refused(ada, provider, served):
    """A delegated task has no person who could approve the call."""
    configure(served.folder, "careful", asks="always")
    give(served, "careful")
    served.write("UPDATE agents_agenttemplate SET asks = ? WHERE slug = 'demo'", '["goldfish"]')
    wait_for_state(served, "careful", "ready")
    asking = calling(Call("ask_goldfish", '{"task": "Add them up"}', id="a1"))
    provider.script(asking, calling(call("careful", "add", SUM)), Reply(text=["I cannot"]))

    with ada.tab() as tab:
        _, end = tab.ask("What is the sum?", agent="demo")

    refusal = "Error: careful__add needs approval, and nobody was asked. It was not run."
    assert provider.requests[2]["messages"][-1]["content"] == refusal
    assert end["status"] == "done"


def test_a_call_in_the_first_seconds_waits_for_its_server(configured, provider, tmp_path):
    with running(configured, tmp_path / "data", **provider.environment) as server:
        wait_for_state(server, "odd", "ready")
        give(server, "odd")
        server.terminate()
        server.start()
        provider.script(calling(call("odd", "add", SUM)))

        with Person(server).tab() as tab:
            ack, _ = tab.ask("Go", agent="goldfish")

    assert results(server, ack) == ["5"]


@pytest.mark.parametrize("way", ["terminate", "kill"])
def test_no_program_outlives_the_app(configured, provider, tmp_path, way):
    with running(configured, tmp_path / "data", **provider.environment) as server:
        wait_for_state(server, "odd", "ready")
        give(server, "odd")
        provider.script(calling(call("odd", "process")))
        with Person(server).tab() as tab:
            ack, _ = tab.ask("Go", agent="goldfish")
        (pid,) = map(int, results(server, ack))
        assert lives(pid)

        getattr(server, way)()

        wait_until(lambda: not lives(pid), "the program has ended")
