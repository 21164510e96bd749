"""A summary can be undone from the page at any time, also after requests have contained it."""

import pytest
from playwright.sync_api import expect

from tests.provider import Reply

LONG = "It was said at length, and it was said again. " * 8
SUMMARY = "They spoke at length."


@pytest.fixture
def summarised(tab, provider):
    """Open a chat with a summary that its newest request contains."""
    provider.script(*[Reply(text=[LONG])] * 2, Reply(text=[SUMMARY]), *[Reply(text=["Yes"])] * 2)
    tab.open("/chat?agent=demo&debug=true")
    for number in range(2):
        tab.ask(f"question {number}")
    tab.say("/compact")
    expect(tab.page.locator("#toasts")).to_contain_text("Messages 1 to 2 summarised: ")
    tab.ask("question 2")
    assert SUMMARY in str(provider.requests[-1]["messages"])
    return tab


def undo(place):
    return place.get_by_role("button", name="Undo last summary")


def states(tab):
    return [point["state"] for point in tab.api("/checkpoints")]


def zone(tab):
    return tab.page.get_by_role("region", name="Summaries")


def expect_undone(tab):
    without = "1 in this request; the next message is sent without summaries"
    expect(zone(tab)).to_contain_text(without)
    expect(undo(zone(tab))).to_have_count(0)
    assert states(tab) == ["undone"]


@pytest.mark.parametrize("reloads", [False, True], ids=["at once", "after a reload"])
def test_the_inspector_undoes_a_summary_that_was_sent(summarised, provider, reloads):
    if reloads:
        summarised.page.reload()
    undo(zone(summarised)).click()

    expect(summarised.page.locator("#toasts")).to_contain_text("Summary undone")
    expect_undone(summarised)
    expect(zone(summarised).locator("> details > summary")).to_be_focused()
    summarised.field.focus()
    summarised.ask("question 3")
    assert SUMMARY not in str(provider.requests[-1]["messages"])


def test_the_inspectors_page_undoes_it_and_the_chat_is_told(summarised):
    other = summarised.page.context.new_page()
    other.goto(summarised.page.get_by_role("link", name="Full page").evaluate("a => a.href"))

    undo(other.get_by_role("region", name="Summaries")).click()

    expect(undo(other)).to_have_count(0)
    expect(other.get_by_role("region", name="Summaries")).to_contain_text("without summaries")
    expect_undone(summarised)


def test_the_menu_offers_it_at_once_after_a_reload(summarised):
    summarised.page.route("**/checkpoints", lambda route: None)  # It is never answered.
    summarised.page.reload()

    summarised.page.get_by_label("Chat menu").click()
    undo(summarised.page.locator(".chat-menu")).click()

    expect(summarised.page.locator("#toasts")).to_contain_text("Summary undone")
    expect_undone(summarised)


def test_the_cut_line_undoes_the_summary_of_which_it_speaks(summarised):
    line = summarised.transcript.locator("[data-cut-before]")
    button = line.get_by_role("button", name="undo the summary")
    expect(line).to_contain_text("2 earlier messages are left out (summarised). · why? · undo")

    button.focus()
    summarised.page.keyboard.press("Enter")

    expect(summarised.page.locator("#toasts")).to_contain_text("Summary undone")
    expect(line).to_contain_text("2 earlier messages are left out (summarised). · why?")
    expect(button).to_have_count(0)
    expect(summarised.field).to_be_focused()
    expect_undone(summarised)
    summarised.page.reload()
    expect(line).to_contain_text("why?")
    expect(button).to_have_count(0)
