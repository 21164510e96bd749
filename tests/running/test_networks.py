"""The demo network in the running app: who answers, what each agent is sent, and valid pairs."""

import json

import pytest

from tests.pairing import all_faults
from tests.people import Person, text_of
from tests.provider import Call, Reply
from tests.running.malformed_streams import calling

MODEL = "UPDATE agents_agenttemplate SET model = ? WHERE slug IN (?, ?, ?)"
MEMBERS = ("greeter", "researcher", "accountant")
PROCESSORS = "UPDATE agents_agenttemplate SET processors = ? WHERE slug = 'accountant'"
SETTINGS = "UPDATE agents_agenttemplate SET history_settings = ? WHERE slug = 'accountant'"
REMEMBERS = {"policy": "lastN", "length": 20, "length_stride": 10}
FILTER = [{"use": "tool_call_filter", "exclude": ["report"]}]
TO_ACCOUNTANT = Call("transfer_to_accountant", '{"reason": "sums"}', id="t1")
TO_RESEARCHER = Call("transfer_to_researcher", "{}", id="t2")
SUM = Call("calculator", '{"expression": "6*7"}', id="c1")


@pytest.fixture
def offline(served):
    """Let all agents of the network use the mirror model."""
    served.write(MODEL, "demo/mirror", *MEMBERS)
    yield served
    served.write(PROCESSORS, json.dumps(FILTER))
    served.write(MODEL, "", *MEMBERS)


def messages(ada, ack):
    path = f"/conversations/{ack['conversation']}/messages?limit=200"
    return ada.api("GET", path).json()["messages"]


def spoken(ada, ack):
    """Return all messages but the user's: the agent, and its calls or the beginning of the text."""
    return [
        (m["agent"], [call["name"] for call in m["tool_calls"]] or m["text"].split("\n")[0][:50])
        for m in messages(ada, ack)
        if m["role"] != "user"
    ]


def plans(ada, ack):
    return ada.api("GET", f"/conversations/{ack['conversation']}/plans").json()[::-1]


def filtered(plan):
    """Return level, rule and number of messages of each entry that a processor removed."""
    return [
        (entry["level"], entry["rule"], entry["count"])
        for entry in plan["plan"]["entries"]
        if entry["verdict"] == "F"
    ]


def tools_of(request):
    return [tool["function"]["name"] for tool in request.get("tools", [])]


def research_and_sum(ada):
    """Hold the demo's two turns, of which the second needs the accountant."""
    with ada.tab() as tab:
        ack, _ = tab.ask("Please write a report on harbour fees", network="support")
        tab.ask("What is 12 * (3 + 4)?", conversation=ack["conversation"])
    return ack


def test_without_the_filter_the_next_agent_calls_the_wrong_tool(ada, offline):
    offline.write(PROCESSORS, "[]")

    ack = research_and_sum(ada)

    assert spoken(ada, ack)[-4:] == [
        ("accountant", "Researcher handed over to Accountant: this needs t"),
        ("accountant", ["report"]),
        ("", "Error: there is no tool named report here; the too"),
        ("accountant", "I called `report`, but it failed. Error: there is "),
    ]
    assert [entry for plan in plans(ada, ack) for entry in filtered(plan)] == []


def test_with_the_filter_the_accountant_calls_its_own_tool(ada, offline):
    ack = research_and_sum(ada)

    assert spoken(ada, ack) == [
        ("greeter", ["transfer_to_researcher"]),
        ("researcher", "Greeter handed over to Researcher: this needs the "),
        ("researcher", ["report"]),
        ("", "Report on harbour fees: 100 lines."),
        ("researcher", "Here is the report on “harbour fees”: 100 lines, a"),
        ("researcher", ["transfer_to_accountant"]),
        ("accountant", "Researcher handed over to Accountant: this needs t"),
        ("accountant", ["calculator"]),
        ("", "84"),
        ("accountant", "`12 * (3 + 4)` is **84**."),
    ]
    assert [filtered(plan) for plan in plans(ada, ack)] == [
        *[[]] * 4,  # Greeter, researcher twice; turn 2: researcher.
        *[[("agent", "tool_call_filter", 2)]] * 2,
    ]


def test_what_needs_no_tool_goes_back_to_the_greeter(ada, offline):
    with ada.tab() as tab:
        ack, _ = tab.ask("What is 15% of 240?", network="support")
        tab.ask("What is your return policy?", conversation=ack["conversation"])

    assert spoken(ada, ack)[-5:] == [
        ("", "36"),
        ("accountant", "`15 / 100 * 240` is **36**."),
        ("accountant", ["transfer_to_greeter"]),
        ("greeter", "Accountant handed over to Greeter: this needs none"),
        ("greeter", "You wrote: “What is your return policy?”"),
    ]


