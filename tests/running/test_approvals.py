"""A call that needs approval runs at most once, whatever people do and whenever the server dies."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.pairing import all_faults
from tests.people import Person
from tests.provider import Call, Reply
from tests.running.approvals import (
    ADA,
    BOB,
    GIVE_TOOLS,
    REFUSED,
    SUM,
    Asked,
    ask,
    end_of,
    notes_of,
)
from tests.running.malformed_streams import calling

pytestmark = pytest.mark.daily

INSTEAD = "Not approved: the user sent a message instead. It was not run."


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
    assert all_faults(provider.requests) == []


def test_a_refusal_is_a_result_with_the_persons_words(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)

    asked.decide("a", approved=False, words="Not before noon")

    assert end_of(tab)["status"] == "done"
    assert asked.results() == [("a", f"{REFUSED} They said: Not before noon")]
    assert notes_of(courier) == []
    assert all_faults(provider.requests) == []


def test_a_round_goes_on_once_all_of_it_is_decided(courier, ada, provider, tab):
    """A call that needs no approval runs before the others are decided."""
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
    assert all_faults(provider.requests) == []


def test_a_model_may_ask_again_and_again(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, tab=tab)
    provider.script(calling(BOB))

    asked.decide("a")
    tab.until("waiting")
    asked.decide("b")

    assert end_of(tab)["status"] == "done"
    assert notes_of(courier) == ["Ada", "Bob"]
    assert all_faults(provider.requests) == []


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
    assert (given_up["data"]["status"], again["status"]) == ("passed_over", "done")
    assert "Not approved" in given_up["data"]["html"]
    assert asked.results() == [("a", INSTEAD)]
    assert asked.decide("a").status_code == 409
    assert notes_of(courier) == []
    assert all_faults(provider.requests) == []


def test_stop_while_it_waits(courier, ada, provider, tab):
    asked = ask(courier, ada, provider, ADA, SUM, tab=tab)

    tab.say(type="stop", conversation=asked.conversation, generation=asked.generation)

    assert end_of(tab)["status"] == "stopped"
    stopped = "Not approved: the answer was stopped. It was not run."
    assert asked.results() == [("sum", "42"), ("a", stopped)]
    assert asked.decide("a").status_code == 409
    _, again = tab.ask("And now?", conversation=asked.conversation)
    assert again["status"] == "done"
    assert all_faults(provider.requests) == []


def test_an_answer_that_waits_is_not_continued_before_its_calls_are_decided(
    courier, ada, provider, tab
):
    asked = ask(courier, ada, provider, ADA, tab=tab)

    tab.say(type="continue", conversation=asked.conversation, generation=asked.generation)

    assert tab.until("error")["code"] == "waiting"


def test_an_answer_waits_on_its_own_branch(courier, ada, provider, tab):
    """While another branch is open, the call cannot be decided; back on its own branch, it can."""
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
    assert all_faults(provider.requests) == []


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
