"""In the running app, one agent asks another one; the fake provider answers for both."""

import json
from uuid import UUID

import pytest

from tests.pairing import all_faults
from tests.people import Person, text_of
from tests.provider import Call, Reply
from tests.running.malformed_streams import calling

ASKS = "UPDATE agents_agenttemplate SET asks = ? WHERE slug = ?"
SETTINGS = "UPDATE agents_agenttemplate SET history_settings = ? WHERE slug = ?"
ASK = Call("ask_goldfish", '{"task": "Count the boats"}', id="a1")


def equip(server):
    """Let Demo ask Goldfish, Goldfish ask the archivist, and the archivist ask Demo."""
    for slug, asked in {"demo": "goldfish", "goldfish": "archivist", "archivist": "demo"}.items():
        server.write(ASKS, json.dumps([asked]), slug)


@pytest.fixture
def equipped(served):
    equip(served)
    return served


def told(ada, conversation):
    """Return the role and text of each message."""
    answer = ada.api("GET", f"/conversations/{conversation}/messages").json()
    return [(m["role"], m["text"]) for m in answer["messages"]]


def children(server):
    """Return the conversations that agents began: id, title and depth, the newest one last."""
    query = "SELECT CAST(id AS text), title, depth FROM history_conversation WHERE depth > 0"
    return server.rows(f"{query} ORDER BY created")


def notes_of(server):
    outbox = server.folder / "outbox.jsonl"
    return outbox.read_text() if outbox.exists() else ""


def tools_of(request):
    return [tool["function"]["name"] for tool in request.get("tools", [])]


@pytest.mark.daily
def test_the_asked_agents_answer_is_the_result(ada, provider, equipped):
    provider.script(calling(ASK), Reply(text=["Seven", " boats"]), Reply(text=["There are seven."]))

    with ada.tab() as tab:
        ack, end = tab.ask("How many boats?", agent="demo")

    parent, child, again = provider.requests
    assert told(ada, ack["conversation"])[1:] == [
        ("assistant", ""),
        ("tool", "Seven boats"),
        ("assistant", "There are seven."),
    ]
    assert end["status"] == "done"
    assert "ask_goldfish" in tools_of(parent)
    assert [m["content"] for m in child["messages"]][1:] == ["Count the boats"]
    assert "cheerful goldfish" in child["messages"][0]["content"]
    assert again["messages"][-1]["content"] == "Seven boats"
    assert all_faults(provider.requests) == []


def test_the_delegation_is_read_in_its_card_and_not_in_the_list(ada, provider, equipped):
    provider.script(calling(ASK), Reply(text=["Seven boats"]))
    with ada.tab() as tab:
        ack, end = tab.ask("How many boats?", agent="demo")

    address = end["html"].split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    shown, stranger = ada.open(address), Person(equipped).open(address)
    listed = ada.api("GET", "/conversations").json()["conversations"]
    assert "Goldfish Seven boats" in text_of(shown.text)
    assert "Open this task with its context" in shown.text
    assert 'data-state="done"' in end["html"]
    assert stranger.status_code == 404
    assert [c["id"] for c in listed] == [ack["conversation"]]
    assert "Count the boats" not in ada.open("/chat").text


def test_the_delegation_is_only_read_on_its_own_page(ada, provider, equipped):
    provider.script(calling(ASK), Reply(text=["Seven boats"]))
    with ada.tab() as tab:
        ack, _ = tab.ask("How many boats?", agent="demo")
    child = str(UUID(children(equipped)[-1][0]))

    page = ada.open(f"/chat/{child}").text
    sent = ada.api(
        "POST", f"/conversations/{child}/messages", json={"text": "Hi", "client_msg_id": child}
    )

    assert "Demo delegated this task to Goldfish" in text_of(page)
    assert f'href="/chat/{ack["conversation"]}"' in page
    assert '<form id="composer"' not in page
    assert (sent.status_code, sent.json()["code"]) == (409, "delegated")


def test_the_cost_of_a_delegation_counts_for_the_original_chat(ada, provider, equipped):
    usage = {"prompt_tokens": 50, "completion_tokens": 5, "total_tokens": 55}
    provider.script(calling(ASK), Reply(text=["Seven"], usage=usage), Reply(text=["7"]))
    with ada.tab() as tab:
        ack, _ = tab.ask("How many boats?", agent="demo")

    panel = text_of(ada.open(f"/chat/{ack['conversation']}/panel").text)

    assert "Delegated tasks" in panel
    assert "1 request from another agent" in panel
    assert "3 requests, 50 tokens in, 5 out" in panel


def test_a_task_is_handed_on_only_so_often(ada, provider, equipped):
    further = Call("ask_archivist", '{"task": "Look it up"}', id="a2")
    provider.script(calling(ASK), calling(further), Reply(text=["In the book"]))

    with ada.tab() as tab:
        _, end = tab.ask("How many boats?", agent="demo")

    plans = provider.requests
    assert end["status"] == "done"
    assert [(title, depth) for _, title, depth in children(equipped)[-2:]] == [
        ("Count the boats", 1),
        ("Look it up", 2),
    ]
    assert "ask_archivist" in tools_of(plans[1])
    assert [name for name in tools_of(plans[2]) if name.startswith("ask_")] == []
    assert all_faults(provider.requests) == []


def test_only_so_many_tasks_are_handed_on(ada, provider, app, served):
    server = app(**provider.environment, DELEGATIONS="1")
    equip(server)
    ada = Person(server)
    second = Call("ask_goldfish", '{"task": "Again"}', id="a2")
    provider.script(calling(ASK), Reply(text=["Seven"]), calling(second), Reply(text=["7"]))

    with ada.tab() as tab:
        ack, _ = tab.ask("How many boats?", agent="demo")

    assert [text for role, text in told(ada, ack["conversation"]) if role == "tool"] == [
        "Seven",
        "Error: Goldfish was not asked: an answer can delegate at most 1 tasks.",
    ]


