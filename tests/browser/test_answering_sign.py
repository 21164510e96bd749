"""The list shows that a chat is being answered, whichever chat is open, until the answer ends."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import words
from tests.browser.test_accessibility import settled, violations
from tests.browser.test_moves import choose, new_chat
from tests.provider import Reply

TITLE = "Count slowly"


def sign(tab, title=TITLE):
    return tab.entry(title).get_by_role("img", name="Being answered")


@pytest.fixture
def counting(provider):
    """Make the next answer stop in the middle, until it is released."""
    provider.script(Reply(text=words(0, 40), hang_after=20))


def begin(tab):
    """Begin an answer, and open a new chat while it is written."""
    tab.open()
    tab.say(TITLE)
    expect(tab.answers).to_contain_text("w19")
    new_chat(tab)


@pytest.mark.daily
def test_a_chat_has_a_sign_while_it_is_answered_in_the_background(tab, provider, counting):
    other = tab.another("/chat?agent=demo")
    tab.page.bring_to_front()
    begin(tab)

    for one in (tab, other):
        expect(sign(one)).to_be_visible()
        link = one.entry(TITLE).get_by_role("link")
        expect(link).to_have_accessible_description("Being answered")
    for scheme in ("light", "dark"):
        settled(tab, scheme)
        assert violations(tab) == []
    provider.release()
    for one in (tab, other):
        expect(sign(one)).to_have_count(0)
        expect(one.entry(TITLE)).to_be_visible()
        expect(one.page.locator(".welcome")).to_be_visible()


def test_a_list_loaded_meanwhile_has_the_sign_also_in_the_archive_and_a_search(
    tab, provider, counting
):
    begin(tab)
    choose(tab, TITLE, "Archive")
    expect(tab.entry(TITLE)).to_have_count(0)
    tab.page.locator(".chats-top summary").click()
    tab.page.get_by_role("button", name="Archived chats").click()
    expect(sign(tab)).to_be_visible()
    tab.page.locator("#chat-search").fill("slowly")
    found = tab.page.locator("#chats .found").get_by_role("img", name="Being answered")
    expect(found).to_be_visible()
    expect(sign(tab)).to_be_visible()

    provider.release()

    expect(sign(tab)).to_have_count(0)
    expect(found).to_have_count(0)
    expect(tab.page.locator("#chats mark").first).to_have_text("slowly")


def test_the_sign_goes_when_the_answer_is_stopped_elsewhere(tab, counting):
    begin(tab)
    address = tab.entry(TITLE).get_by_role("link").get_attribute("href")
    other = tab.another(address.removeprefix(tab.server.url))
    expect(sign(tab)).to_be_visible()

    other.page.get_by_role("button", name="Stop").click()

    expect(sign(tab)).to_have_count(0)
    expect(sign(other)).to_have_count(0)


def test_the_sign_goes_though_the_answer_ended_while_the_connection_was_lost(
    tab, provider, counting, complaints
):
    begin(tab)
    expect(sign(tab)).to_be_visible()
    tab.page.context.set_offline(True)
    expect(tab.page.locator("body[data-lost]")).to_be_visible()
    provider.release()
    expect(tab.page.locator("#chats")).to_be_visible()
    tab.page.context.set_offline(False)

    expect(sign(tab)).to_have_count(0)
    complaints[:] = [told for told in complaints if not re.search("WebSocket|INTERNET", told)]


def test_an_answer_makes_a_tab_load_its_list_when_it_begins_and_when_it_ends(tab, provider):
    tab.open()
    tab.ask("Hello")
    tab.page.wait_for_load_state("networkidle")
    asked = []
    tab.page.on("request", lambda request: asked.append(request.url))
    provider.script(Reply(text=words(0, 40), hang_after=20))

    tab.say(TITLE)
    expect(sign(tab, "Hello")).to_be_visible()
    provider.release()
    expect(sign(tab, "Hello")).to_have_count(0)
    tab.expect_a_settled_panel()
    tab.page.wait_for_load_state("networkidle")

    assert len([url for url in asked if "/chats?" in url]) == 2


def test_a_phone_shows_the_sign_in_its_drawer(phone, provider, counting):
    phone.page.goto(phone.server.url + "/chat?agent=demo")
    phone.say(TITLE)
    expect(phone.answers).to_contain_text("w19")
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    expect(sign(phone)).to_be_in_viewport()
    style = "e => getComputedStyle(e).animationName"
    assert sign(phone).evaluate(style) == "circle"
    phone.page.emulate_media(reduced_motion="reduce")
    assert sign(phone).evaluate(style) == "none"
    provider.release()
    expect(sign(phone)).to_have_count(0)
