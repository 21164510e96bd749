"""In the running app, limits apply to each person, and answers wait for a free shared place."""

import json
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from websockets.exceptions import ConnectionClosed

from tests.patience import seconds
from tests.people import Person
from tests.provider import Call, Reply
from tests.running.malformed_streams import calling
from tests.servers import running

TIGHT = {
    "OPEN_ANSWERS": "2",
    "OPEN_ANSWERS_PER_PERSON": "4",
    "SENDS_PER_MINUTE": "8",
    "BYTES_PER_DAY": "10000",
    "TOKENS_PER_DAY": "20000",
    "SOCKETS_PER_PERSON": "3",
    "FRAMES_PER_SECOND": "20",
}
A_WHILE = 5  # Seconds; the next message may be sent after at most 7.5.
SLOW = Reply(text=["not ", "yet"], delay=1.0)
HELD = Reply(text=["at ", "last"], hang_after=0)


@pytest.fixture(scope="module")
def served(migrated, module_provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp("served") / "data"
    with running(migrated, folder, **module_provider.environment, **TIGHT) as server:
        yield server


def begin(person, text="Hi", **fields):
    sent = {"text": text, "client_msg_id": str(uuid.uuid4()), "agent": "demo", **fields}
    return person.api("POST", "/conversations", json=sent)


def status(person, ack):
    path = f"/conversations/{ack['conversation']}/generations/{ack['generation']}"
    return person.api("GET", path).json()["status"]


def until_done(person, *acks):
    """Wait until these answers are done."""
    for _ in range(1_000):
        if {status(person, ack) for ack in acks} == {"done"}:
            return
        time.sleep(0.02)
    raise AssertionError([status(person, ack) for ack in acks])


def until_asked(provider, times):
    for _ in range(1_000):
        if len(provider.requests) == times:
            return
        time.sleep(0.02)
    raise AssertionError(provider.requests)


def close_code(tab):
    """Read until the server closes the socket; return the closing code."""
    try:
        while True:
            tab.next()
    except ConnectionClosed:
        return tab.socket.protocol.close_code


def use_up(tab, ack):
    """Send messages until the wait for the next one is at least `A_WHILE`; return the refusal and
    the number of messages. After a shorter wait, the next message could already be allowed.
    """
    for sent in range(1, 60):
        text = {"text": "more", "client_msg_id": str(uuid.uuid4())}
        tab.say(type="send", conversation=ack["conversation"], **text)
        frame = tab.next()
        while frame["type"] not in {"ack", "error"}:
            frame = tab.next()
        if frame["type"] == "ack":
            tab.until("end", generation=frame["generation"])
        elif frame["seconds"] >= A_WHILE:
            return frame, sent
        else:
            time.sleep(frame["seconds"])
    raise AssertionError("it was never refused")


@pytest.mark.daily
def test_messages_per_minute_are_limited(ada, provider):
    with ada.tab() as tab:
        ack, _ = tab.ask("0", agent="demo")
        refusal, sent = use_up(tab, ack)
    refused = begin(ada)

    assert sent >= 8
    assert refusal["code"] == "too_many"
    assert refusal["message"].startswith(
        "You've reached the limit of 8 messages per minute. Try again in "
    )
    assert 0 < refusal["seconds"] <= 8
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
    assert 0 < int(refused.headers["Retry-After"]) <= 8
    assert begin(Person(ada.server)).status_code == 200


def test_what_was_stored_is_acknowledged_again_whatever_the_limit(ada, provider):
    message = {"text": "Hi", "client_msg_id": str(uuid.uuid4()), "agent": "demo"}
    with ada.tab() as tab:
        first, _ = tab.ask(**message)
        use_up(tab, first)

        assert tab.send(**message) == first


def use_up_by_posting(person, path):
    """Post until the wait is at least `A_WHILE`; return the refusal."""
    for _ in range(60):
        answer = person.api("POST", path)
        seconds = int(answer.headers.get("Retry-After", 0))
        if seconds >= A_WHILE:
            return answer
        time.sleep(seconds)
    raise AssertionError("it was never refused")


def test_retries_and_summaries_count_too(ada, provider):
    with ada.tab() as tab:
        ack, _ = tab.ask("Hi", agent="demo")
        path = f"/conversations/{ack['conversation']}/checkpoints"
        refused = use_up_by_posting(ada, path)
        tab.say(type="retry", **{name: ack[name] for name in ("conversation", "generation")})

        assert tab.until("error")["code"] == "too_many"
    assert refused.json()["code"] == "too_many"


def test_text_per_day_is_limited(ada, provider):
    provider.script(Reply(text=["y" * 4_000]))
    stored = begin(ada, "x" * 5_000)
    until_done(ada, stored.json())
    refused = begin(ada, "x" * 5_000)

    assert (stored.status_code, refused.status_code) == (200, 429)
    assert refused.json()["detail"].startswith(
        "You've reached the limit of 10 kB of text per day. Try again in "
    )
    assert begin(ada, "x" * 500).status_code == 200


def test_tokens_per_day_are_limited_as_the_provider_reports_them(ada, provider):
    usage = {"prompt_tokens": 20_000, "completion_tokens": 5_500, "total_tokens": 25_500}
    provider.script(Reply(text=["Hello"], usage=usage))
    until_done(ada, begin(ada).json())
    refused = begin(ada)

    assert refused.status_code == 429
    assert refused.json()["detail"] == (
        "You've reached the limit of 20,000 tokens per day. Try again in 7 hours."
    )


def test_tokens_that_nobody_reports_are_counted(ada, provider):
    provider.script(Reply(text=["one two three " * 4_000]), Reply(text=["one two three " * 3_000]))
    for _ in range(2):
        begun = begin(ada)
        if begun.status_code == 200:
            until_done(ada, begun.json())

    assert begin(ada).status_code == 429


def test_messages_sent_at_once_open_no_more_answers_than_one_person_may(ada, provider, served):
    """Each message is checked when the answers to the earlier ones already count."""
    provider.script(*[HELD] * 4)
    with ThreadPoolExecutor(12) as threads:
        answers = list(threads.map(lambda n: begin(ada, str(n)), range(12)))
    acks = [answer.json() for answer in answers if answer.status_code == 200]
    codes = [answer.json()["code"] for answer in answers if answer.status_code != 200]
    details = {answer.json()["detail"] for answer in answers if answer.status_code != 200}

    assert (len(acks), codes) == (4, ["too_many"] * 8)
    assert details == {
        "You can have at most 4 answers in progress. Stop one or wait. Try again in 5 seconds."
    }
    provider.release()
    until_done(ada, *acks)
    assert begin(ada).status_code == 200


def test_answers_above_what_the_process_takes_wait_and_their_place_is_told(served, provider):
    ada, bob, cyd = (Person(served) for _ in range(3))
    provider.script(HELD, HELD)
    with bob.tab() as tab, cyd.tab() as other:
        first, second = (begin(ada, text).json() for text in ("one", "two"))
        third = tab.send("three", agent="demo")
        place = tab.until("place")
        fourth = other.send("four", agent="demo")
        behind = other.until("place")
        assert [status(bob, third), status(cyd, fourth)] == ["queued", "queued"]
        with bob.tab(third["conversation"]) as late:
            shown = late.until("place")

        tab.say(type="stop", conversation=third["conversation"], generation=third["generation"])
        tab.until("reload")
        moved = other.until("place")
        provider.release()
        end = other.until("end", generation=fourth["generation"])

    told = (place["ahead"], place["text"])
    assert told == (0, "Waiting: you're next.")
    assert shown == place
    assert (behind["ahead"], behind["text"]) == (1, "Waiting: 1 ahead of you.")
    assert moved["ahead"] == 0
    assert (status(bob, third), end["data"]["status"]) == ("stopped", "done")
    until_done(ada, first, second)


def test_one_person_with_many_does_not_block_anothers_first(served, provider):
    ada, bob = Person(served), Person(served)
    provider.script(*[HELD] * 2, *[SLOW] * 2)
    acks = [begin(ada, f"ada {n}").json() for n in range(4)]
    with bob.tab() as tab:
        mine = tab.send("bob", agent="demo")
        assert tab.until("place")["ahead"] == 1
        provider.release()
        tab.until("end", generation=mine["generation"])
    until_done(ada, *acks)

    asked = [request["messages"][-1]["content"] for request in provider.requests]
    assert asked.index("bob") <= 3


def test_a_task_for_another_agent_waits_for_nobody(served, provider):
    """Otherwise answers that wait for delegated tasks could hold all shared places."""
    asks = "UPDATE agents_agenttemplate SET asks = ? WHERE slug = ?"
    served.write(asks, json.dumps(["goldfish"]), "demo")
    ada, bob, cyd = (Person(served) for _ in range(3))
    ask = Call("ask_goldfish", '{"task": "Count the boats"}', id="a1")
    provider.script(calling(ask), calling(ask), *[Reply(text=["Seven"])] * 5)
    acks = {person: begin(person).json() for person in (ada, bob, cyd)}

    for person, ack in acks.items():
        until_done(person, ack)


def test_a_person_has_so_many_tabs_and_the_next_is_told_why(ada):
    with ExitStack() as tabs:
        for _ in range(3):
            tabs.enter_context(ada.tab())
        with ada.tab() as fourth:
            refusal, code = fourth.until("error"), close_code(fourth)
        with Person(ada.server).tab() as another:
            another.say(type="ping")
            another.until("pong")

    assert refusal["message"] == (
        "Too many open tabs (the limit is 3). Close one. Try again in 30 seconds."
    )
    assert (refusal["code"], refusal["seconds"], code) == ("too_many_tabs", 30, 4429)


def test_a_tab_that_was_closed_leaves_its_place(ada):
    for _ in range(5):
        with ada.tab() as tab:
            tab.say(type="ping")
            tab.until("pong")


def test_a_flood_of_frames_is_refused_then_shut_out_and_others_notice_nothing(ada, served):
    bob = Person(served)
    with ada.tab() as flooding, bob.tab() as other:
        began = time.monotonic()
        for _ in range(400):
            flooding.say(type="ping")
        code = close_code(flooding)
        flooded = time.monotonic() - began
        other.say(type="ping")
        began = time.monotonic()
        other.until("pong")
        took = time.monotonic() - began

    kinds = [frame["type"] for frame in flooding.seen]
    assert code == 4429
    assert kinds.count("pong") <= 21 + 20 * flooded
    refused = [frame for frame in flooding.seen if frame["type"] == "error"]
    assert refused[-1] == {  # A ping may still succeed after this refusal.
        "type": "error",
        "client_msg_id": None,
        "code": "too_many",
        "message": "This tab has reached the limit of 20 commands per second. "
        "Try again in 1 second.",
        "seconds": 1,
    }
    assert took < seconds(5)


def test_what_nobody_had_begun_is_answered_after_a_restart(served, provider):
    ada = Person(served)
    provider.script(HELD, HELD)
    running_now = [begin(ada, text).json() for text in ("one", "two")]
    queued = begin(ada, "three").json()
    assert status(ada, queued) == "queued"
    until_asked(provider, 2)  # The two running answers must have taken both held replies.

    served.kill()
    served.start()
    until_done(ada, queued)

    assert {status(ada, ack) for ack in running_now} == {"interrupted"}
