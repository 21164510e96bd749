"""The app works over plain http from another machine, where browsers lack several APIs."""

from copy import copy

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab
from tests.provider import Reply


@pytest.fixture
def tab(somebody, served, provider):
    provider.script(Reply(text=["Plain answer."]), Reply(text=["Another answer."]))
    distant = copy(served)
    distant.url = served.url.replace("127.0.0.1", "vitrine.test")
    tab = Tab(somebody().new_page(), distant)
    tab.open("/chat?agent=demo&debug=true")
    assert tab.page.evaluate("[isSecureContext, typeof crypto.randomUUID]") == [False, "undefined"]
    return tab


def copied(tab):
    """Return the clipboard's text, by pasting it with the keyboard."""
    tab.field.focus()
    tab.page.keyboard.press("Control+V")
    text = tab.field.input_value()
    tab.field.fill("")
    return text


@pytest.mark.daily
def test_one_sends_a_message_and_another_after_editing_it(tab):
    tab.ask("Hello?")
    assert tab.said() == ["Hello?", "Plain answer."]

    tab.page.locator('.message[data-role="user"]').hover()
    tab.page.get_by_role("button", name="Edit").click()
    with tab.another_answer():
        tab.page.locator(".edit-form textarea").press("Enter")
    assert tab.said() == ["Hello?", "Another answer."]


def test_one_copies_a_message_and_the_focus_stays(tab):
    tab.ask("Hello?")
    tab.answers.hover()
    button = tab.answers.get_by_role("button", name="Copy")

    button.click()

    expect(tab.page.locator("#status")).to_have_text("Copied")
    assert tab.has_focus("[data-action=copy]")
    assert copied(tab) == "Plain answer."


def test_one_copies_a_request_out_of_the_panel(tab):
    tab.ask("Hello?")
    tab.panel.locator(".raw-ways").get_by_role("link", name="JSON").click()

    expect(tab.page.locator("#status")).to_have_text("Copied")
    assert '"Hello?"' in copied(tab)


def test_one_copies_the_link_of_a_try(tab):
    tab.ask("Hello?")
    tab.page.reload()  # After an answer, the panel and its fields are replaced once more.
    zone = tab.panel.locator("#what-if")
    zone.locator("[name='set.policy']").select_option("none")

    zone.locator("[data-copy-link]").click()

    expect(tab.page.locator("#status")).to_have_text("Copied")
    assert copied(tab).startswith("http://vitrine.test:")