NATURAL = [  # A person's messages in order, who answers each, and how the answer begins.
    ("Hello", "greeter", "Hello! I'm **Mirror**, the offline demo model that"),
    ("What is 15% of 240?", "accountant", "`15 / 100 * 240` is **36**."),
    ("And 20% of 240?", "accountant", "`20 / 100 * 240` is **48**."),
    ("Thanks!", "greeter", "You're welcome."),
    ("And 30% of 240?", "accountant", "`30 / 100 * 240` is **72**."),
    ("Please write a report on harbour fees", "researcher", "Here is the report on “harbour fees”"),
    ("What is 12 * (3 + 4)?", "accountant", "`12 * (3 + 4)` is **84**."),
    ("Write a report.", "researcher", "Here is the report on “harbour fees”"),
    ("How are you?", "greeter", "I'm well, thank you: an offline model has few worries"),
    ("Write a report on tides", "researcher", "Here is the report on “tides”: 100 lines"),
    ("7 * 8", "accountant", "`7 * 8` is **56**."),
    ("Thank you, goodbye", "greeter", "You're welcome."),
]


def test_a_natural_series_is_answered_by_whoever_can(ada, offline):
    with ada.tab() as tab:
        ack, _ = tab.ask(NATURAL[0][0], network="support")
        for asked, *_ in NATURAL[1:]:
            tab.ask(asked, conversation=ack["conversation"])

    said = messages(ada, ack)
    starts = [place for place, message in enumerate(said) if message["role"] == "user"]
    last = [said[place - 1] for place in (*starts[1:], len(said))]
    for (asked, agent, begins), answered in zip(NATURAL, last, strict=True):
        assert (asked, answered["agent"]) == (asked, agent)
        assert answered["text"].startswith(begins)
    assert [m["text"] for m in said if m["text"].startswith("Error")] == []


@pytest.fixture
def forgetful(served):
    """Let the accountant remember nothing."""
    served.write(SETTINGS, json.dumps({"policy": "none"}))
    yield
    served.write(SETTINGS, json.dumps(REMEMBERS))


@pytest.mark.usefixtures("forgetful")
def test_each_request_has_the_prompt_settings_and_tools_of_who_answers(ada, provider):
    provider.script(Reply(text=["Welcome"]), calling(TO_ACCOUNTANT), calling(SUM))

    with ada.tab() as tab:
        ack, _ = tab.ask("Hello", network="support")
        tab.ask("What is 6*7?", conversation=ack["conversation"])

    first, _, third, fourth = provider.requests
    assert tools_of(first) == ["transfer_to_researcher", "transfer_to_accountant"]
    assert tools_of(third) == ["calculator", "transfer_to_greeter", "transfer_to_researcher"]
    assert "You welcome people" in first["messages"][0]["content"]
    assert [m["role"] for m in third["messages"]] == ["system", "user", "assistant", "tool"]
    assert [m["role"] for m in fourth["messages"]][-2:] == ["assistant", "tool"]
    sources = [p["plan"]["settings"]["policy"]["candidates"][0]["source"] for p in plans(ada, ack)]
    assert sources == ["agent greeter v1"] * 2 + ["agent accountant v1"] * 2
    assert all_faults(provider.requests) == []


def test_the_first_of_two_transfers_in_a_round_wins(ada, provider, served):
    unknown = Call("calculator", "{}", id="c9")
    provider.script(calling(unknown, TO_ACCOUNTANT, TO_RESEARCHER))

    with ada.tab() as tab:
        ack, end = tab.ask("Go", network="support")

    assert end["status"] == "done"
    assert [(m["agent"], m["text"]) for m in messages(ada, ack) if m["role"] == "tool"] == [
        (
            "",
            "Error: there is no tool named calculator here; "
            "the tools are transfer_to_researcher, transfer_to_accountant.",
        ),
        ("accountant", "Greeter handed over to Accountant: sums"),
        ("", "Error: not handed over: Accountant has already taken over."),
    ]
    assert messages(ada, ack)[-1]["agent"] == "accountant"
    assert all_faults(provider.requests) == []


@pytest.mark.parametrize(
    ("call", "says"),
    [
        pytest.param(
            Call("transfer_to_greeter", "{}"), "no tool named transfer_to_greeter here", id="itself"
        ),
        pytest.param(
            Call("transfer_to_demo", "{}"), "no tool named transfer_to_demo here", id="no member"
        ),
        pytest.param(
            Call("transfer_to_accountant", '{"reason": 7}'),
            "not handed over: the argument 'reason' is invalid",
            id="a bad argument",
        ),
    ],
)
def test_a_transfer_that_cannot_be_made_is_an_error_result(ada, provider, call, says):
    provider.script(calling(call))

    with ada.tab() as tab:
        ack, end = tab.ask("Go", network="support")

    assert end["status"] == "done"
    assert says in next(m["text"] for m in messages(ada, ack) if m["role"] == "tool")
    assert messages(ada, ack)[-1]["agent"] == "greeter"


