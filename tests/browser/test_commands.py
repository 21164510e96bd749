"""`/compact` and `/help`: typed like a message, answered with a sentence, and no message."""

from playwright.sync_api import expect

from tests.provider import Reply


def test_help_says_what_there_is_in_a_chat_that_has_not_begun(tab, provider):
    tab.open()
    tab.say("/help")

    expect(tab.page.locator("#toasts")).to_contain_text("/compact")
    expect(tab.page.locator(".sending")).to_have_count(0)
    expect(tab.page.locator(".welcome")).to_be_visible()
    expect(tab.field).to_have_value("")
    assert provider.requests == []


def test_compact_makes_a_summary_that_the_panel_lists(tab, provider):
    long = "It was said at length, and it was said again. " * 8
    provider.script(*[Reply(text=[long])] * 2, Reply(text=["They spoke at length."]))
    tab.open("/chat?agent=demo&debug=true")
    for number in range(2):
        tab.ask(f"question {number}")
    tab.say("/compact")

    expect(tab.page.locator("#toasts")).to_contain_text("A summary of messages 1 to 2: ")
    expect(tab.panel).to_contain_text("1 is sent")
    assert len(tab.said()) == 4
    assert tab.api("/checkpoints")[0]["summary"] == "They spoke at length."
    tab.ask("question 2")
    assert "They spoke at length." in provider.requests[-1]["messages"][1]["content"]


def test_a_refusal_gives_the_command_back(tab):
    tab.open()
    tab.say("/compact")

    expect(tab.page.locator("#problem")).to_contain_text("This chat has not begun")
    expect(tab.field).to_have_value("/compact")
