"""Thirty calls, some in parallel and some failing, with every setting that leaves calls out.

Every request is valid, no window begins inside a tool loop, and the transcript keeps every byte.
"""

import json

import pytest
from playwright.sync_api import expect

from agents.tools import TOOLS, call
from tests.pairing import faults
from tests.people import Person
from tests.provider import Call, Reply
from tests.running.malformed_streams import calling

TURNS = 5
TOOLS_GIVEN = ["calculator", "report", "wait"]
NO_TOOL = "Error: there is no tool named nope here; the tools are calculator, report, wait."
FILTER, LIMIT = {"use": "tool_call_filter"}, {"use": "token_limiter", "limit": 1_500}
VARIANTS = {
    "nothing": ([], {}),
    "all calls filtered": ([FILTER], {}),
    "one tool filtered": ([{**FILTER, "exclude": ["report"]}], {}),
    "all but one filtered": ([{**FILTER, "include": ["report"]}], {}),
    "filtered with a note": ([{**FILTER, "exclude": ["calculator"], "persist_results": True}], {}),
    "a token limiter": ([LIMIT], {}),
    "a filter, then a limiter": ([{**FILTER, "exclude": ["wait"]}, LIMIT], {}),
    "placeholders": ([], {"tool_results_keep": 1}),
    "a history window": ([], {"max_items": 10}),
    "a window of turns": ([], {"policy": "lastN", "length": 2}),
    "fifo": ([], {"pruner": "fifo", "token_budget": 2_500}),
    "a sliding window": ([], {"pruner": "sliding_window", "token_budget": 2_500}),
    "summaries": ([], {"pruner": "summarize", "token_budget": 2_500}),
    "all at once": (
        [{**FILTER, "exclude": ["wait"]}, LIMIT],
        {"tool_results_keep": 2, "max_items": 30, "token_budget": 3_000},
    ),
}
SET_UP = """UPDATE agents_agenttemplate SET tools = ?, processors = ?, history_settings = ?
            WHERE slug = 'oneshot'"""


def rounds(turn):
    """Return a turn's calls: four at once, two of which fail; then two, one without valid JSON."""
    lines = json.dumps({"topic": f"turn {turn}", "lines": 30})
    return [
        [
            Call("calculator", json.dumps({"expression": f"{turn} * 111"}), id="a"),
            Call("calculator", '{"expression": "1/0"}', id="b"),
            Call("report", lines, id="c"),
            Call("nope", "{}", id="d"),
        ],
        [Call("calculator", '{"expression": ', id="e"), Call("wait", '{"seconds": 0}', id="f")],
    ]


def script(provider):
    for turn in range(TURNS):
        provider.script(*(calling(*calls) for calls in rounds(turn)))
        provider.script(Reply(text=[f"That was turn {turn}."]))


def told():
    """Yield what the transcript should contain: each message's calls, and each result, in order."""
    for turn in range(TURNS):
        for calls in rounds(turn):
            yield [(each.name, stored(each.arguments)) for each in calls]
            yield from (result(each) for each in calls)


def stored(arguments):
    return json.dumps({"quoted": arguments}) if arguments.endswith(": ") else arguments


def result(asked):
    return call(asked.name, asked.arguments).text if asked.name in TOOLS else NO_TOOL


def held(messages):
    for message in messages:
        if message["tool_calls"]:
            yield [(c["name"], c["arguments"]) for c in message["tool_calls"]]
        elif message["role"] == "tool":
            yield message["text"]


def check(provider, messages, plans):
    """Check requests, transcript and `plans`, the API's records of all requests."""
    assert [fault for request in provider.requests for fault in faults(request)] == []
    assert len(provider.requests) == len(plans) == 3 * TURNS
    assert list(held(messages)) == list(told())
    starts = {m["turn"]: m["position"] for m in messages if m["role"] == "user"}
    for record in plans:
        assert cut(record["plan"]["entries"], starts[record["turn"]]) == []


def cut(entries, start):
    """Return the entries of the current turn that a policy, a window or a pruner removed."""
    return [
        e for e in entries if e["verdict"] in "TS" and e["last"] is not None and e["last"] >= start
    ]


@pytest.fixture
def set_up(served):
    """Return a function that changes an agent's processors and settings until the test ends."""
    names = "tools, processors, history_settings"
    (before,) = served.rows(f"SELECT {names} FROM agents_agenttemplate WHERE slug = 'oneshot'")

    def change(processors, settings):
        usual = {"policy": "all", "context_window": 8_000, "output_reserve": 200}
        everything = {**usual, "summary_model": "demo/mirror", **settings}
        changed = (TOOLS_GIVEN, processors, everything)
        served.write(SET_UP, *map(json.dumps, changed))

    yield change
    kept = [value if isinstance(value, str) else json.dumps(value) for value in before]
    served.write(SET_UP, *kept)


@pytest.mark.parametrize("variant", VARIANTS)
def test_over_the_socket(served, provider, set_up, variant):
    set_up(*VARIANTS[variant])
    script(provider)
    person = Person(served)

    with person.tab() as tab:
        ack, end = tab.ask("Turn 0", agent="oneshot")
        ends = [end, *(follow(tab, ack, turn) for turn in range(1, TURNS))]

    assert [end["status"] for end in ends] == ["done"] * TURNS
    path = f"/conversations/{ack['conversation']}"
    messages = person.api("GET", f"{path}/messages?limit=200").json()["messages"]
    check(provider, messages, person.api("GET", f"{path}/plans?limit=200").json())


def follow(tab, ack, turn):
    return tab.ask(f"Turn {turn}", conversation=ack["conversation"])[1]


def test_the_page_shows_the_tool_loop(tab, provider, set_up):
    set_up(*VARIANTS["all at once"])
    script(provider)
    tab.open("/chat?agent=oneshot&debug=true")

    for turn in range(TURNS):
        tab.ask(f"Turn {turn}")

    check(
        provider,
        tab.api("/messages?limit=200")["messages"],
        tab.api("/plans?limit=200"),
    )
    expect(tab.page.locator(".answer .tool")).to_have_count(30)
    expect(tab.page.locator('.answer .tool[data-state="failed"]')).to_have_count(3 * TURNS)
    card = tab.page.locator(".answer").last.locator('.tool:has(.name:text-is("report"))')
    card.locator("summary").click()
    shown = card.locator("[data-result]").text_content()
    assert shown == call("report", json.dumps({"topic": "turn 4", "lines": 30})).text
    tab.page.reload()
    expect(tab.page.locator('.answer .tool[data-state="done"]')).to_have_count(3 * TURNS)
