"""Summaries in the running server: made in the background, folded, refused, and kept."""

import json
import uuid

import pytest

from tests.patience import eventually
from tests.people import Person, text_of
from tests.provider import Call, Provider, Reply
from tests.servers import running

MESSAGES = 250
QUICK = {
    "HISTORY_TRIGGER_AT": "6",
    "HISTORY_KEEP_RECENT": "2",
    "HISTORY_SUMMARIZE_EVERY": "4",
}


@pytest.fixture
def offline(app):
    """Run a server that only has the offline model, at its highest speed."""
    return app(
        DEMO_WORDS_PER_SECOND="1000000",
        HISTORY_SUMMARIZE="true",
        DEFAULT_HISTORY_POLICY="all",
    )


def checkpoints(person, conversation):
    """Return the checkpoints, the oldest first."""
    return person.api("GET", f"/conversations/{conversation}/checkpoints").json()[::-1]


def until_made(tab, person, conversation, last):
    """Wait for the summary that ends at position `last`, and for any fold that follows it."""
    while True:
        tab.until("summary")
        rows = checkpoints(person, conversation)
        ready = [row for row in rows if row["state"] == "ready"]
        pending = any(row["state"] == "pending" for row in rows)
        if not pending and len(ready) <= 8 and any(row["last"] == last for row in ready):
            return sorted(ready, key=lambda row: row["first"])


def plan_of(person, conversation, turn):
    return person.api("GET", f"/conversations/{conversation}/turns/{turn}/context").json()["plan"]


def labels(plan):
    return [e["label"] for e in plan["entries"] if e["label"].startswith("checkpoint")]


def messages_of(server):
    return server.rows("SELECT position, text FROM history_message ORDER BY position")


