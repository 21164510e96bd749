"""Make the databases beside this file: conversations as Vitrine stored them at commit f778175.

    git worktree add /tmp/earlier f778175
    python tests/history/earlier/make.py /tmp/earlier

The app of that commit runs as a process, once for each kind of database, and a scripted provider
stands behind it. Ids and times are new each time; the tests compare what is kept with itself.
"""

import json
import lzma
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit
from uuid import UUID, uuid4

HERE = Path(__file__).resolve().parent
ROOT = Path(sys.argv[1]).resolve()
os.chdir(ROOT)
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DATABASE_URL", "")

from tests import data, postgres  # noqa: E402 -- those of the commit, found by the line above
from tests.people import Person  # noqa: E402
from tests.provider import Call, Provider, Reply  # noqa: E402
from tests.servers import manage, migrated_folder, running  # noqa: E402

PASSWORD = uuid4().hex
PEOPLE = f"""
from django.contrib.auth.models import User
User.objects.create_user("ada", password="{PASSWORD}")
User.objects.create_superuser("stan", password="{PASSWORD}")
"""
USAGE = {
    "prompt_tokens": 900,
    "completion_tokens": 40,
    "total_tokens": 940,
    "prompt_tokens_details": {"cached_tokens": 512},
}
LONG = "The harbour has seven piers, and each pier has a tram. \u6e2f \U0001f6a2 " * 60
CODE = "```py\nprint('a')\n```\n\n| a | b |\n| - | - |\n| 1 | <b>2</b> |"
SECRETS = ("DELETE FROM django_session", "UPDATE auth_user SET password = '!'")


def said(*text, **fields):
    return Reply(text=text, usage=USAGE, **fields)


def calling(*calls):
    return Reply(calls=calls, finish="tool_calls", usage=USAGE)


def add(expression, call_id):
    return Call("calculator", json.dumps({"expression": expression}), id=call_id)


class Story:
    """One person's conversations, told to a running app."""

    def __init__(self, server, provider, person):
        self.server, self.provider, self.person = server, provider, person

    def tell(self, *chapters):
        with self.person.tab() as tab:
            for chapter in chapters:
                self.provider.reset()
                chapter(self, tab)

    def chat(self, tab, *texts, conversation=None, **where):
        """Send these texts in turn; return the conversation."""
        for text in texts:
            where = {"conversation": conversation} if conversation else where or {"agent": "demo"}
            ack, _ = tab.ask(text, **where)
            conversation = ack["conversation"]
        return conversation

    def change(self, conversation, **settings):
        body = {"history_settings": settings}
        self.ask("PATCH", conversation, json=body)

    def ask(self, method, conversation, path="", **options):
        address = f"/conversations/{conversation}{path}"
        answer = self.person.api(method, address, **options)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    def messages(self, conversation):
        return self.ask("GET", conversation, "/messages")["messages"]

    def tools(self, tab):
        """Use tools in most turns, some of them in parallel and one of them wrongly."""
        rounds = [(add("6*7", "a"), add("1+1", "b")), (add("2**9", "c"),), (add("so", "d"),)]
        conversation = None
        for number, calls in enumerate(rounds * 3):
            named = [Call(c.name, c.arguments, id=f"{c.id}{number}") for c in calls]
            self.provider.script(calling(*named), said(LONG, f"So it is, {number}."))
            conversation = self.chat(tab, f"Sum number {number}?", conversation=conversation)
            if number == 4:
                self.change(conversation, policy="all", token_budget=2_000, tool_results_keep=2)

    def marked(self, tab):
        self.provider.script(*[said("It goes ", f"at {n}. {CODE}") for n in range(8)])
        conversation = self.chat(tab, *[f"When does tram {n} go?" for n in range(6)])
        self.change(conversation, policy="lastN", length=2)
        for place, kind in ((0, "pin"), (4, "exclusion"), (9, "exclusion")):
            message = self.messages(conversation)[place]["id"]
            self.ask("PUT", conversation, f"/messages/{message}/mark", json={"kind": kind})
        self.chat(tab, "And tram 9?", "And back?", conversation=conversation)

    def branches(self, tab):
        self.provider.script(*[said(f"Answer {n}") for n in range(9)])
        conversation = self.chat(tab, "One?", "Two?", "Three?")
        ids = {"conversation": conversation}
        second = self.messages(conversation)[2]["id"]
        again = {"client_msg_id": str(uuid4()), "text": "Rather two and a half?"}
        tab.say(type="edit", message=second, **again, **ids)
        ack = tab.until("ack")
        tab.until("end")
        tab.say(type="retry", generation=ack["generation"], **ids)
        tab.until("end")
        self.chat(tab, "Four?", conversation=conversation)

    def ended_early(self, tab):
        self.provider.script(Reply(status=401), said("Half an", " answer", hang_after=2))
        conversation = self.chat(tab, "Are you there?")
        ack = tab.send("And now?", conversation=conversation)
        tab.until("delta")
        ids = {"conversation": conversation, "generation": ack["generation"]}
        tab.say(type="stop", **ids)
        tab.until("end")
        self.provider.release()
        self.provider.script(said(", and the rest."))
        tab.say(type="continue", **ids)
        tab.until("end")

    def summarised(self, tab):
        self.provider.script(*[said(LONG) for _ in range(4)], said("They spoke of trams."))
        conversation = self.chat(tab, *[f"Tell me of pier {n}." for n in range(4)])
        self.ask("POST", conversation, "/checkpoints")
        self.provider.script(said("Five."), said("Six."), said("Of piers, too."))
        self.chat(tab, "Which is the fifth?", "And the sixth?", conversation=conversation)
        self.ask("POST", conversation, "/checkpoints")
        self.chat(tab, "And the seventh?", conversation=conversation)

    def network(self, tab):
        there = Call("transfer_to_accountant", '{"reason": "sums"}', id="t1")
        self.provider.script(calling(there), calling(add("6*8", "n1")), said("48"), said("Gladly"))
        self.chat(tab, "What is 6*8?", "Thank you", network="support")

    def delegated(self, tab):
        asks = "UPDATE agents_agenttemplate SET asks = ? WHERE slug = 'demo'"
        self.server.write(asks, json.dumps(["goldfish"]))
        task = Call("ask_goldfish", '{"task": "Count the boats"}', id="a1")
        self.provider.script(calling(task), said("Seven boats"), said("There are seven."))
        self.chat(tab, "How many boats?")

    def approvals(self, tab):
        """Approve a call, refuse one, write instead of deciding, and leave one undecided."""
        for call_id, approved, words in (("yes", True, ""), ("no", False, "Too late")):
            ack = self.asked(tab, call_id)
            path = f"/generations/{ack['generation']}/decisions"
            body = {"call": call_id, "approved": approved, "words": words}
            self.ask("POST", ack["conversation"], path, json=body)
            tab.until("end")
        ack = self.asked(tab, "instead")
        self.chat(tab, "Never mind", conversation=ack["conversation"])
        self.asked(tab, "open")

    def asked(self, tab, call_id):
        self.provider.reset()
        note = Call("send_note", '{"to": "Bob", "text": "Come at eight."}', id=call_id)
        self.provider.script(calling(note), said("It is done."))
        ack = tab.send("Tell Bob", agent="courier")
        tab.until("waiting")
        return ack


