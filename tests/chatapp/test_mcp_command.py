"""In a terminal, `manage.py mcp` lists the servers, and tries whether one answers."""

import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from agents.mcp.models import McpServer
from tests.servers import ROOT

pytestmark = pytest.mark.django_db
PROGRAM = str(ROOT / "tests" / "mcp_server.py")
READ = {"name": "files__read", "remote": "read", "description": "Reads.\nA file.", "parameters": {}}


def say(*arguments):
    written = StringIO()
    call_command("mcp", *arguments, stdout=written)
    return written.getvalue().splitlines()


def add(slug="odd", **fields):
    values = {"command": sys.executable, "arguments": PROGRAM, "only": "add\nnobody", **fields}
    return McpServer.objects.create(slug=slug, name=slug.title(), **values)


def test_without_servers_it_says_where_to_add_one():
    assert say("list") == ["No MCP servers yet. Add one in the admin under Agents, MCP servers."]


def test_the_list_shows_states_tools_and_what_was_left_out():
    reads = {**READ, "name": "files__look", "reads_only": True}
    known = {"tools": [READ, reads], "notes": ["'odd' is left out."]}
    add("files", enabled=True, state="ready", listing=known)
    add("wiki", enabled=True, state="failed", said="its program ended")
    add("off", state="ready")

    assert say("list") == [
        "files  Files  ready",
        "  files__read  Reads. A file.  [needs approval]",
        "  files__look  Reads. A file.",
        "  ! 'odd' is left out.",
        "off  Off  disabled",
        "wiki  Wiki  not responding  its program ended",
    ]


def test_a_check_connects_to_a_server_that_is_switched_off_and_stores_nothing():
    server = add()

    assert say("check", "odd") == [
        "odd responds. Tools: 1.",
        "  odd__add  Adds two numbers.  [needs approval]",
        "  ! 'nobody' is listed, but the server has no such tool.",
    ]
    server.refresh_from_db()
    assert (server.state, server.listing["tools"]) == ("waiting", [])


@pytest.mark.parametrize(
    ("fields", "slug", "says"),
    [
        pytest.param(
            {}, "odt", "No MCP server is called odt. Available: odd.", id="a slip of the pen"
        ),
        pytest.param(
            {"variables": "NO_SUCH_VARIABLE_HERE"},
            "odd",
            "odd: the environment variable NO_SUCH_VARIABLE_HERE is not set.",
            id="a variable that is missing",
        ),
        pytest.param(
            {"command": "/nowhere/at-all"},
            "odd",
            "odd isn't responding: its program can't be started (No such file or directory).",
            id="a program that is missing",
        ),
    ],
)
def test_a_check_that_fails_says_why(fields, slug, says):
    add(**fields)

    with pytest.raises(CommandError) as refusal:
        say("check", slug)

    assert str(refusal.value) == says
