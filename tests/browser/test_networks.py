"""The demo network in a chat: the speaking agent, a hand-over, and what a filter leaves out."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.tab import squeezed
from tests.provider import Call, Reply

MODEL = "UPDATE agents_agenttemplate SET model = ? WHERE slug IN (?, ?, ?)"
PROCESSORS = "UPDATE agents_agenttemplate SET processors = ? WHERE slug = 'accountant'"
MEMBERS = ("greeter", "researcher", "accountant")
FILTER = [{"use": "tool_call_filter", "exclude": ["report"]}]


@pytest.fixture
def offline(served):
    """Let all agents of the network use the mirror model."""
    served.write(MODEL, "demo/mirror", *MEMBERS)
    yield served
    served.write(PROCESSORS, json.dumps(FILTER))
    served.write(MODEL, "", *MEMBERS)


def talk(tab):
    tab.open("/chat?network=support&debug=true")
    tab.ask("Please write a report on harbour fees")
    tab.ask("What is 12 * (3 + 4)?")
    expect(tab.panel).to_contain_text("Turn 2 of 2")


def texts(locator):
    return [squeezed(text) for text in locator.all_inner_texts()]


LOOK = """all => all.map(e => getComputedStyle(e)).map(s =>
  [s.fontSize, s.fontWeight, s.lineHeight, s.letterSpacing, s.marginTop, s.marginBottom].join())"""


def test_a_network_is_chosen_where_agents_are(tab):
    tab.open("/chat")
    tab.page.locator(".picker summary").click()

    tab.page.locator(".picker .entry", has_text="Support").click()

    expect(tab.page.locator(".welcome h2")).to_have_text("Support")
    expect(tab.transcript).to_have_attribute("data-network", "support")
    assert tab.path == "/chat?network=support"


@pytest.mark.daily
def test_with_the_filter_the_accountant_uses_the_calculator(tab, offline):
    talk(tab)
    speakers = ["Greeter", "Researcher", "Researcher", "Accountant"]

    assert texts(tab.page.locator(".speaker")) == speakers
    assert len(set(tab.page.locator(".speaker").evaluate_all(LOOK))) == 1
    assert texts(tab.page.locator(".hand-over > p")) == [
        "Greeter handed over to Researcher: this needs the report",
        "Researcher handed over to Accountant: this needs the calculator",
    ]
    expect(tab.answers.last).to_contain_text("12 * (3 + 4) is 84")
    expect(tab.panel.locator(".inspector-who")).to_contain_text("Accountant")
    expect(tab.panel.locator(".inspector-who")).to_contain_text("agent accountant v1")
    for place in (tab.panel.locator(".headline"), tab.page.locator(".cut")):
        expect(place).to_contain_text(
            "left out of this agent's view (a call to report and its result)"
        )
    filtered = tab.panel.locator('.map .row[data-verdicts="F"]')
    expect(filtered).to_contain_text("filtered 2 messages, turn 1")
    expect(filtered).to_contain_text("“Remove tool calls” (agent level)")

    tab.page.reload()
    expect(tab.page.locator(".speaker")).to_have_count(len(speakers))
    assert texts(tab.page.locator(".speaker")) == speakers


def test_without_the_filter_it_calls_the_researchers_tool(tab, offline):
    offline.write(PROCESSORS, "[]")

    talk(tab)

    expect(tab.answers.last.locator('.tool[data-state="failed"] .name')).to_have_text("report")
    expect(tab.answers.last).to_contain_text("there is no tool named report here")
    expect(tab.panel.locator('.map .row[data-verdicts="F"]')).to_have_count(0)


def test_who_takes_over_is_named_below_the_rounds_last_call(tab, provider, served):
    transfer = Call("transfer_to_accountant", '{"reason": "sums"}', id="t1")
    lookup = Call("current_time", "{}", id="t2")
    last = Reply(text=["It is ", "late"], hang_after=1)
    provider.script(Reply(calls=[transfer, lookup], finish="tool_calls"), last)
    tab.open("/chat?network=support")
    tab.say("What time is it?")
    answer = tab.answers.last

    expect(answer.locator(".tail")).to_contain_text("It is")
    expect(answer.locator(".settled > :last-child .speaker")).to_have_text("Accountant")
    expect(answer.locator(".settled > .tool .name")).to_have_text("current_time")