def test_250_messages_are_summarised_at_100_110_and_so_on(offline):
    ada = Person(offline)
    conversation, made = None, []
    with ada.tab() as tab:
        for turn in range(1, MESSAGES // 2 + 1):
            text = "My name is Ada." if turn == 1 else f"Tell me of number {turn}."
            where = {"conversation": conversation} if conversation else {"agent": "demo"}
            ack, end = tab.ask(text, **where)
            conversation = ack["conversation"]
            assert end["status"] == "done"
            if made and made[-1][0] == 2 * turn - 2:
                assert labels(plan_of(ada, conversation, turn)) == made[-1][1]
            if 2 * turn >= 100 and 2 * turn % 10 == 0:
                ready = until_made(tab, ada, conversation, 2 * turn - 11)
                made.append((2 * turn, [f"checkpoint {row['id']}" for row in ready]))
        _, end = tab.ask("What is my name?", conversation=conversation)

    rows = checkpoints(ada, conversation)
    ends = [row["last"] + 1 for row in rows if row["first"] != 0 or row["id"] == rows[0]["id"]]
    assert ends == list(range(90, 250, 10))
    assert [row["first"] for row in rows[:3]] == [0, 90, 100]
    assert {row["state"] for row in rows} == {"ready", "folded"}
    assert "Ada" in text_of(end["html"])
    assert_the_next_request_holds_them(offline, ada, conversation, rows)
    assert [position for position, _ in messages_of(offline)] == list(range(MESSAGES + 2))


def assert_the_next_request_holds_them(server, ada, conversation, rows):
    ready = sorted((r for r in rows if r["state"] == "ready"), key=lambda row: row["first"])
    plan = plan_of(ada, conversation, MESSAGES // 2 + 1)
    assert labels(plan) == [f"checkpoint {row['id']}" for row in ready]
    assert plan["window"]["summaries"] == sum(row["tokens"] for row in ready)
    summarised = [e for e in plan["entries"] if e["verdict"] == "S"]
    assert (summarised[0]["first"], summarised[-1]["last"]) == (0, 239)
    ((hashes,),) = server.rows("SELECT texts FROM history_contextplan ORDER BY head DESC LIMIT 1")
    texts = dict(server.rows("SELECT hash, text FROM history_storedtext"))
    named = hashes if isinstance(hashes, dict) else json.loads(hashes)
    for row in ready:
        assert row["summary"] in texts[named[f"checkpoint {row['id']}"]]


@pytest.fixture(scope="module")
def summariser():
    with Provider() as server:
        yield server


@pytest.fixture(scope="module")
def served(migrated, summariser, tmp_path_factory):
    """Run a server whose offline model answers, while a scripted model writes the summaries."""
    folder = tmp_path_factory.mktemp("summaries") / "data"
    environment = {**summariser.environment, **QUICK, "DEFAULT_MODEL": "demo/mirror"}
    with running(migrated, folder, HISTORY_SUMMARY_MODEL="openai/fake", **environment) as server:
        yield server


def chat(tab, count, *, conversation=None):
    """Hold `count` turns; return the conversation."""
    for _ in range(count):
        where = {"conversation": conversation} if conversation else {"agent": "demo"}
        ack, end = tab.ask("Tell me more.", **where)
        assert end["status"] == "done"
        conversation = ack["conversation"]
    return conversation


def until_asked(summariser):
    """Wait until the summariser has its request, which fixes the range."""
    assert eventually(lambda: summariser.requests)


def summarise(person, conversation):
    own = {"history_settings": {"summarize": True}}
    assert person.api("PATCH", f"/conversations/{conversation}", json=own).status_code == 200


def what_is_sent(plan):
    """Return all of a plan except its settings."""
    return {name: plan[name] for name in ("entries", "window", "counts", "notes", "budget")}


@pytest.mark.daily("empty")
@pytest.mark.parametrize(
    ("replies", "why"),
    [
        pytest.param([Reply(status=500)] * 3, "is having problems", id="failing"),
        pytest.param([Reply(status=401)], "rejected the key", id="a bad key"),
        pytest.param([Reply(text=["", " "])], "answered with nothing", id="empty"),
        pytest.param([Reply(calls=[Call("search")])], "called a tool", id="a tool call"),
        pytest.param(
            [Reply(text=['<tool_call>{"name": "x"}</tool_call>'])],
            "tool protocol instead of prose",
            id="tool protocol as text",
        ),
        pytest.param([Reply(text=["word "] * 900)], "no shorter than its source", id="too long"),
        pytest.param([Reply(text=["Half a"], finish="length")], "cut off", id="cut off"),
    ],
)
def test_a_failing_summary_changes_nothing_but_the_explanation(served, summariser, replies, why):
    summariser.reset()
    summariser.script(*replies)
    ada = Person(served)
    with ada.tab() as tab:
        tried = chat(tab, 2)
        summarise(ada, tried)
        chat(tab, 1, conversation=tried)
        tab.until("summary")
        asked = len(summariser.requests)
        chat(tab, 1, conversation=tried)

    (row,) = checkpoints(ada, tried)
    assert (row["state"], row["first"], row["last"], row["summary"]) == ("failed", 0, 3, "")
    assert "sk-test-canary" not in row["reason"]
    assert asked == len(replies)
    assert len(ada.api("GET", f"/conversations/{tried}/messages").json()["messages"]) == 8
    panel = text_of(ada.open(f"/chat/{tried}/panel").text)
    assert "No summary:" in panel
    assert why in panel


def test_what_is_sent_after_a_failure_is_what_would_have_been(served, summariser):
    summariser.reset()
    summariser.script(Reply(status=401))
    ada = Person(served)
    with ada.tab() as tab:
        plain = chat(tab, 4)
        tried = chat(tab, 2)
        summarise(ada, tried)
        chat(tab, 1, conversation=tried)
        tab.until("summary")
        chat(tab, 1, conversation=tried)

    assert what_is_sent(plan_of(ada, tried, 4)) == what_is_sent(plan_of(ada, plain, 4))


@pytest.mark.daily
def test_what_arrives_meanwhile_is_neither_delayed_nor_lost(served, summariser):
    summariser.reset()
    summariser.script(Reply(text=["They ", "spoke."], hang_after=1))
    ada = Person(served)
    with ada.tab() as tab:
        tried = chat(tab, 2)
        summarise(ada, tried)
        chat(tab, 1, conversation=tried)
        until_asked(summariser)
        chat(tab, 2, conversation=tried)
        (pending,) = checkpoints(ada, tried)
        summariser.release()
        tab.until("summary")
        tab.until("summary")  # The summary of the later messages.
        chat(tab, 1, conversation=tried)

    assert (pending["state"], pending["first"], pending["last"]) == ("pending", 0, 3)
    first, second = checkpoints(ada, tried)
    assert (first["state"], first["summary"]) == ("ready", "They spoke.")
    assert (second["state"], second["first"], second["last"]) == ("ready", 4, 7)
    plan = plan_of(ada, tried, 6)
    letters = "".join(e["verdict"] * e["count"] for e in plan["entries"] if e["first"] is not None)
    assert letters == "SSSSSSSSKKK"


@pytest.mark.daily
def test_compact_in_the_chat_is_a_command_and_no_message(served, summariser):
    summariser.reset()
    summariser.script(Reply(text=["They spoke."]))
    ada = Person(served)
    with ada.tab() as tab:
        conversation = chat(tab, 2)
        said = [say(tab, text, conversation) for text in (" /help\n", "/compact")]
        told = tab.until("notice")["message"]
        refused = say(tab, "/compact", conversation)
        longer = say(tab, "/compact please", conversation)
        ack, _ = tab.ask("//compact please", conversation=conversation)

    assert [frame["type"] for frame in said] == ["notice", "notice"]
    assert "/compact" in said[0]["message"]
    assert told.startswith("Messages 1 to 2 summarised: ")
    assert (refused["type"], refused["code"]) == ("error", "nothing")
    assert (longer["type"], longer["code"]) == ("error", "unknown_command")
    assert ack["position"] == 4
    assert labels(plan_of(ada, conversation, 3)) != []


def test_compact_before_a_chat_has_begun(served):
    with Person(served).tab() as tab:
        answer = say(tab, "/compact", None)

    assert (answer["type"], answer["code"]) == ("error", "nothing")


def say(tab, text, conversation):
    """Send a command; return the frame that answers it."""
    client_msg_id = str(uuid.uuid4())
    where = {"conversation": conversation} if conversation else {"agent": "demo"}
    tab.say(type="send", text=text, client_msg_id=client_msg_id, **where)
    while (frame := tab.next()).get("client_msg_id") != client_msg_id:
        pass
    return frame


def test_a_killed_server_leaves_no_summary_pending(app, summariser):
    summariser.reset()
    summariser.script(Reply(text=["They ", "spoke."], hang_after=1))
    environment = {**summariser.environment, **QUICK, "DEFAULT_MODEL": "demo/mirror"}
    server = app(HISTORY_SUMMARY_MODEL="openai/fake", HISTORY_SUMMARIZE="true", **environment)
    ada = Person(server)
    with ada.tab() as tab:
        conversation = chat(tab, 3)
        until_asked(summariser)
        server.kill()

    server.start()

    (row,) = checkpoints(ada, conversation)
    assert (row["state"], row["reason"]) == (
        "failed",
        "the server stopped while writing it",
    )
