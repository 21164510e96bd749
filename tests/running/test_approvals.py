"""Calls that ask first: whatever a person does, whenever the server dies, one runs at most once."""

import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.pairing import faults
from tests.people import Person
from tests.provider import Call, Reply
from tests.running.malformed_streams import calling

SUM = Call("calculator", '{"expression": "6*7"}', id="sum")
SLOW = Call("wait", '{"seconds": 25}', id="slow")
REFUSED = "The user declined this call. It was not run."
INSTEAD = "Not approved: the user sent a message instead. It was not run."
GIVE_TOOLS = "UPDATE agents_agenttemplate SET tools = ? WHERE slug = 'courier'"


def note(to, call_id):
    return Call("send_note", json.dumps({"to": to, "text": "Come at eight."}), id=call_id)


ADA, BOB = note("Ada", "a"), note("Bob", "b")


class Asked:
    """An answer that waits: what its person does about it, and what became of it."""

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
    """Return the recipients of notes."""
    outbox = server.folder / "outbox.jsonl"
    lines = outbox.read_text().splitlines() if outbox.exists() else []
    return [json.loads(line)["to"] for line in lines]


def ask(server, person, provider, *calls, tab):
    """Have the model call these, and wait until the answer waits."""
    provider.script(calling(*calls))
    ack = tab.send("Go", agent="courier")
    tab.until("waiting")
    return Asked(server, person, ack)


def all_faults(provider):
    return [fault for request in provider.requests for fault in faults(request)]


@pytest.fixture
def courier(served):
    """The server of the file, with an empty outbox."""
    return equip(served)


@pytest.fixture
def fragile(app, provider):
    """A server that a test can kill, with somebody on it."""
    server = equip(app(**provider.environment))
    person = Person(server)
    with person.tab() as tab:
        yield server, person, tab


def equip(server):
    (server.folder / "outbox.jsonl").unlink(missing_ok=True)
    server.write(GIVE_TOOLS, json.dumps(["send_note", "calculator", "wait"]))
    return server


@pytest.fixture
def tab(ada):
    with ada.tab() as tab:
        yield tab


def end_of(tab):
    return tab.until("end")["data"]


def test_an_approved_call_runs_and_the_answer_goes_on(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)
    assert (notes_of(courier), asked.record()["status"]) == ([], "waiting")

    answer = asked.decide("a")

    assert answer.status_code == 200
    assert end_of(tab)["status"] == "done"
    assert asked.results() == [("a", "The note to Ada is in the outbox.")]
    assert notes_of(courier) == ["Ada"]
    (record,) = asked.record()["asked"]
    assert (record["decision"], record["person"]) == ("approved", "a visitor")
    assert len(provider.requests) == 2
    assert all_faults(provider) == []


def test_a_refusal_is_a_result_with_the_persons_words(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)

    asked.decide("a", approved=False, words="Not before noon")

    assert end_of(tab)["status"] == "done"
    assert asked.results() == [("a", f"{REFUSED} They said: Not before noon")]
    assert notes_of(courier) == []
    assert all_faults(provider) == []


def test_a_round_goes_on_once_all_of_it_is_decided(courier, ada, provider, tab):
    """What needs nobody's approval is done by the time that anybody is asked."""
    asked = ask(courier, ada, provider, ADA, SUM, BOB, tab=tab)
    assert asked.results() == [("sum", "42")]

    asked.decide("b", approved=False)
    assert (asked.record()["status"], len(provider.requests)) == ("waiting", 1)
    asked.decide("a")

    assert end_of(tab)["status"] == "done"
    assert asked.results()[1:] == [("a", "The note to Ada is in the outbox."), ("b", REFUSED)]
    assert [e["seq"] for e in tab.events(asked.generation)] == list(
        range(1, len(tab.events(asked.generation)) + 1)
    )
    assert all_faults(provider) == []


def test_a_model_may_ask_again_and_again(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)
    provider.script(calling(BOB))

    asked.decide("a")
    tab.until("waiting")
    asked.decide("b")

    assert end_of(tab)["status"] == "done"
    assert notes_of(courier) == ["Ada", "Bob"]
    assert all_faults(provider) == []


def test_only_one_of_many_clicks_counts(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: asked.decide("a").status_code, range(6)))

    assert end_of(tab)["status"] == "done"
    assert answers == [200] * 6
    assert notes_of(courier) == ["Ada"]
    assert len(provider.requests) == 2


def test_if_two_decide_differently_the_first_wins_and_the_second_is_told(
    courier, ada, provider, tab
):
    asked = ask(courier, ada, provider, ADA, BOB, tab=tab)

    first, second = asked.decide("a", approved=False), asked.decide("a")

    assert (first.status_code, second.status_code) == (200, 409)
    assert second.json() == {"code": "decided", "detail": "This call was already refused."}


def test_both_tabs_see_a_decision(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, BOB, tab=tab)
    with ada.tab(asked.conversation) as other:
        other.say(type="ping")
        other.until("pong")
        asked.decide("a")

        for each in (tab, other):
            shown = each.until("call")["data"]
            assert (shown["call"], 'data-state="approved"' in shown["html"]) == ("a", True)


def test_nobody_else_decides(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)

    assert asked.decide("a", by=Person(courier)).status_code == 404
    assert asked.decide("b").status_code == 404
    assert asked.record()["status"] == "waiting"


