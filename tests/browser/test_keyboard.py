"""Everything without a mouse."""

from playwright.sync_api import expect

from tests.browser.tab import words
from tests.provider import Reply

LINK = ".skip"


def test_the_skip_link_leads_to_the_composer(tab):
    tab.open()
    tab.press_until_focused("Shift+Tab", LINK)
    expect(tab.page.locator(LINK)).to_be_in_viewport()

    tab.page.keyboard.press("Enter")

    expect(tab.field).to_be_focused()


def test_tab_leads_through_the_page_to_the_composer(tab):
    tab.open()
    tab.press_until_focused("Shift+Tab", LINK)

    tab.press_until_focused("Tab", "#text")

    tab.ask("Hello")
    assert tab.said() == ["Hello", "reply 1"]


def test_shift_enter_breaks_the_line_and_enter_sends(tab, provider):
    tab.open()
    tab.page.keyboard.type("one")
    tab.page.keyboard.press("Shift+Enter")
    assert provider.requests == []

    tab.ask("two")

    assert provider.requests[0]["messages"][-1]["content"] == "one\ntwo"
    expect(tab.field).to_have_value("")


def test_escape_stops_the_answer(tab, provider):
    provider.script(Reply(text=["word "], endless=True, delay=0.01))
    tab.open()
    tab.say("Talk")
    expect(tab.answers).to_contain_text("word word")

    tab.page.keyboard.press("Escape")

    expect(tab.page.locator(".ending")).to_contain_text("Stopped")
    assert provider.closed.wait(30)
    expect(tab.page.get_by_role("button", name="Continue")).to_be_visible()


def test_one_goes_on_writing_while_an_answer_streams(tab, provider):
    provider.script(Reply(text=words(0, 40), hang_after=20))
    tab.open()
    tab.say("Count")
    expect(tab.answers).to_contain_text("w19")

    tab.page.keyboard.type("My next ")
    provider.release()
    expect(tab.answers).to_have_attribute("data-status", "done")
    tab.page.keyboard.type("thought")

    expect(tab.field).to_be_focused()
    expect(tab.field).to_have_value("My next thought")
    assert len(provider.requests) == 1
