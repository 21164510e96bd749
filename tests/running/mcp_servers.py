"""Helpers that configure MCP servers for the app, and read what the app made of them."""

import json
import os
import sys
from pathlib import Path

from history.core.words.facts import Note, Rule
from history.wording.notes import sentence_of
from tests import data
from tests.patience import eventually
from tests.provider import Call
from tests.servers import ROOT

OF_SERVERS = {Rule.SERVER_UNKNOWN, Rule.SERVER_LEFT_OUT}
PROGRAM = str(ROOT / "tests" / "mcp_server.py")
FIELDS = {
    "enabled": True,
    "audience": 0,
    "transport": "stdio",
    "command": sys.executable,
    "arguments": PROGRAM,
    "variables": "",
    "url": "",
    "headers": "",
    "only": "",
    "asks": "never",
    "timeout": 60,
    "result_limit": 20_000,
    "state": "waiting",
    "said": "",
    "listing": json.dumps({"tools": [], "notes": []}),
}


def configure(folder: Path, slug: str, **fields: object) -> None:
    """Store an MCP server; fields not given are those of the server `odd`, a child process."""
    values = {"slug": slug, "name": slug.title(), **FIELDS, **fields}
    places = ", ".join("?" * len(values))
    columns = ", ".join(f'"{name}"' for name in values)
    statement = f"INSERT INTO agents_mcpserver ({columns}) VALUES ({places})"
    data.execute(folder, statement, *values.values())


def wait_until(holds, what):
    assert eventually(holds), f"it never came to this: {what}"


def wait_for_state(server, slug, state):
    query = "SELECT state FROM agents_mcpserver WHERE slug = ?"
    wait_until(lambda: server.rows(query, slug) == [(state,)], f"{slug} is {state}")


def lives(pid: int) -> bool:
    """Whether the process runs; a zombie, which has ended but was not waited for, does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def give(server, *slugs):
    names = json.dumps([f"mcp:{slug}" for slug in slugs])
    server.write("UPDATE agents_agenttemplate SET tools = ? WHERE slug = 'goldfish'", names)


def results(server, ack):
    rows = server.rows(
        "SELECT m.text FROM history_message m JOIN history_generation g"
        " ON g.conversation_id = m.conversation_id"
        " WHERE m.role = 'tool' AND CAST(g.id AS text) = ? ORDER BY m.position",
        generation_of(server, ack),
    )
    return [text for (text,) in rows]


def generation_of(server, ack):
    """Return the generation's id as the database writes it: SQLite leaves out the hyphens."""
    (kept,) = server.rows("SELECT CAST(id AS text) FROM history_generation LIMIT 1")
    return ack["generation"] if "-" in kept[0] else ack["generation"].replace("-", "")


def notes(server, ack):
    """Return the sentences on MCP servers in the plan of the answer's first request."""
    query = (
        "SELECT CAST(plan AS text) FROM history_contextplan"
        " WHERE CAST(generation_id AS text) = ? AND step = 1"
    )
    ((plan,),) = server.rows(query, generation_of(server, ack))
    found = map(Note.from_dict, json.loads(plan)["notes"])
    return [sentence_of(note) for note in found if note.fact.rule in OF_SERVERS]


def offered(provider):
    """Return the names of the tools in the newest request."""
    return [tool["function"]["name"] for tool in provider.requests[-1].get("tools", ())]


def call(slug, tool, arguments="{}", call_id="c1"):
    return Call(f"{slug}__{tool}", arguments, id=call_id)
