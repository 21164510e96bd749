"""Two tabs of one person show the same."""

from playwright.sync_api import expect

from tests.browser.tab import words
from tests.provider import Reply


def test_a_message_typed_in_one_tab_streams_in_the_other(tab, provider):
    tab.open()
    tab.ask("Hello")
    other = tab.another(tab.path)
    provider.script(Reply(text=words(0, 40), hang_after=20))

    tab.page.bring_to_front()
    tab.say("Count")

    expect(other.answers.nth(1)).to_contain_text("w19")
    assert other.said()[:3] == ["Hello", "reply 1", "Count"]
    provider.release()
    for one in (tab, other):
        expect(one.answers.nth(1)).to_have_attribute("data-status", "done")
        assert one.said()[3] == "".join(words(0, 40)).strip()
    assert len(provider.requests) == 2


def test_each_tab_goes_on_from_what_the_other_said(tab, provider):
    tab.open()
    tab.ask("one")
    other = tab.another(tab.path)
    other.ask("two")
    expect(tab.answers).to_have_count(2)
    expect(tab.answers.nth(1)).to_have_attribute("data-status", "done")

    tab.page.bring_to_front()
    tab.ask("three")

    expect(other.answers).to_have_count(3)
    assert tab.said() == ["one", "reply 1", "two", "reply 2", "three", "reply 3"]


def test_a_chat_begun_in_one_tab_is_listed_in_the_other(tab):
    tab.open()
    other = tab.another("/chat?agent=demo")

    tab.page.bring_to_front()
    tab.ask("A chat about lighthouses")

    expect(other.entry("A chat about lighthouses")).to_be_visible()
