"""Calls and results pair up, whatever a model asks of its tools, and whenever the server dies."""

import json

import pytest

from tests.pairing import all_faults
from tests.patience import PATIENCE
from tests.people import Person
from tests.provider import Call, Reply
from tests.running.malformed_streams import calling, cases

SUM = Call("calculator", '{"expression": "6*7"}', id="c1")
LONG = Call("wait", '{"seconds": 25}', id="c2")
GIVE_TOOLS = "UPDATE agents_agenttemplate SET tools = ? WHERE slug = 'goldfish'"


def equip(server):
    """Give every harmless tool to Goldfish, which is sent three turns."""
    server.write(GIVE_TOOLS, json.dumps(["calculator", "recall", "report", "wait"]))


def results(server, ack):
    rows = "SELECT text FROM history_message WHERE role = 'tool' AND conversation_id = ?"
    found = server.rows(f"{rows} ORDER BY position", conversation_of(server, ack))
    return [text for (text,) in found]


def conversation_of(server, ack):
    """Return the conversation's id as the database writes it: without hyphens on SQLite."""
    (kept,) = server.rows("SELECT CAST(id AS text) FROM history_conversation LIMIT 1")
    return ack["conversation"] if "-" in kept[0] else ack["conversation"].replace("-", "")


@pytest.fixture
def equipped(served):
    equip(served)
    return served


@pytest.mark.parametrize(
    ("reply", "says"), [pytest.param(reply, says, id=what) for what, reply, says in cases()]
)
def test_a_malformed_call_gets_a_result_that_says_so(ada, provider, served, reply, says):
    provider.script(reply)

    with ada.tab() as tab:
        ack, end = tab.ask("Go", agent="demo")
        _, again = tab.ask("And now?", conversation=ack["conversation"])

    assert (end["status"], again["status"]) == ("done", "done")
    assert [text for text in results(served, ack) if says in text] != []
    assert len(provider.requests) == 3
    assert all_faults(provider.requests) == []


@pytest.mark.daily
@pytest.mark.parametrize(
    ("reply", "says"),
    [
        pytest.param(calling(), "returned an empty answer", id="an empty list of calls"),
        pytest.param(Reply(calls=[SUM], finish=None), "stopped partway", id="no reason to end"),
        pytest.param(Reply(calls=[SUM], cut_after=1), "stopped partway", id="a cut connection"),
    ],
)
def test_calls_that_never_were_whole_are_not_run(ada, provider, served, reply, says):
    provider.script(reply)

    with ada.tab() as tab:
        ack, end = tab.ask("Go", agent="demo")
        _, again = tab.ask("And now?", conversation=ack["conversation"])

    assert (end["status"], again["status"]) == ("failed", "done")
    assert says in end["html"]
    assert results(served, ack) == []
    assert all_faults(provider.requests) == []


@pytest.mark.daily
def test_results_are_stored_in_the_order_of_the_calls(ada, provider, equipped):
    slow = Call("wait", '{"seconds": 0.5}', id="a")
    provider.script(calling(slow, SUM, Call("wait", '{"seconds": 0}', id="b")))

    with ada.tab() as tab:
        ack, _ = tab.ask("Go", agent="goldfish")

    assert results(equipped, ack) == ["Waited 0.5 seconds.", "42", "Waited 0 seconds."]
    sent = [m["tool_call_id"] for m in provider.requests[-1]["messages"] if m["role"] == "tool"]
    assert sent == ["a", "c1", "b"]


@pytest.mark.daily
def test_stop_gives_every_call_a_result(ada, provider, equipped):
    provider.script(calling(SUM, LONG, Call("wait", '{"seconds": 25}', id="c3")))

    with ada.tab() as tab:
        ack = tab.send("Go", agent="goldfish")
        tab.until("result")
        tab.say(type="stop", conversation=ack["conversation"], generation=ack["generation"])
        end = tab.until("end")["data"]
        _, again = tab.ask("And now?", conversation=ack["conversation"])

    stopped = "Error: no result: the answer was stopped before the tool was done."
    assert (end["status"], again["status"]) == ("stopped", "done")
    assert results(equipped, ack) == ["42", stopped, stopped]
    assert all_faults(provider.requests) == []


def test_recall_finds_what_is_no_longer_sent(ada, provider, equipped):
    """The fact is five turns back, out of reach; another person's chat has such a fact, too."""
    search = Call("recall", '{"query": "spare key"}', id="r")
    with Person(equipped).tab() as tab:
        tab.ask("My spare key is in the bank.", agent="goldfish")
    with ada.tab() as tab:
        ack, _ = tab.ask("The spare key is under the blue pot.", agent="goldfish")
        for number in range(4):
            tab.ask(f"Something else, {number}", conversation=ack["conversation"])
        provider.script(calling(search))
        tab.ask("Where is it?", conversation=ack["conversation"])

    assert "blue pot" not in json.dumps(provider.requests[-2])
    assert results(equipped, ack) == [
        "Earlier messages, best match first:\n\n[turn 1, user] The spare key is under the blue pot."
    ]


@pytest.mark.parametrize(
    ("replies", "moment", "kept"),
    [
        pytest.param([Reply(calls=[SUM], hang_after=1)], "plan", [], id="while it is called"),
        pytest.param([calling(LONG, SUM)], "calls", [], id="before any result"),
        pytest.param([calling(SUM, LONG)], "result", ["42"], id="between two results"),
        pytest.param(
            [calling(SUM), Reply(hang_after=0)], "result", ["42"], id="after the last result"
        ),
        pytest.param(
            [calling(SUM), Reply(text=["So"], hang_after=1)],
            "delta",
            ["42"],
            id="in the middle of the answer",
        ),
    ],
)
def test_kill_9_leaves_what_the_next_request_can_be_made_of(app, provider, replies, moment, kept):
    server = app(**provider.environment)
    equip(server)
    provider.script(*replies)
    ada = Person(server)
    with ada.tab() as tab:
        ack = tab.send("Go", agent="goldfish")
        tab.until(moment)
        assert provider.asked.wait(PATIENCE)
        server.kill()
    server.start()
    provider.reset()
    provider.script(calling(SUM))  # The id occurred before.

    with ada.tab() as tab:
        _, again = tab.ask("Are you there?", conversation=ack["conversation"])

    assert again["status"] == "done"
    assert server.rows("SELECT status FROM history_generation ORDER BY created")[0] == (
        "interrupted",
    )
    assert results(server, ack) == [*kept, "42"]
    assert len(provider.requests) == 2
    assert all_faults(provider.requests) == []