CHAPTERS = (
    *(Story.tools, Story.marked, Story.branches, Story.ended_early, Story.summarised),
    *(Story.network, Story.delegated, Story.approvals),
)


def told(migrated, folder):
    """Make a folder of data that a visitor, a person with an account and the staff have used."""
    with Provider() as provider, running(migrated, folder, **provider.environment) as server:
        manage(folder, "shell", "-c", PEOPLE)
        visitor, ada, stan = Person(server), Person(server), Person(server)
        ada.sign_in("ada", PASSWORD)
        stan.sign_in("stan", PASSWORD)
        Story(server, provider, visitor).tell(Story.tools)
        Story(server, provider, ada).tell(*CHAPTERS)
        for (kept,) in server.rows("SELECT CAST(id AS text) FROM history_conversation"):
            conversation = UUID(kept)
            for page in (f"/inspect/{conversation}", f"/chat/{conversation}/panel"):
                assert stan.open(page).status_code == 200, page
        server.terminate()
    for statement in SECRETS:
        data.execute(folder, statement)


def sqlite_file(folder):
    with closing(sqlite3.connect(folder / "vitrine.sqlite3")) as database:
        database.execute("VACUUM INTO ?", [str(folder / "whole.sqlite3")])
    return (folder / "whole.sqlite3").read_bytes()


def postgresql_statements(folder):
    """What `pg_dump` writes, without its comments and the settings of its own version."""
    url = (folder / "database_url").read_text()
    options = ["--inserts", "--rows-per-insert=50", "--no-owner", "--no-privileges"]
    command = ["pg_dump", *options, urlsplit(url).geturl()]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = re.sub(r"^\\(un)?restrict .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^SET (transaction_timeout|idle_\w+) .*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"^--.*\n", "", text, flags=re.MULTILINE).encode()


def keep(name, whole):
    packed = lzma.compress(whole, preset=9 | lzma.PRESET_EXTREME)
    (HERE / name).write_bytes(packed)
    print(f"{name}: {len(whole):,} bytes, {len(packed):,} packed")  # noqa: T201 -- a script


def main():
    with TemporaryDirectory() as scratch, postgres.serving() as server:
        for url, read, name in (
            ("", sqlite_file, "sqlite3.xz"),
            (server, postgresql_statements, "postgresql.sql.xz"),
        ):
            os.environ["DATABASE_URL"] = url
            place = Path(scratch) / name
            place.mkdir()
            told(migrated_folder(place / "migrated"), place / "data")
            keep(name, read(place / "data"))


if __name__ == "__main__":
    main()
