"""A visible notice names settings in the address that have no effect, even in a long chat."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.browser.talks import open_talk

LOTS = "debug=true&historyLength=lots"


@pytest.fixture
def long_chat(tab):
    open_talk(tab, *(f"question {n}" for n in range(1, 13)), query=LOTS)
    return tab


def test_a_wrong_value_is_named_at_the_end_of_a_long_chat(long_chat):
    notice = long_chat.page.locator(".address-notices")
    sentence = "Ignored from the address: historyLength=lots: must be a whole number"
    expect(notice).to_contain_text(sentence)
    expect(notice).to_be_in_viewport(ratio=1)
    expect(long_chat.answers.last).to_be_in_viewport()
    expect(long_chat.page.locator("#status")).to_contain_text(sentence)
    expect(long_chat.panel.locator(".first > :first-child")).to_contain_text(sentence)

    notice.get_by_role("button", name="Dismiss").click()
    expect(notice).to_have_count(0)
    expect(long_chat.field).to_be_focused()


def test_what_was_dismissed_stays_away_in_this_tab_and_what_is_new_is_shown(tab):
    tab.open(f"/chat?agent=demo&{LOTS}")
    notice = tab.page.locator(".address-notices")
    notice.get_by_role("button", name="Dismiss").click()
    tab.page.reload()
    expect(tab.field).to_be_focused()
    expect(notice).to_have_count(0)

    tab.open(f"/chat?agent=demo&{LOTS}&historyPolcy=all")
    expect(notice).to_contain_text("historyPolcy is not a setting.")
    expect(notice).not_to_contain_text("historyLength=lots")
    status = tab.page.locator("#status")
    expect(status).to_contain_text("historyPolcy is not a setting.")
    expect(status).not_to_contain_text("historyLength=lots")

    other = tab.another(f"/chat?agent=demo&{LOTS}")
    expect(other.page.locator(".address-notices")).to_contain_text("historyLength=lots")


def test_another_agent_in_the_address_is_offered_a_chat_of_its_own(tab):
    open_talk(tab, "Hello", query="agent=goldfish")
    notice = tab.page.locator(".address-notices")
    expect(notice).to_contain_text("This chat is with Demo")

    notice.get_by_role("link", name="Start a new chat with Goldfish").click()
    expect(tab.page.get_by_role("heading", name="Goldfish", level=2)).to_be_visible()
    expect(notice).to_have_count(0)


def test_a_phone_shows_it_in_the_panel_of_a_chat_that_has_not_begun(somebody, served):
    phone = Tab(somebody(**PHONE).new_page(), served, folded=True)
    phone.page.goto(f"{served.url}/chat?agent=demo&historyPolcy=all&debug=true")

    told = phone.panel.locator(".first > :first-child")
    expect(told).to_contain_text("historyPolcy is not a setting. Did you mean historyPolicy?")
    expect(told).to_be_in_viewport(ratio=1)
