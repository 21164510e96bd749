"""A page's address is that of the open chat or of the requested one, however busy the server is."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_search_offline import LOST
from tests.provider import Reply

NEW = re.compile(r"/chat\?agent=demo$")
WAVES = Reply(text=["so "] * 9, hang_after=9)
OLD = re.compile(r"/chat/[0-9a-f-]{36}")
SHOW = """old => htmx.ajax("GET", old, {target: "#main", select: "#main", swap: "outerHTML"})"""


@pytest.fixture
def answered(tab, provider):
    """Open a tab whose answer is being written; the server's page of a new chat is held back."""
    provider.script(WAVES)
    tab.open()
    tab.say("Count the waves.")
    expect(tab.answers.last).to_contain_text("so so")
    tab.held = []

    def hold(route):
        tab.held.append(route)

    tab.page.route(NEW, hold)
    return tab


@pytest.mark.daily
def test_a_new_chat_has_its_address_before_its_page(answered):
    page, old = answered.page, answered.page.url
    with page.expect_request(NEW):
        page.locator(".new-chat").click()
    expect(page).to_have_url(NEW)
    assert answered.conversation in old

    answered.held[0].continue_()
    expect(page.locator(".answer")).to_have_count(0)
    expect(page).to_have_url(NEW)
    page.go_back()
    expect(page).to_have_url(old)
    expect(answered.answers.last).to_contain_text("so so")


def test_one_that_does_not_come_leaves_the_address_of_the_chat_that_is_there(answered, complaints):
    page, old = answered.page, answered.page.url
    with page.expect_request(NEW):
        page.locator(".new-chat").click()
    answered.held[0].abort()

    expect(page.locator("#toasts")).to_contain_text("Can't reach the server")
    expect(page).to_have_url(old)
    complaints[:] = [told for told in complaints if not any(lost in told for lost in LOST)]


def test_nor_does_one_that_does_not_come_after_the_old_chat_was_shown_anew(answered, complaints):
    page, old = answered.page, answered.page.url
    with page.expect_request(NEW):
        page.locator(".new-chat").click()
    page.evaluate(SHOW, old)
    answered.held[0].abort()

    expect(page.locator("#toasts")).to_contain_text("Can't reach the server")
    expect(page).to_have_url(old)
    complaints[:] = [told for told in complaints if not any(lost in told for lost in LOST)]


def deaf(page):
    """Pass on all frames from the page to the server, and none to the page."""
    server = page.connect_to_server()

    def pass_on(message):
        server.send(message)

    page.on_message(pass_on)
    server.on_message(lambda _message: None)


def through(page):
    page.connect_to_server()


def test_who_reloads_before_the_server_has_said_a_word_is_led_to_the_chat_that_began(tab, provider):
    """The server has the message, but the page doesn't know, because it receives no frames."""
    provider.script(Reply(text=["Aye."]), WAVES)
    tab.open()
    tab.ask("Are you there?")
    reached = []
    tab.page.route_web_socket("**/ws/**", lambda page: through(page) if reached else deaf(page))
    tab.open()
    tab.say("Count the waves.")
    expect(tab.page.locator(".sending")).to_have_count(1)
    expect(tab.page).to_have_url(NEW)
    reached.append("the server")
    tab.page.reload()

    expect(tab.page).to_have_url(OLD)
    expect(tab.answers.last).to_contain_text("so so")
    expect(tab.page.locator(".message[data-role=user]")).to_have_count(1)
