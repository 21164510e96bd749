"""When a connection is cut or the server killed, nothing is lost or doubled."""

import json
import os
import random
import socket
import struct

from tests.people import Person
from tests.provider import Reply

SEED = 11
CUTS = int(os.environ.get("CUTS", "8"))  # At least 95 for a thorough run.
KILLS = int(os.environ.get("KILLS", "2"))  # 200 for a thorough run.
WORDS = [f"w{n} " for n in range(60)]
NEVER = struct.pack("ii", 1, 0)  # Closes with a reset, without waiting.


def cut(tab):
    """Stop the reading; the tab's reading thread notices that and closes with a reset."""
    tab.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NEVER)
    tab.socket.socket.shutdown(socket.SHUT_RD)


def stored(server, conversation):
    query = "SELECT role, text FROM history_message WHERE conversation_id = ? ORDER BY position"
    pk = conversation if server.environment.get("DATABASE_URL") else conversation.replace("-", "")
    return server.rows(query, pk)


def looked_on(ada, ack, seen, most):
    """Return at most `most` further events for a tab that reconnects; then cut its connection."""
    named = {"conversation": ack["conversation"], "generation": ack["generation"]}
    with ada.tab() as tab:
        tab.say(type="subscribe", after_seq=len(seen), **named)
        events = []
        while len(events) < most and not (events and events[-1]["kind"] == "end"):
            tab.next()
            events = tab.events(ack["generation"])
        cut(tab)
    return events


def test_a_connection_that_is_cut_again_and_again(served, ada, provider):
    chance = random.Random(SEED)
    provider.script(Reply(text=WORDS, delay=0.02))
    with ada.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
    seen, cuts = [], [chance.randint(1, 4) for _ in range(CUTS)]
    while not seen or seen[-1]["kind"] != "end":
        seen += looked_on(ada, ack, seen, cuts.pop() if cuts else 1_000)

    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    shown = "".join(event["data"]["text"] for event in seen if event["kind"] == "delta")
    assert shown == "".join(WORDS)
    assert stored(served, ack["conversation"]) == [("user", "Tell me"), ("assistant", shown)]
    assert len(provider.requests) == 1


def logged(server):
    """Return the newest answer's text as far as it was stored before the kill."""
    newest = "SELECT id FROM history_generation ORDER BY created DESC LIMIT 1"
    query = "SELECT CAST(payload AS text) FROM history_generationevent WHERE kind = 'delta'"
    rows = server.rows(f"{query} AND generation_id = ({newest}) ORDER BY seq")
    return "".join(json.loads(payload)["text"] for (payload,) in rows)


def read_until(tab, word):
    text = ""
    while word not in text:
        text += tab.until("delta")["data"]["text"]


def test_a_server_that_is_killed_at_any_word(fragile, provider):
    chance = random.Random(SEED)
    ada = Person(fragile)
    for number in range(KILLS):
        provider.script(Reply(text=[*WORDS, "never"], delay=0.02, hang_after=len(WORDS)))
        with ada.tab() as tab:
            question = f"Question {number}"
            ack = tab.send(question, agent="demo")
            read_until(tab, WORDS[chance.randrange(len(WORDS))])
            fragile.kill()
        safe = logged(fragile)
        fragile.start()

        answer = [("assistant", safe)] if safe else []
        assert stored(fragile, ack["conversation"]) == [("user", question), *answer]
        assert "".join(WORDS).startswith(safe)
    statuses = fragile.rows("SELECT DISTINCT status FROM history_generation")
    assert statuses == [("interrupted",)]
    assert len(provider.requests) <= KILLS

    with ada.tab(ack["conversation"]) as tab:
        tab.say(type="continue", conversation=ack["conversation"], generation=ack["generation"])
        assert tab.until("end")["data"]["status"] == "done"
