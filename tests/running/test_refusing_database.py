"""While the database refuses work, requests soon get an answer that says so, and store nothing."""

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from chatapp.databases.connection_settings import WAIT_SECONDS
from chatapp.logs.entries import QUIET_SECONDS
from tests import data
from tests.patience import seconds
from tests.people import Person
from tests.provider import Call, Reply
from tests.running.refusing_database import held

SENTENCE = "The database isn't available right now. Try again in a few seconds."
BOUND = 5 + seconds(4)  # Seconds; the database is waited for 5 s.


@pytest.fixture
def begun(ada, provider):
    """Make a conversation with one answer; return its id."""
    provider.script(Reply(text=["Fine."]))
    with ada.tab() as tab:
        ack, _ = tab.ask("Hello", agent="demo")
    return ack["conversation"]


def rename(person, conversation, **headers):
    """Rename a chat as the page does, which always writes, unlike opening a page."""
    headers = {**person.headers, **headers}
    path = f"/chat/{conversation}/rename"
    return person.http.post(path, data={"title": "Rome"}, headers=headers)


def message(text):
    return {"text": text, "client_msg_id": str(uuid.uuid4())}


def timed(ask, *arguments, **options):
    began = time.monotonic()
    answer = ask(*arguments, **options)
    return answer, time.monotonic() - began


def written(server):
    return [text for (text,) in server.rows("SELECT text FROM history_message ORDER BY id")]


def test_one_that_is_held_for_a_moment_is_waited_for(served, ada, begun, provider):
    provider.script(Reply(text=["Still fine."]))
    path = f"/conversations/{begun}/messages"

    with ThreadPoolExecutor(1) as others, ada.tab(begun) as tab:
        with held(served):
            answer = others.submit(ada.api, "POST", path, json=message("And now?"))
            time.sleep(2)
            assert not answer.done()
        assert answer.result().status_code == 200
        assert tab.until("end")["data"]["status"] == "done"


@pytest.mark.skipif(bool(data.server()), reason="PostgreSQL has no file to hold")
@pytest.mark.parametrize("step", [1, 2])
def test_a_running_answer_waits_for_longer_than_a_request(served, ada, provider, step):
    """The database is locked while the model writes this step, so storing it is first refused."""
    call = Call("calculator", '{"expression": "6*7"}')
    replies = [Reply(text=["Let me see. "], calls=[call], finish="tool_calls"), Reply(text=["42."])]
    replies[step - 1] = replace(replies[step - 1], hang_after=1)
    provider.script(*replies)

    with ada.tab() as tab:
        tab.send("What is 6*7?", agent="demo")
        tab.until("delta" if step == 1 else "result")
        with held(served):
            provider.release()
            time.sleep(2 * WAIT_SECONDS)
        end = tab.until("end")["data"]

    assert (end["status"], written(served)[-1]) == ("done", "42.")


def asked_of(others, ada, begun):
    """Write by page, fragment and API at the same time; return the futures."""
    path = f"/conversations/{begun}/messages"
    return {
        "page": others.submit(timed, rename, ada, begun),
        "fragment": others.submit(timed, rename, ada, begun, **{"HX-Request": "true"}),
        "API": others.submit(timed, ada.api, "POST", path, json=message("a")),
    }


@pytest.mark.daily
def test_every_request_is_told_in_time_and_nothing_is_half_stored(served, ada, begun):
    before = written(served)
    with held(served), ThreadPoolExecutor(3) as others:
        asked = asked_of(others, ada, begun)
        found = {name: answer.result() for name, answer in asked.items()}

    page, fragment, api = (answer for answer, _ in found.values())
    assert [answer.status_code for answer in (page, fragment, api)] == [503, 503, 503]
    assert {answer.headers["retry-after"] for answer in (page, fragment, api)} == {"5"}
    assert api.json() == {"code": "unavailable", "detail": SENTENCE}
    assert fragment.headers["content-type"].startswith("text/plain")
    assert fragment.text == SENTENCE
    assert "<title>" in page.text
    assert "plain-card" in page.text
    assert max(took for _, took in found.values()) < BOUND
    assert written(served) == before


def test_a_tab_is_told_in_time_and_answered_when_it_asks_again(served, ada, begun, provider):
    before = written(served)
    with ada.tab(begun) as tab:
        tab.say(type="ping")
        tab.until("pong")
        with held(served):
            tab.say(type="send", conversation=begun, **(said := message("b")))
            refusal, waited = timed(tab.until, "error")
    assert refusal["code"] == "unavailable"
    assert (refusal["message"], refusal["client_msg_id"]) == (SENTENCE, said["client_msg_id"])
    assert waited < BOUND
    assert written(served) == before

    provider.script(Reply(text=["Again."]))
    with ada.tab(begun) as tab:
        _, end = tab.ask("b", conversation=begun)
    assert end["status"] == "done"


def test_the_log_has_a_line_for_it_and_no_traceback(served, ada, begun):
    time.sleep(QUIET_SECONDS)  # So that earlier tests' repetitions do not hide the line.
    already = len(served.log.read_text())

    with held(served), ThreadPoolExecutor(3) as others:
        asked = [others.submit(rename, ada, begun) for _ in range(3)]
        assert {answer.result().status_code for answer in asked} == {503}

    said = served.log.read_text()[already:]
    assert "Traceback" not in said
    line = f"Service Unavailable: /chat/{begun}/rename"
    assert len([each for each in said.splitlines() if line in each]) == 1


@pytest.mark.skipif(not data.server(), reason="SQLite is read whoever writes")
def test_a_new_socket_is_turned_away_and_comes_back(served, ada, begun):
    with held(served), pytest.raises(Exception, match="503"), ada.tab():
        pass

    with ada.tab(begun) as tab:
        tab.say(type="ping")
        assert tab.until("pong")


def test_a_bug_is_still_reported_as_a_bug(app, provider):
    server = app(**provider.environment)
    ada = Person(server)
    server.write("DROP TABLE history_viewing")
    server.write("ALTER TABLE agents_agenttemplate RENAME TO gone")

    answer = ada.open("/chat")

    assert answer.status_code == 500
    assert "Traceback" in server.log.read_text()
