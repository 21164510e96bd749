"""A session with a real server, over both transports; many failures do not end it."""

import asyncio
import json
import logging
import os
import signal
from dataclasses import replace

import pytest

from agents.mcp import session as session_module
from agents.mcp.models import SessionState
from agents.tools import Picture, ToolResult
from tests.agents.mcp.conftest import SECRET, child_config, holding
from tests.mcp_server import PIXEL

SUM = '{"a": 2, "b": 3}'
SLOW = "Error: the MCP server Odd took longer than 5 seconds."
AWAY = "Error: the MCP server Odd disconnected before it answered. It is being reconnected."


def is_ready(report):
    return report.state == SessionState.READY


def is_failed(report):
    return report.state == SessionState.FAILED


def names(report):
    return [tool["name"] for tool in report.listing.tools]


async def test_a_call_waits_for_the_connection_and_is_answered(config):
    async with holding(config) as held:
        assert await held.call("add", SUM) == ToolResult("5")


async def test_the_tools_are_listed_with_their_schemas(config):
    async with holding(config) as held:
        report = await held.told(is_ready)

    (add,) = [tool for tool in report.listing.tools if tool["remote"] == "add"]
    assert (add["name"], add["description"]) == ("odd__add", "Adds two numbers.")
    assert add["parameters"]["required"] == ["a", "b"]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        pytest.param("fail", "{}", "Error: Error executing tool fail", id="it raises"),
        pytest.param("nobody", "{}", "Error: Unknown tool: nobody", id="there is no such tool"),
        pytest.param(
            "add",
            '{"a":',
            "Error: the arguments are not valid JSON"
            " (EOF while parsing a value at line 1 column 5).",
            id="no JSON",
        ),
        pytest.param("add", "[1]", "Error: the arguments must be a JSON object.", id="no object"),
    ],
)
async def test_what_goes_wrong_is_a_result(config, tool, arguments, says):
    async with holding(config) as held:
        assert await held.call(tool, arguments) == ToolResult(says, failed=True)
        assert await held.call("add", SUM) == ToolResult("5")


@pytest.mark.whole
async def test_a_slow_call_is_given_up(config):
    async with holding(replace(config, timeout=5)) as held:
        assert await held.call("slow", '{"seconds": 60}') == ToolResult(SLOW, failed=True)
        assert await held.call("add", SUM) == ToolResult("5")


async def test_a_wrong_argument_is_the_servers_to_refuse(config):
    async with holding(config) as held:
        result = await held.call("add", '{"a": 2, "b": "many"}')

    assert result.failed
    assert "valid integer" in result.text


async def test_a_picture_comes_along(config):
    async with holding(config) as held:
        assert await held.call("picture") == ToolResult("a pixel", pictures=(Picture(PIXEL),))


async def test_a_long_result_is_shortened(config):
    async with holding(config) as held:
        result = await held.call("huge", '{"characters": 1000000}')

    assert result.text.endswith("x\n[Shortened: 20,000 of 1,000,000 characters]")


async def test_an_endless_result_costs_the_connection_and_no_more(config):
    async with holding(config) as held:
        result = await held.call("huge", '{"characters": 9000000}')
        report = await held.told(is_failed)

    assert result == ToolResult(AWAY, failed=True)
    assert "longer than 8,000,000 bytes" in report.said


@pytest.mark.whole
async def test_a_new_tool_is_heard_of(config):
    async with holding(config) as held:
        await held.call("grow")
        report = await held.told(lambda each: is_ready(each) and "odd__added" in names(each))

    assert "odd__add" in names(report)


@pytest.mark.whole
async def test_calls_run_side_by_side(config):
    async with holding(config) as held:
        late = asyncio.create_task(held.call("meet"))
        assert await held.call("meet") == ToolResult("met")
        assert await late == ToolResult("met")


async def test_a_cancelled_call_leaves_the_session_in_order(config):
    async with holding(config) as held:
        late = asyncio.create_task(held.call("slow", '{"seconds": 60}'))
        await held.call("add", SUM)
        late.cancel()
        with pytest.raises(asyncio.CancelledError):
            await late
        assert await held.call("add", SUM) == ToolResult("5")


async def test_a_crash_in_the_middle_of_a_call(config):
    async with holding(config) as held:
        assert await held.call("crash") == ToolResult(AWAY, failed=True)
        await held.told(is_failed)


