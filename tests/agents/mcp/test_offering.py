"""The tools that an agent's MCP servers offer now, and a plan's notes on the missing ones."""

import pytest

from agents.mcp.models import ApprovalNeed, McpServer, SessionState
from agents.mcp.offer import NO_OFFER, Offer, OfferedTool, offer_from
from agents.mcp.offering import offer_for
from agents.models import AgentTemplate
from agents.snapshot import snapshot
from agents.tools import Audience
from history.core.words.facts import Rule, note, warning

READ = {
    "name": "files__read",
    "remote": "read",
    "description": "Reads a file.",
    "parameters": {"type": "object"},
}
OFFERED = OfferedTool("files__read", "files", "read", "Reads a file.", {"type": "object"})


@pytest.fixture
def server(db):
    return McpServer.objects.create(
        slug="files",
        name="Files",
        command="npx",
        enabled=True,
        state=SessionState.READY,
        listing={"tools": [READ], "notes": []},
    )


def offered(*names, audience=Audience.STAFF):
    return offer_for(names or ["mcp:files"], audience)


def test_the_tools_of_a_server_that_is_ready(server):
    assert offered("clock", "mcp:files") == Offer((OFFERED,))


@pytest.mark.parametrize(
    ("asks", "hint", "expected"),
    [
        pytest.param(
            ApprovalNeed.UNLESS_READING, {"reads_only": True}, False, id="it says it reads"
        ),
        pytest.param(
            ApprovalNeed.UNLESS_READING, {"reads_only": False}, True, id="it says nothing"
        ),
        pytest.param(
            ApprovalNeed.UNLESS_READING, {}, True, id="it was listed before hints were kept"
        ),
        pytest.param(
            ApprovalNeed.ALWAYS, {"reads_only": True}, True, id="its hint is not believed"
        ),
        pytest.param(ApprovalNeed.NEVER, {"reads_only": False}, False, id="nobody is ever asked"),
    ],
)
def test_a_call_asks_first_as_the_administrator_wants(server, asks, hint, expected):
    server.asks = asks
    server.listing = {"tools": [READ | hint], "notes": []}
    server.save()

    (tool,) = offered().tools

    assert tool.needs_approval is expected


def test_without_a_server_the_database_is_not_asked(db, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert offered("clock") == NO_OFFER


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({"enabled": False}, {"why": "disabled"}, id="switched off"),
        pytest.param(
            {"state": SessionState.FAILED, "said": "its program ended"},
            {"why": "silent", "said": "its program ended"},
            id="dead",
        ),
        pytest.param(
            {"state": SessionState.WAITING, "listing": {"tools": [], "notes": []}},
            {"why": "waiting"},
            id="never heard of",
        ),
        pytest.param({"audience": Audience.STAFF}, {"why": "staff"}, id="for others"),
    ],
)
def test_a_server_whose_tools_are_left_out_is_said_so(server, changes, reason):
    McpServer.objects.update(**changes)

    found = offered(audience=Audience.SIGNED_IN)

    assert found == Offer((), (warning(Rule.SERVER_LEFT_OUT, name="Files", **reason),))


def test_one_that_is_being_connected_to_has_its_last_known_tools(server):
    McpServer.objects.update(state=SessionState.WAITING)

    assert offered() == Offer((OFFERED,))


def test_one_that_is_gone_is_said_so(db):
    assert offered("mcp:files").notes == (warning(Rule.SERVER_UNKNOWN, slug="files"),)


def test_all_servers_together_offer_no_more_than_a_provider_takes(server):
    crowd = [{**READ, "name": f"wiki__{n}"} for n in range(120)]
    McpServer.objects.create(
        slug="wiki", name="Wiki", enabled=True, state="ready", listing={"tools": crowd, "notes": []}
    )
    found = offered("mcp:files", "mcp:wiki")

    assert len(found.tools) == 120
    assert found.notes == (note(Rule.TOO_MANY_TOOLS, count=121, most=120),)


def test_an_offer_is_the_same_after_it_was_kept(server):
    offer = Offer((OFFERED,), (note(Rule.TOO_MANY_TOOLS, count=121, most=120),))

    assert offer_from(offer.as_text()) == offer
    assert offer_from(NO_OFFER.as_text()) == NO_OFFER


def test_a_snapshot_holds_the_offer_and_not_the_servers_name(server):
    agent = snapshot(AgentTemplate(slug="a", name="A", tools=["calculator", "mcp:files"]))

    assert agent.tools == ["calculator"]
    assert offer_from(agent.mcp).names == ["files__read"]
