"""The card of a call that delegates a task opens the delegated conversation."""

import json

import pytest
from playwright.sync_api import expect

from tests.provider import Call, Reply

ASKS = "UPDATE agents_agenttemplate SET asks = ? WHERE slug = 'demo'"
ASK = Call("ask_goldfish", '{"task": "Count the boats"}', id="a1")


@pytest.fixture
def equipped(served):
    """Let the agent Demo delegate tasks to Goldfish."""
    served.write(ASKS, json.dumps(["goldfish"]))
    yield served
    served.write(ASKS, "[]")


@pytest.mark.parametrize("reloaded", [False, True], ids=["as it came", "after a reload"])
def test_the_delegation_opens_in_place(tab, provider, equipped, reloaded):
    provider.script(
        Reply(calls=[ASK], finish="tool_calls"), Reply(text=["Seven boats"]), Reply(text=["Seven."])
    )
    tab.open("/chat?agent=demo")
    tab.ask("How many boats are there?")
    if reloaded:
        tab.page.reload()
    card = tab.answers.last.locator(".tool")

    card.locator("summary", has_text="ask_goldfish").click()
    card.locator("summary", has_text="What the agent did").click()

    expect(card.locator(".delegation .speaker")).to_have_text("Goldfish")
    expect(card.locator(".delegation")).to_contain_text("Seven boats")
    card.get_by_role("link", name="Open this task with its context").click()
    expect(tab.panel).to_contain_text("Turn 1 of 1")
    expect(tab.page.locator(".chat-entry")).to_have_count(1)


def test_a_delegation_is_read_while_the_agent_works_and_stays_open(tab, provider, equipped):
    clock = Reply(text=["First the time."], calls=[Call("current_time")], finish="tool_calls")
    provider.script(
        Reply(calls=[ASK], finish="tool_calls"),
        clock,
        Reply(text=["Seven boats"], hang_after=0),
        Reply(text=["Seven."]),
    )
    tab.open("/chat?agent=demo")
    tab.say("How many boats are there?")
    card = tab.answers.last.locator(".settled > .tool")
    card.locator("summary", has_text="ask_goldfish").click()
    card.locator("summary", has_text="What the agent did").click()

    expect(card.locator(".delegation")).to_contain_text("First the time.")
    expect(card.locator(".delegation")).to_contain_text("Still working…")
    provider.release()

    expect(tab.answers.last).to_have_attribute("data-status", "done")
    expect(card.locator(".delegation")).to_be_visible()
    expect(card.locator(".delegation")).to_contain_text("Seven boats")
    expect(card.locator(".delegation")).not_to_contain_text("Still working…")
