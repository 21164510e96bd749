"""The app survives killed and suspended processes, and pages that reload during an answer."""

from uuid import uuid4

import pytest

from tests.patience import PATIENCE
from tests.people import Person
from tests.provider import Call, Reply


def stored(server):
    return server.rows("SELECT role, text FROM history_message ORDER BY position")


def half_told(tab, provider, words=30):
    """Begin an answer without an end; return its ack and its text once all words have arrived."""
    provider.script(Reply(text=[f"w{n} " for n in range(words)], hang_after=words))
    ack = tab.send("Tell me", agent="demo")
    text = ""
    while f"w{words - 1} " not in text:
        text += tab.until("delta")["data"]["text"]
    return ack, text


def test_kill_9_in_the_middle_of_an_answer(fragile, provider):
    ada = Person(fragile)
    with ada.tab() as tab:
        ack, text = half_told(tab, provider)
        fragile.wait_for_log(text.split()[-1])
        fragile.kill()

    fragile.start()

    assert fragile.statuses() == ["interrupted"]
    assert stored(fragile) == [("user", "Tell me"), ("assistant", text)]
    page = ada.open(f"/chat/{ack['conversation']}").text
    assert "Interrupted" in page
    assert "Continue" in page
    assert len(provider.requests) == 1


@pytest.mark.daily
def test_an_interrupted_answer_is_continued(fragile, provider):
    ada = Person(fragile)
    with ada.tab() as tab:
        ack, text = half_told(tab, provider)
        fragile.wait_for_log(text.split()[-1])
        fragile.kill()
    fragile.start()
    provider.script(Reply(text=["and so it ended."]))

    with ada.tab(ack["conversation"]) as tab:
        tab.say(type="continue", conversation=ack["conversation"], generation=ack["generation"])
        end = tab.until("end")["data"]

    assert end["status"] == "done"
    assert stored(fragile)[1:] == [("assistant", text), ("assistant", "and so it ended.")]
    assert [m["role"] for m in provider.requests[1]["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert "exactly where it ended" in provider.requests[1]["messages"][-1]["content"]
    assert len(provider.requests) == 2


def test_kill_9_before_there_is_any_text(fragile, provider):
    ada = Person(fragile)
    provider.script(Reply(text=["never"], hang_after=0))
    with ada.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        tab.until("plan")
        fragile.kill()

    fragile.start()

    assert fragile.statuses() == ["interrupted"]
    assert stored(fragile) == [("user", "Tell me")]
    assert "Retry" in ada.open(f"/chat/{ack['conversation']}").text


def test_kill_9_between_a_call_and_its_result(app, provider):
    """The call stays in the transcript after a kill; the next request omits it and says so."""
    server = app(**provider.environment)
    call = Call("calculator", '{"expression": "6*7"}', id="c1")
    provider.script(Reply(text=["Let me see. "], calls=[call], finish="tool_calls"))
    ada = Person(server)
    with ada.tab() as tab:
        ack, _ = tab.ask("6*7?", agent="demo")
    server.kill()
    lost = "role = 'tool' OR position > 1"
    hashed = f"SELECT id FROM history_message WHERE {lost}"
    server.write(f"DELETE FROM history_messagehash WHERE message_id IN ({hashed})")
    server.write(f"DELETE FROM history_message WHERE {lost}")
    server.start()
    provider.script(Reply(text=["Hello again."]))

    with ada.tab() as tab:
        tab.ask("Are you there?", conversation=ack["conversation"])

    sent = provider.requests[-1]["messages"]
    assert [m["role"] for m in sent] == ["system", "user", "assistant", "user"]
    assert [m.get("tool_calls") for m in sent] == [None] * 4
    plan = ada.api("GET", f"/conversations/{ack['conversation']}/plans?limit=1").json()[0]["plan"]
    altered = [entry for entry in plan["entries"] if entry["verdict"] == "A"]
    assert [entry["first"] for entry in altered] == [1]


@pytest.mark.daily
def test_a_stopped_service_keeps_the_text(fragile, provider):
    ada = Person(fragile)
    with ada.tab() as tab:
        _, text = half_told(tab, provider)
        code = fragile.terminate()

    assert code in (0, -15, 143)
    assert fragile.statuses() == ["interrupted"]
    assert stored(fragile) == [("user", "Tell me"), ("assistant", text)]


@pytest.mark.daily
def test_an_answer_goes_on_while_nobody_looks(served, ada, provider):
    provider.script(Reply(text=[f"w{n} " for n in range(40)], delay=0.01))
    with ada.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        tab.until("delta")

    with ada.tab() as tab:
        tab.say(
            type="subscribe",
            conversation=ack["conversation"],
            generation=ack["generation"],
            after_seq=0,
        )
        end = tab.until("end")["data"]

    assert end["status"] == "done"
    assert "w39" in end["html"]


@pytest.mark.daily("3")
@pytest.mark.parametrize("seen", [0, 1, 3, 6, 10])
def test_a_reload_in_mid_answer_misses_nothing_and_repeats_nothing(ada, provider, seen):
    """However many events a tab has seen, it gets exactly the others."""
    provider.script(Reply(text=[f"w{n} " for n in range(40)], delay=0.05))
    with ada.tab() as tab:
        ack = tab.send("Tell me", agent="demo")
        while len(tab.events(ack["generation"])) < seen:
            tab.next()
        before = tab.events(ack["generation"])

    with ada.tab() as tab:
        tab.say(
            type="subscribe",
            conversation=ack["conversation"],
            generation=ack["generation"],
            after_seq=len(before),
        )
        tab.until("end")
        after = tab.events(ack["generation"])

    events = before + after
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    text = "".join(e["data"]["text"] for e in events if e["kind"] == "delta")
    assert text == "".join(f"w{n} " for n in range(40))
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "after_seq", [0, 5, 10_000], ids=["from the start", "from the middle", "past the end"]
)
def test_a_tab_that_comes_back_after_the_end(ada, provider, after_seq):
    provider.script(Reply(text=["one ", "two"]))
    with ada.tab() as tab:
        ack, _ = tab.ask("Tell me", agent="demo")
        whole = tab.events(ack["generation"])

    with ada.tab() as tab:
        tab.say(
            type="subscribe",
            conversation=ack["conversation"],
            generation=ack["generation"],
            after_seq=after_seq,
        )
        tab.say(type="ping")
        tab.until("pong")

    rest = tab.events(ack["generation"])
    if after_seq < len(whole):
        assert rest == whole[after_seq:]
    else:
        assert [frame["type"] for frame in tab.seen] == ["reload", "pong"]


@pytest.mark.daily
def test_deleting_a_conversation_ends_its_answer(served, ada, provider):
    provider.script(Reply(text=["word "], endless=True, delay=0.01))
    with ada.tab() as tab:
        ack = tab.send("Talk", agent="demo")
        tab.until("delta")
        answer = ada.api("DELETE", f"/conversations/{ack['conversation']}")

    assert answer.status_code == 204
    assert provider.closed.wait(PATIENCE)
    left = served.rows(
        "SELECT count(*) FROM history_message WHERE conversation_id = ?",
        ack["conversation"].replace("-", ""),
    )
    assert left == [(0,)]


@pytest.mark.daily
def test_signing_out_ends_what_a_socket_may_do(served, ada):
    with ada.tab() as tab:
        served.write("DELETE FROM django_session")
        tab.say(type="subscribe", conversation=str(uuid4()))
        with pytest.raises(Exception, match="4401"):
            tab.next()


def test_a_socket_of_nobody_is_told_why_it_is_closed(served, ada):
    served.write("DELETE FROM django_session")
    with ada.tab() as tab, pytest.raises(Exception, match="4401"):
        tab.next()
