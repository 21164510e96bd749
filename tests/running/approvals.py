"""Helpers for calls that need approval: an agent with such tools, and an answer that waits for a
person."""

import json

from tests.provider import Call
from tests.running.malformed_streams import calling

SUM = Call("calculator", '{"expression": "6*7"}', id="sum")
REFUSED = "The user refused this call. It was not run."
GIVE_TOOLS = "UPDATE agents_agenttemplate SET tools = ? WHERE slug = 'courier'"


def note(to, call_id):
    return Call("send_note", json.dumps({"to": to, "text": "Come at eight."}), id=call_id)


ADA, BOB = note("Ada", "a"), note("Bob", "b")


class Asked:
    """An answer that waits for decisions on its calls."""

    def __init__(self, server, person, ack):
        self.server, self.person = server, person
        self.conversation, self.generation = ack["conversation"], ack["generation"]
        self.path = f"/conversations/{self.conversation}/generations/{self.generation}"

    def decide(self, call, *, approved=True, words="", by=None):
        body = {"call": call, "approved": approved, "words": words}
        return (by or self.person).api("POST", f"{self.path}/decisions", json=body)

    def record(self):
        return self.person.api("GET", self.path).json()

    def messages(self):
        path = f"/conversations/{self.conversation}/messages"
        return self.person.api("GET", path).json()["messages"]

    def results(self):
        return [(m["tool_call_id"], m["text"]) for m in self.messages() if m["role"] == "tool"]

    def page(self):
        return self.person.open(f"/chat/{self.conversation}").text


def notes_of(server):
    """Return the recipients of all notes in the outbox."""
    outbox = server.folder / "outbox.jsonl"
    lines = outbox.read_text().splitlines() if outbox.exists() else []
    return [json.loads(line)["to"] for line in lines]


def ask(server, person, provider, *calls, tab):
    """Send a message to which the model makes these calls; wait until one needs a decision."""
    provider.script(calling(*calls))
    ack = tab.send("Go", agent="courier")
    tab.until("waiting")
    return Asked(server, person, ack)


def equip(server):
    (server.folder / "outbox.jsonl").unlink(missing_ok=True)
    server.write(GIVE_TOOLS, json.dumps(["send_note", "calculator", "wait"]))
    return server


def end_of(tab):
    return tab.until("end")["data"]
