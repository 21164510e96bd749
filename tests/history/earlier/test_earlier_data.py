"""A database of commit f778175 migrates forward: it keeps all of its rows, shows its plans, and
its conversations go on.
"""

import json
import subprocess
import sys
from uuid import UUID, uuid4

import pytest

from tests import data
from tests.history.earlier import loading
from tests.pairing import all_faults
from tests.people import Person
from tests.provider import Provider, Reply
from tests.servers import ROOT, AppServer, manage, surroundings

PASSWORD = uuid4().hex
KNOWN = f"""
from django.contrib.auth.models import User
ada = User.objects.get(username="ada")
ada.set_password("{PASSWORD}")
ada.save()
"""
HELD = {  # What the maker put in, so that an empty table is not taken for a kept one.
    "history_message": 152,
    "history_contextplan": 74,
    "history_requestoutcome": 74,
    "history_callfigures": 76,
    "history_callstage": 8,
    "history_checkpoint": 2,
    "history_messagemark": 3,
    "history_branch": 15,
    "history_conversation": 13,
}

# What an update changes of the demo agents that nobody has changed: each gets another version.
CHANGED = {
    "agents_agenttemplate": {
        "changed",
        "description",
        "history_settings",
        "system_prompt",
        "version",
    }
}
VERSIONS = "agents_historicalagenttemplate"


@pytest.fixture(scope="module")
def updated(tmp_path_factory):
    """The migrated folder, with its columns and rows as they were before."""
    folder = loading.load(tmp_path_factory.mktemp("earlier") / "data")
    named = loading.columns(folder)
    columns = {t: [c for c in named[t] if c not in CHANGED.get(t, ())] for t in named}
    kept = loading.rows(folder, columns)
    manage(folder, "migrate", "--verbosity", "0")
    return folder, columns, kept


def test_every_row_is_there_unchanged(updated):
    folder, columns, kept = updated

    now = loading.rows(folder, columns)

    assert {name: len(kept[name]) for name in HELD} == HELD
    assert [name for name in kept if now[name] != kept[name]] == [VERSIONS]
    assert set(kept[VERSIONS]) < set(now[VERSIONS])


def test_nothing_that_is_append_only_can_be_changed(updated):
    folder, columns, kept = updated
    tables = loading.append_only_tables()

    assert tables <= loading.guarded(folder)
    for table in sorted(tables & set(columns)):
        assert kept[table]
        one = columns[table][0]
        with pytest.raises(Exception, match="is append-only"):
            data.execute(folder, f"UPDATE {table} SET {one} = {one}")


@pytest.mark.whole
def test_every_plan_is_shown_and_its_request_rebuilt(updated):
    folder, _, kept = updated
    command = [sys.executable, "-m", "tests.history.earlier.rendering"]
    done = subprocess.run(
        command, cwd=ROOT, env=surroundings(folder, {}), stdout=subprocess.PIPE, check=True
    )

    assert json.loads(done.stdout) == {"plans": len(kept["history_contextplan"]), "faults": []}


@pytest.mark.whole
def test_every_conversation_goes_on(updated, tmp_path):
    folder = data.copy(updated[0], tmp_path / "data")
    manage(folder, "shell", "--verbosity", "0", "-c", KNOWN)
    with Provider() as provider:
        server = AppServer(folder, provider.environment)
        try:
            server.start()
            ada = Person(server)
            ada.sign_in("ada", PASSWORD)
            approve(ada, server, provider)
            for conversation in conversations(server):
                goes_on(ada, conversation, provider)
        finally:
            server.close()
        assert all_faults(provider.requests) == []


def conversations(server):
    query = "SELECT CAST(id AS text) FROM history_conversation WHERE depth = 0 AND owner_id > 0"
    found = [str(UUID(kept)) for (kept,) in server.rows(query)]
    assert len(found) == 11
    return found


def approve(ada, server, provider):
    """Approve the call that has been undecided since before the migration."""
    query = "SELECT CAST(id AS text), CAST(conversation_id AS text) FROM history_generation"
    waiting = server.rows(f"{query} WHERE status = 'waiting'")
    paths = {f"/conversations/{UUID(c)}/generations/{UUID(g)}": UUID(c) for g, c in waiting}
    (path,) = [path for path in paths if ada.api("GET", path).status_code == 200]
    provider.script(Reply(text=["The note ", "is written."]))
    with ada.tab(str(paths[path])) as tab:
        tab.say(type="ping")
        tab.until("pong")
        body = {"call": "open", "approved": True, "words": ""}
        assert ada.api("POST", f"{path}/decisions", json=body).status_code == 200
        assert tab.until("end")["data"]["status"] == "done"


def goes_on(ada, conversation, provider):
    address = f"/conversations/{conversation}/messages?limit=200"
    earlier = ada.api("GET", address).json()["messages"]
    provider.script(Reply(text=["And on", " it goes."]))
    with ada.tab() as tab:
        _, end = tab.ask("And then?", conversation=conversation)

    now = ada.api("GET", address).json()["messages"]
    assert end["status"] == "done"
    assert now[: len(earlier)] == earlier
    assert [m["text"] for m in now[len(earlier) :]] == ["And then?", "And on it goes."]
    turn = now[-1]["turn"]
    assert ada.api("GET", f"/conversations/{conversation}/turns/{turn}/context").status_code == 200
    assert ada.open(f"/chat/{conversation}").status_code == 200
