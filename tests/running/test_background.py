"""An answer in the background is taken up by the next process, and is asked for only once."""

import json
from hashlib import sha256

import pytest

from tests.patience import eventually
from tests.people import Person
from tests.provider import Call
from tests.servers import AppServer
from tests.strict.server import Said

WORDS = ["The harbour ", "opens at ", "six, ", "and closes ", "at nine."]
WHOLE = "".join(WORDS)
THOUGHT = "When does it open?"


@pytest.fixture
def begun(app, openai):
    """Return a server, a person, and an answer of which two pieces have come and are stored."""

    def begun(*said, words=WORDS):
        openai.script(*said)
        openai.family.gate.clear()
        server = app(**openai.environment)
        ada = Person(server)
        with ada.tab() as tab:
            ack = tab.send("When is the harbour open?", agent="demo")
            tab.until("delta", generation=ack["generation"])
        assert eventually(lambda: logged(server) == "".join(words[:2]))
        return server, ada, ack

    return begun


def logged(server):
    rows = server.rows(
        "SELECT payload FROM history_generationevent WHERE kind = 'delta' ORDER BY seq"
    )
    texts = [payload if isinstance(payload, dict) else json.loads(payload) for (payload,) in rows]
    return "".join(text["text"] for text in texts)


def events_of(ada, ack):
    """Return the answer's end and all its events, as a new tab is shown them."""
    with ada.tab() as tab:
        tab.say(type="subscribe", **{name: ack[name] for name in ("conversation", "generation")})
        end = tab.until("end")
        return end["data"], tab.events(ack["generation"])


def told(events, kind):
    return "".join(event["data"]["text"] for event in events if event["kind"] == kind)


@pytest.mark.parametrize("end", [AppServer.kill, AppServer.terminate], ids=["killed", "ended"])
def test_the_next_process_has_the_whole_answer_without_asking_again(begun, openai, end):
    server, ada, ack = begun(Said(thinking=[THOUGHT], text=WORDS))
    end(server)
    openai.family.gate.set()
    server.start()

    ended, events = events_of(ada, ack)

    assert ended["status"] == "done"
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert (told(events, "thinking"), told(events, "delta")) == (THOUGHT, WHOLE)
    assert [event["kind"] for event in events].count("thought") == 1
    assert len(openai.received) == 1
    assert eventually(lambda: not openai.family.responses)  # Nothing is left at the provider.
    assert openai.family.cancelled == set()
    [plan] = ada.api("GET", f"/conversations/{ack['conversation']}/plans").json()
    assert plan["outcome"]["usage"] == {
        "prompt": 10,
        "completion": 5,
        "cache_read": 0,
        "reasoning": 3,
    }
    assert plan["outcome"]["first_token_ms"] is None
    assert server.rows("SELECT digest FROM history_wire") == [
        (sha256(openai.received[0].raw).hexdigest(),)
    ]
    panel = ada.open(f"/chat/{ack['conversation']}/panel").text
    assert "Another one read on at the provider" in panel
    assert "read on by another process" in panel


def test_calls_and_reasoning_of_the_answer_are_used_like_any_other(begun, openai):
    call = Call("calculator", '{"expression": "6 * 7"}')
    server, ada, ack = begun(
        Said(thinking=[THOUGHT], text=WORDS, calls=[call]), Said(text=["So 42."])
    )
    server.kill()
    openai.family.gate.set()
    server.start()

    ended, events = events_of(ada, ack)

    assert ended["status"] == "done"
    assert told(events, "delta") == f"{WHOLE}So 42."
    _, second = openai.received
    assert [item["type"] for item in second.body["input"]][-4:] == [
        *("reasoning", "message", "function_call", "function_call_output")
    ]
    assert openai.family.mismatches(second.body) == []
    assert openai.refusals == []


def test_a_person_stops_it_at_the_provider_too(begun, openai):
    _, ada, ack = begun(Said(text=WORDS))

    with ada.tab() as tab:
        tab.say(type="stop", **{name: ack[name] for name in ("conversation", "generation")})

    assert events_of(ada, ack)[0]["status"] == "stopped"
    assert eventually(lambda: not openai.family.responses)
    assert openai.family.cancelled == {"resp_1"}


def test_what_the_provider_no_longer_has_ends_as_interrupted_with_its_text(begun, openai):
    server, ada, ack = begun(Said(text=WORDS))
    server.kill()
    openai.family.responses.clear()
    server.start()

    assert events_of(ada, ack)[0]["status"] == "interrupted"
    query = "SELECT text FROM history_message WHERE role = 'assistant'"
    assert server.rows(query) == [("".join(WORDS[:2]),)]
    assert len(openai.received) == 1


@pytest.mark.parametrize("cuts", [1, 3])
def test_an_answer_whose_connection_is_cut_is_read_again(app, openai, cuts):
    openai.script(Said(thinking=[THOUGHT], text=WORDS))
    openai.family.cuts = cuts
    ada = Person(app(**openai.environment))

    with ada.tab() as tab:
        ack, end = tab.ask("When is the harbour open?", agent="demo")
        events = tab.events(ack["generation"])

    assert end["status"] == "done"
    assert (told(events, "thinking"), told(events, "delta")) == (THOUGHT, WHOLE)
    assert [event["kind"] for event in events].count("thought") == 1
    assert len(openai.received) == 1
    [plan] = ada.api("GET", f"/conversations/{ack['conversation']}/plans").json()
    assert plan["outcome"]["attempts"] == 1
    assert plan["outcome"]["first_token_ms"] is not None


def test_an_answer_that_is_cut_too_often_ends_there_with_its_text(app, openai):
    openai.script(Said(text=WORDS))
    openai.family.cuts = 9
    server = app(**openai.environment)
    ada = Person(server)

    with ada.tab() as tab:
        _, end = tab.ask("When is the harbour open?", agent="demo")

    assert end["status"] == "failed"
    query = "SELECT text FROM history_message WHERE role = 'assistant'"
    assert server.rows(query) == [("".join(WORDS[:2]),)]
    assert eventually(lambda: not openai.family.responses)
    assert len(openai.received) == 1