@pytest.mark.parametrize("body", [{"call": "a"}, {"call": "a", "approved": 1, "role": "system"}])
def test_half_a_decision_is_none(courier, ada, provider, tab, body):
    asked = ask(courier, ada, provider, ADA, tab=tab)

    assert ada.api("POST", f"{asked.path}/decisions", json=body).status_code == 422


def test_whoever_writes_instead_approves_of_nothing(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)

    _, again = tab.ask("Never mind", conversation=asked.conversation)

    (given_up,) = [e for e in tab.events(asked.generation) if e["kind"] == "end"]
    assert (given_up["data"]["status"], again["status"]) == ("stopped", "done")
    assert "Not approved" in given_up["data"]["html"]
    assert asked.results() == [("a", INSTEAD)]
    assert asked.decide("a").status_code == 409
    assert notes_of(courier) == []
    assert all_faults(provider) == []


def test_stop_while_it_waits(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, SUM, tab=tab)

    tab.say(type="stop", conversation=asked.conversation, generation=asked.generation)

    assert end_of(tab)["status"] == "stopped"
    stopped = "Not approved: the answer was stopped. It was not run."
    assert asked.results() == [("sum", "42"), ("a", stopped)]
    assert asked.decide("a").status_code == 409
    _, again = tab.ask("And now?", conversation=asked.conversation)
    assert again["status"] == "done"
    assert all_faults(provider) == []


def test_an_answer_that_waits_is_not_continued_before_its_calls_are_decided(
    courier, ada, provider, tab
):
    asked = ask(courier, ada, provider, ADA, tab=tab)

    tab.say(type="continue", conversation=asked.conversation, generation=asked.generation)

    assert tab.until("error")["code"] == "waiting"


def test_an_answer_waits_on_its_own_branch(courier, ada, provider, tab):
    """Asked elsewhere it cannot be decided; back on the branch it can."""
    asked = ask(courier, ada, provider, ADA, tab=tab)
    waiting = asked.person.api("GET", f"/conversations/{asked.conversation}").json()["branch"]
    tab.say(type="retry", conversation=asked.conversation, generation=asked.generation)
    tab.until("ack")
    assert end_of(tab)["status"] == "done"
    assert asked.decide("a").json()["code"] == "moved_on"

    ada.post(f"/chat/{asked.conversation}/branch", branch=str(waiting))
    asked.decide("a")

    assert end_of(tab)["status"] == "done"
    assert notes_of(courier) == ["Ada"]
    assert all_faults(provider) == []


def test_deleting_the_conversation_ends_the_waiting(courier, ada, provider, tab):
    before = courier.rows("SELECT count(*) FROM history_callstage")
    asked = ask(courier, ada, provider, ADA, tab=tab)

    assert ada.api("DELETE", f"/conversations/{asked.conversation}").status_code == 204

    assert asked.decide("a").status_code == 404
    assert courier.rows("SELECT count(*) FROM history_callstage") == before


def test_a_tool_that_was_taken_away_meanwhile_is_not_run(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)
    courier.write(GIVE_TOOLS, json.dumps(["calculator"]))

    asked.decide("a")

    assert end_of(tab)["status"] == "done"
    gone = "send_note was approved, but this agent no longer has it. It was not run."
    assert asked.results() == [("a", f"Error: {gone}")]
    assert notes_of(courier) == []


def test_arguments_that_are_wrong_are_not_asked_about(courier, ada, provider, tab):
    provider.script(calling(Call("send_note", '{"to": 7}', id="a")))

    ack, end = tab.ask("Go", agent="courier")

    assert end["status"] == "done"
    (result,) = Asked(courier, ada, ack).results()
    assert result[1].startswith("Error: the argument")


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
    assert all_faults(provider) == []


def test_a_tab_that_comes_late_sees_all_of_an_answer_that_went_on(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)
    provider.script(Reply(text=["So ", "it is."], hang_after=1))
    asked.decide("a")
    tab.until("delta")

    with ada.tab() as late:
        late.say(type="subscribe", conversation=asked.conversation, generation=asked.generation)
        late.until("delta")
        provider.release()
        assert end_of(late)["status"] == "done"
        events = late.events(asked.generation)

    assert [e["seq"] for e in events] == list(range(1, len(events) + 1))
    assert [e["kind"] for e in events][:2] == ["started", "plan"]


def test_kill_9_while_an_approved_call_runs_never_repeats_it(fragile, provider):
    """The file is there, so it ran; whether a tool did, nobody can know after such an end."""
    served, ada, tab = fragile
    asked = ask(served, ada, provider, ADA, tab=tab)
    fifo = served.folder / "outbox.jsonl"
    os.mkfifo(fifo)  # Opening it to write waits for a reader, for ever.
    asked.decide("a")
    tab.until("call")
    tab.until("call")  # Begun.
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
    assert all_faults(provider) == []


def test_kill_9_after_the_approval_and_before_the_run(fragile, provider):
    """As if the server had died between the two: the call was never begun."""
    served, ada, tab = fragile
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


def test_kill_9_while_the_others_of_the_round_run(fragile, provider):
    served, ada, tab = fragile
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
    assert all_faults(provider) == []