@pytest.mark.parametrize(
    ("replies", "says"),
    [
        pytest.param(
            [calling(Call("ask_goldfish", '{"task": ""}'))],
            "Error: Goldfish was not asked: the argument 'task' is invalid",
            id="no task",
        ),
        pytest.param(
            [calling(Call("ask_goldfish", "{}"))],
            "Error: Goldfish was not asked: the argument 'task' is missing.",
            id="no argument",
        ),
        pytest.param(
            [calling(ASK), Reply(status=401)],
            "Error: Goldfish did not answer:",
            id="the asked one fails",
        ),
    ],
)
def test_what_goes_wrong_is_a_result(ada, provider, equipped, replies, says):
    provider.script(*replies, Reply(text=["Sorry"]))

    with ada.tab() as tab:
        ack, end = tab.ask("How many boats?", agent="demo")

    assert end["status"] == "done"
    assert says in next(text for role, text in told(ada, ack["conversation"]) if role == "tool")
    assert all_faults(provider.requests) == []


def test_what_needs_approval_is_refused_where_nobody_looks_on(ada, provider, equipped):
    """The delegated agent goes on without the tool's result; nobody waits for approval."""
    before = notes_of(equipped)
    tools = "UPDATE agents_agenttemplate SET tools = ? WHERE slug = 'goldfish'"
    equipped.write(tools, json.dumps(["send_note"]))
    sending = Call("send_note", '{"to": "Ada", "text": "Seven boats"}', id="n1")
    provider.script(calling(ASK), calling(sending), Reply(text=["Not sent"]), Reply(text=["No"]))

    with ada.tab() as tab:
        ack, end = tab.ask("How many boats?", agent="demo")

    (child, *_) = children(equipped)[-1]
    (refusal,) = (text for role, text in told(ada, child) if role == "tool")
    assert end["status"] == "done"
    assert refusal.startswith("Error: send_note needs approval")
    assert refusal.endswith("nobody was asked. It was not run.")
    assert ("tool", "Not sent") in told(ada, ack["conversation"])
    for shown in (end["html"], ada.open(f"/chat/{ack['conversation']}").text):
        assert "Partly done" in text_of(shown)
        assert "A tool that needs approval was not run." in text_of(shown)
    assert notes_of(equipped) == before
    assert all_faults(provider.requests) == []


def test_an_asked_agent_that_takes_too_long_is_stopped(provider, app):
    server = app(**provider.environment, DELEGATION_SECONDS="1")
    equip(server)
    ada = Person(server)
    with ada.tab() as tab:
        tab.ask("Warm up", agent="demo")
        provider.script(calling(ASK), Reply(text=["Sev"], hang_after=1), Reply(text=["Too slow"]))
        ack = tab.send("How many boats?", agent="demo")
        tab.until("result")
        provider.release()  # If Goldfish was stopped before asking, Demo got the hanging reply.
        end = tab.until("end")["data"]

    assert end["status"] == "done"
    assert ("tool", "Error: Goldfish took longer than 1 seconds.") in told(ada, ack["conversation"])
    assert server.rows("SELECT status FROM history_generation ORDER BY created")[-1] == ("stopped",)


@pytest.mark.daily
def test_stop_ends_the_asked_one_too(ada, provider, equipped):
    provider.script(calling(ASK), Reply(text=["Sevilla"], hang_after=1))

    with ada.tab() as tab:
        ack = tab.send("How many boats?", agent="demo")
        equipped.wait_for_log("Sevilla")
        tab.say(type="stop", conversation=ack["conversation"], generation=ack["generation"])
        tab.until("end", generation=ack["generation"])

    statuses = equipped.rows("SELECT status FROM history_generation ORDER BY created")[-2:]
    stopped = "Error: no result: the answer was stopped before the tool was done."
    assert statuses == [("stopped",), ("stopped",)]
    assert told(ada, children(equipped)[-1][0])[1:] == [("assistant", "Sevilla")]
    assert ("tool", stopped) in told(ada, ack["conversation"])


def test_kill_9_in_the_asked_one_leaves_both_valid(app, provider):
    server = app(**provider.environment)
    equip(server)
    ada = Person(server)
    with ada.tab() as tab:
        tab.ask("Warm up", agent="demo")
        provider.script(calling(ASK), Reply(text=["Sev"], hang_after=1))
        ack = tab.send("How many boats?", agent="demo")
        tab.until("calls")
        server.wait_for_log("Sev")
        server.kill()
    server.start()
    provider.reset()

    with ada.tab() as tab:
        _, end = tab.ask("Are you there?", conversation=ack["conversation"])

    rows = server.rows("SELECT status FROM history_generation ORDER BY created")
    assert [status for (status,) in rows] == ["done", "interrupted", "interrupted", "done"]
    assert end["status"] == "done"
    assert all_faults(provider.requests) == []


def test_the_asked_one_inherits_the_window_unless_its_template_has_one(ada, provider, equipped):
    equipped.write(SETTINGS, json.dumps({"max_items": 12}), "demo")
    provider.script(calling(ASK), Reply(text=["Seven"]))
    with ada.tab() as tab:
        tab.ask("How many boats?", agent="demo")
    child = children(equipped)[-1][0]

    settings = ada.api("GET", f"/conversations/{child}/settings").json()

    window = next(each for each in settings if each["name"] == "max_items")
    assert (window["value"], window["source"]) == (12, "inherited from Demo (agent demo v1)")
    equipped.write(SETTINGS, json.dumps({"policy": "lastN", "length": 3}), "goldfish")
