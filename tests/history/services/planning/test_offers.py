"""The tools of MCP servers in a generation: in its requests and plans, frozen as it began."""

import pytest

from agents.mcp.models import McpServer
from agents.snapshot import AgentSnapshot
from history.core.words.facts import Rule
from history.models import Generation, StoredText
from history.services.planning.context_texts import offer_of
from history.services.whatif.trying import Variant, present, recorded, try_variants
from tests.factories import add_turn, begin_turn, store_step

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.agent(tools=["mcp:files"]),
    pytest.mark.usefixtures("server"),
]
READ = {
    "name": "files__read",
    "remote": "read",
    "description": "Reads a file.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
}


@pytest.fixture
def server():
    listing = {"tools": [READ], "notes": []}
    return McpServer.objects.create(
        slug="files", name="Files", enabled=True, audience=0, state="ready", listing=listing
    )


def planned(generation):
    return store_step(Generation.objects.get(pk=generation.pk))


def names(step):
    return [tool["function"]["name"] for tool in step.parts.tools]


def test_a_request_offers_the_servers_tools_and_pays_for_them(conversation):
    step = planned(begin_turn(conversation))

    (tool,) = step.parts.tools
    assert tool["function"] == {
        "name": "files__read",
        "description": "Reads a file.",
        "parameters": READ["parameters"],
    }
    assert step.projection.plan.window.tool_schemas > 0


def test_a_generation_keeps_the_tools_it_began_with(conversation, server):
    generation = begin_turn(conversation)
    server.listing = {"tools": [], "notes": []}
    server.save()

    assert names(planned(generation)) == ["files__read"]


def test_the_plan_says_which_server_is_left_out(conversation, server):
    server.enabled = False
    server.save()
    step = planned(begin_turn(conversation))

    (left_out,) = (
        note.fact for note in step.projection.plan.notes if note.fact.rule is Rule.SERVER_LEFT_OUT
    )
    assert (names(step), left_out.figures["name"]) == ([], "Files")


def test_two_generations_share_one_stored_offer(conversation):
    first, second = (add_turn(conversation).generation.snapshot_at().agent for _ in range(2))

    assert first.mcp == second.mcp
    assert StoredText.objects.filter(hash=first.mcp).count() == 1
    assert offer_of(first).names == ["files__read"]


def test_a_past_request_is_planned_again_with_the_tools_it_had(conversation, server):
    record = add_turn(conversation)
    server.delete()

    as_it_is, _ = try_variants(recorded(record), [Variant("same")])

    assert as_it_is.plan.as_dict() == record.plan


def test_a_request_still_to_be_made_has_the_tools_of_now(conversation):
    assert present(conversation).turn.offer.names == ["files__read"]


def test_an_agent_that_names_no_server_has_no_offer():
    assert offer_of(AgentSnapshot(slug="demo")).names == []