@pytest.mark.whole
async def test_a_program_that_ended_is_started_again():
    async with holding(child_config()) as held:
        await held.call("crash")
        report = await held.told(is_failed)
        refused = await held.call("add", SUM)
        await held.told(lambda each: is_ready(each) and report in held.reports[:-1])
        again = await held.call("add", SUM)

    assert report.said == "its program ended"
    assert refused == ToolResult(
        "Error: the MCP server Odd is unavailable: its program ended.", failed=True
    )
    assert again == ToolResult("5")


async def test_a_program_that_dies_between_calls_is_missed_at_once():
    async with holding(child_config()) as held:
        pid = int((await held.call("process")).text)
        os.kill(pid, signal.SIGKILL)

        assert (await held.told(is_failed)).said == "its program ended"


@pytest.mark.whole
async def test_one_that_lets_nobody_answer_is_ended_and_started_again(monkeypatch):
    monkeypatch.setattr(session_module, "LIST_SECONDS", 1.0)
    async with holding(child_config(timeout=5)) as held:
        await held.told(is_ready)
        assert await held.call("stuck") == ToolResult(SLOW, failed=True)
        assert (await held.told(is_failed)).said == "it took too long to answer"
        await held.told(lambda each: is_ready(each) and is_failed(held.reports[1]))


async def test_what_it_writes_beside_the_protocol_is_logged_without_secrets(caplog):
    caplog.set_level(logging.INFO, logger="agents.mcp")
    config = child_config()
    greeting = ("/bin/sh", "-c", 'echo Hello there; exec "$@"', "sh")
    async with holding(replace(config, command=(*greeting, *config.command))) as held:
        assert await held.call("garbage") == ToolResult("done all the same")

    said = [record.message for record in caplog.records]
    assert "MCP server Odd: [not a message] Hello there" in said
    assert "MCP server Odd: a secret: (secret)" in said
    assert SECRET not in caplog.text


async def test_a_server_gets_only_the_variables_that_are_named():
    async with holding(child_config()) as held:
        names = (await held.call("surroundings")).text.split()

    assert set(names) - {"LC_CTYPE"} == {"PATH", "HOME", "ODD_TOKEN"}  # Python sets LC_CTYPE.


@pytest.mark.whole
async def test_a_crowd_of_tools_is_cut_and_said_so():
    async with holding(child_config("--crowd", "1000")) as held:
        report = await held.told(is_ready)

    assert len(report.listing.tools) == 120
    assert report.listing.notes[-1] == f"And {1000 + 14 - 120 - 20} more."


@pytest.mark.whole
async def test_one_that_is_named_is_found_in_a_crowd():
    async with holding(child_config("--crowd", "1000", only=("tool.999",))) as held:
        report = await held.told(is_ready)

    assert names(report) == ["odd__tool_999"]
    assert report.listing.notes == []


@pytest.mark.whole
@pytest.mark.parametrize(
    ("program", "says"),
    [
        pytest.param(["/nowhere/at-all"], "its program can't be started", id="is not there"),
        pytest.param(["/bin/sh", "-c", "exit 3"], "its program ended", id="ends at once"),
        pytest.param(["/bin/cat"], "Method not found", id="says back what it hears"),
    ],
)
async def test_a_program_that_is_no_server(program, says):
    async with holding(replace(child_config(), command=tuple(program))) as held:
        report = await held.told(is_failed)
        refused = await held.call("add", SUM)

    assert says in report.said
    assert refused.failed


@pytest.mark.whole
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(["/bin/sleep", "60"], id="says nothing"),
        pytest.param(["/usr/bin/yes"], id="floods us"),
    ],
)
async def test_a_program_that_never_answers(monkeypatch, program):
    monkeypatch.setattr(session_module, "CONNECT_SECONDS", 1.0)
    async with holding(replace(child_config(), command=tuple(program))) as held:
        report = await held.told(is_failed)
        refused = await held.call("add", SUM)

    assert "it took too long to answer" in report.said
    assert refused.failed


async def test_an_ended_session_leaves_no_process_behind():
    async with holding(child_config()) as held:
        pid = int((await held.call("process")).text)

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_arguments_reach_the_server_as_they_were_written():
    written = {"text": "a\u2028b\n\N{GRINNING FACE}"}
    async with holding(child_config()) as held:
        assert await held.call("echo", json.dumps(written)) == ToolResult(written["text"])
