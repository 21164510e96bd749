"""The list says that a search failed, and repeats the search when it can, or by a button."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_search import search

LOST = ("WebSocket", "INTERNET_DISCONNECTED", "Failed to fetch", "503", "ERR_FAILED")
OFFLINE = "Can't search while offline."


@pytest.fixture
def gardener(tab, complaints):
    """Open a chat in a tab that has loaded no script of the search yet."""
    tab.open()
    tab.ask("A medlar tree.")
    expect(entries(tab)).to_be_visible()
    yield tab
    complaints[:] = [told for told in complaints if not any(lost in told for lost in LOST)]


def told(tab):
    return tab.page.locator("#chats .unsearched")


def entries(tab):
    return tab.page.locator("#chats .chat-entry")


@pytest.mark.daily
def test_offline_the_list_says_so_in_place_of_results_and_searches_once_it_can(gardener):
    page = gardener.page
    page.context.set_offline(True)
    search(gardener, "medlar")
    expect(told(gardener)).to_contain_text(OFFLINE)
    expect(entries(gardener)).to_be_hidden()
    expect(page.locator("#status")).to_have_text(OFFLINE)
    expect(page.locator("#toasts")).to_be_empty()
    page.context.set_offline(False)

    expect(page.locator("#chats mark").first).to_have_text("medlar")
    expect(told(gardener)).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#chats .chat-entry > a, .found-chat").first).to_be_focused()


def test_results_that_are_shown_stay_and_are_said_to_be_of_another_search(gardener):
    page = gardener.page
    search(gardener, "medlar")
    expect(page.locator(".excerpt mark")).to_have_text("medlar")
    page.context.set_offline(True)
    page.locator("#chat-search").fill("medlar tree")

    expect(told(gardener)).to_contain_text(f"{OFFLINE} These are the results for “medlar”.")
    expect(page.locator(".excerpt mark")).to_be_visible()
    page.locator("#chat-search").fill("medlar")
    expect(told(gardener)).to_have_count(0)
    page.context.set_offline(False)


def test_all_chats_are_back_once_nothing_is_typed(gardener):
    page = gardener.page
    page.context.set_offline(True)
    search(gardener, "medlar")
    expect(told(gardener)).to_be_visible()
    page.locator("#chat-search").fill("")

    expect(told(gardener)).to_have_count(0)
    expect(entries(gardener)).to_be_visible()
    page.context.set_offline(False)


def test_a_server_that_refuses_is_told_there_and_asked_again_by_a_button(gardener):
    page = gardener.page
    busy = {"status": 503, "content_type": "text/plain", "body": "The database is busy."}
    page.route("**/chats?q=medlar", lambda route: route.fulfill(**busy))
    search(gardener, "medlar")
    expect(told(gardener)).to_contain_text("The database is busy.")
    expect(page.locator("#toasts")).to_be_empty()
    page.unroute("**/chats?q=medlar")
    again = told(gardener).get_by_role("button", name="Retry")
    assert again.bounding_box()["height"] >= 24
    again.press("Enter")

    expect(page.locator(".excerpt mark")).to_have_text("medlar")
    expect(page.locator("#chat-search")).to_be_focused()


def test_a_server_that_is_gone_is_not_called_offline(gardener):
    page = gardener.page
    page.route("**/chats?q=medlar", lambda route: route.abort())
    search(gardener, "medlar")

    expect(told(gardener)).to_contain_text("Can't search: the server can't be reached.")


def test_enter_that_was_pressed_in_vain_opens_nothing_later(gardener):
    page = gardener.page
    page.context.set_offline(True)
    search(gardener, "medlar")
    page.keyboard.press("Enter")
    expect(told(gardener)).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator(".excerpt mark")).to_have_text("medlar")

    expect(page.locator("#chat-search")).to_be_focused()
    expect(page.locator(".message.found")).to_have_count(0)