def test_agents_that_only_hand_over_are_ended(ada, provider):
    there, back = TO_ACCOUNTANT, Call("transfer_to_greeter", "{}", id="t3")
    provider.script(*map(calling, [there, back] * 4))

    with ada.tab() as tab:
        ack, end = tab.ask("Go", network="support")

    assert end["status"] == "failed"
    assert "passed this question on 5 times" in end["html"]
    results = [m for m in messages(ada, ack) if m["role"] == "tool"]
    assert [m["agent"] for m in results] == ["accountant", "greeter"] * 2 + ["accountant", ""]
    assert len(provider.requests) == 6
    assert all_faults(provider.requests) == []


def test_another_branch_has_the_agent_of_its_own(ada, provider):
    provider.script(Reply(text=["Hi"]), calling(TO_ACCOUNTANT), Reply(text=["42"]))
    with ada.tab() as tab:
        ack, _ = tab.ask("Hello", network="support")
        _, end = tab.ask("6*7?", conversation=ack["conversation"])
        question = messages(ada, ack)[2]
        tab.say(
            type="edit",
            conversation=ack["conversation"],
            message=question["id"],
            text="Nothing, thanks",
            client_msg_id="0b5a7c1e-6a1c-4c53-9a6f-2a6b1d3f0001",
        )
        tab.until("end")
        branch = ada.api("GET", f"/conversations/{ack['conversation']}").json()["branch"]
        assert messages(ada, ack)[-1]["agent"] == "greeter"
        ada.post(f"/chat/{ack['conversation']}/branch", branch=str(branch - 1))
        tab.ask("And 6*8?", conversation=ack["conversation"])

    assert end["status"] == "done"
    assert messages(ada, ack)[-1]["agent"] == "accountant"


def test_a_hand_over_survives_kill_9(app, provider):
    server = app(**provider.environment)
    ada = Person(server)
    provider.script(calling(TO_ACCOUNTANT), Reply(text=["So"], hang_after=1))
    with ada.tab() as tab:
        ack = tab.send("Go", network="support")
        tab.until("delta")
        server.kill()
    server.start()
    provider.reset()

    with ada.tab() as tab:
        _, end = tab.ask("Are you there?", conversation=ack["conversation"])

    assert end["status"] == "done"
    assert messages(ada, ack)[-1]["agent"] == "accountant"
    assert tools_of(provider.requests[0])[0] == "calculator"
    assert all_faults(provider.requests) == []


@pytest.mark.daily
def test_the_answer_names_who_speaks_and_tells_of_the_hand_over(ada, provider):
    provider.script(calling(TO_ACCOUNTANT))

    with ada.tab() as tab:
        _, end = tab.ask("Go", network="support")
        shown = next(f for f in tab.seen if f.get("kind") == "result")["data"]["html"]

    assert text_of(shown) == "Greeter handed over to Accountant: sums Accountant"
    assert text_of(end["html"]).startswith("Answer Greeter Greeter handed over to Accountant: sums")


@pytest.mark.parametrize("address", ["/chat?network=support", "/chat?network=support&debug=true"])
def test_the_page_begins_a_chat_in_the_network(ada, address):
    page = ada.open(address).text

    assert 'data-network="support"' in page
    assert 'data-agent=""' in page
    assert "No network is called" not in page


def test_an_unknown_network_is_told_and_the_demo_agent_answers(ada):
    page = ada.open("/chat?network=nobody").text

    assert "No network is called “nobody”. Using Demo." in page


def test_the_api_begins_in_a_network_and_names_it(ada):
    body = {"text": "Hello", "client_msg_id": "0b5a7c1e-6a1c-4c53-9a6f-2a6b1d3f0002"}
    both = ada.api("POST", "/conversations", json={**body, "network": "support", "agent": "demo"})
    gone = ada.api("POST", "/conversations", json={**body, "network": "nobody"})
    begun = ada.api("POST", "/conversations", json={**body, "network": "support"}).json()

    shown = ada.api("GET", f"/conversations/{begun['conversation']}").json()
    assert (both.status_code, gone.status_code) == (422, 404)
    assert (shown["agent"], shown["network"]) == ("greeter", "support")
    assert ada.api("GET", "/networks").json()[0]["members"] == list(MEMBERS)
