"""A call that needs approval runs at most once, even if the server is killed."""

import os

import pytest

from tests.pairing import all_faults
from tests.people import Person
from tests.provider import Call
from tests.running.approvals import (
    ADA,
    BOB,
    REFUSED,
    Asked,
    ask,
    end_of,
    equip,
    notes_of,
)
from tests.running.malformed_streams import calling

SLOW = Call("wait", '{"seconds": 25}', id="slow")


@pytest.fixture
def doomed(app, provider):
    """Run a server that the test may kill, with a person and a tab."""
    server = equip(app(**provider.environment))
    person = Person(server)
    with person.tab() as tab:
        yield server, person, tab


@pytest.mark.parametrize("decided", [False, True], ids=["before any decision", "after one of two"])
def test_a_waiting_answer_survives_kill_9(courier, ada, provider, tab, decided):
    asked = ask(courier, ada, provider, ADA, BOB, tab=tab)
    if decided:
        asked.decide("b", approved=False)
    courier.kill()
    courier.start()

    assert asked.record()["status"] == "waiting"
    assert asked.page().count('data-decide="approve"') == 2 - decided
    with ada.tab() as again:
        again.say(type="subscribe", conversation=asked.conversation, generation=asked.generation)
        again.until("waiting")
        for call in ("a", "b"):
            asked.decide(call, approved=call == "a")
        assert end_of(again)["status"] == "done"
        events = again.events(asked.generation)
    assert [e["seq"] for e in events] == list(range(1, len(events) + 1))
    assert asked.results() == [("a", "The note to Ada is in the outbox."), ("b", REFUSED)]
    assert notes_of(courier) == ["Ada"]
    assert len(provider.requests) == 2
    assert all_faults(provider.requests) == []


def test_kill_9_while_an_approved_call_runs_never_repeats_it(doomed, provider):
    """After a kill, nobody can know whether the call took effect, so it is not repeated."""
    served, ada, tab = doomed
    asked = ask(served, ada, provider, ADA, tab=tab)
    fifo = served.folder / "outbox.jsonl"
    os.mkfifo(fifo)  # Opening it for writing waits for a reader for ever.
    asked.decide("a")
    tab.until("call")
    tab.until("call")  # The call has begun.
    served.kill()
    fifo.unlink()
    served.start()

    assert asked.record()["status"] == "interrupted"
    unknown = "It is unknown whether this ran: the answer was interrupted meanwhile. "
    assert asked.results() == [("a", f"{unknown}It is not repeated.")]
    with ada.tab() as again:
        again.say(type="continue", conversation=asked.conversation, generation=asked.generation)
        assert end_of(again)["status"] == "done"
    assert notes_of(served) == []
    assert all_faults(provider.requests) == []


def test_kill_9_after_the_approval_and_before_the_run(doomed, provider):
    """The approval is stored as if the server had died right after it: the call never began."""
    served, ada, tab = doomed
    asked = ask(served, ada, provider, ADA, tab=tab)
    served.kill()
    served.write("UPDATE history_generation SET status = 'queued'")
    served.write(
        "INSERT INTO history_callstage (generation_id, call_id, kind, person, words, created)"
        " SELECT generation_id, call_id, 'approved', 'a visitor', '', created"
        " FROM history_callstage"
    )
    served.start()

    assert asked.record()["status"] == "interrupted"
    unrun = "Approved, but the answer was interrupted before it was run. It was not run."
    assert asked.results() == [("a", unrun)]
    assert notes_of(served) == []


def test_kill_9_while_the_others_of_the_round_run(doomed, provider):
    served, ada, tab = doomed
    provider.script(calling(ADA, SLOW))
    ack = tab.send("Go", agent="courier")
    asked = Asked(served, ada, ack)
    tab.until("calls")
    assert asked.decide("a").json()["code"] == "busy"
    served.kill()
    served.start()

    assert asked.results() == [("a", "Not approved: the answer was interrupted. It was not run.")]
    with ada.tab() as again:
        _, end = again.ask("And now?", conversation=asked.conversation)
    assert end["status"] == "done"
    assert notes_of(served) == []
    assert all_faults(provider.requests) == []
