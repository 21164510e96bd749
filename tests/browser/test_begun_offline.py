"""What is begun while the server is away opens all the same, or says why not and keeps the text."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE
from tests.browser.test_search_offline import LOST

UNREACHABLE = "the server can't be reached"


@pytest.fixture
def cut_off(tab, complaints):
    """Somebody with a chat, whose browser has lost the network and has not been used since."""
    tab.open()
    tab.ask("Where to?")
    tab.page.wait_for_load_state("networkidle")
    tab.page.context.set_offline(True)
    yield tab
    tab.page.context.set_offline(False)
    complaints[:] = [told for told in complaints if not any(lost in told for lost in LOST)]


@pytest.mark.daily
def test_an_edit_is_begun_and_goes_when_the_server_is_back(cut_off):
    message = cut_off.page.locator(".message[data-role=user]")
    message.get_by_role("button", name="Edit the message").click()
    expect(message.locator("textarea")).to_be_focused()
    expect(message.locator("textarea")).to_have_value("Where to?")
    cut_off.page.keyboard.type(" And when?")
    cut_off.page.keyboard.press("Enter")

    cut_off.page.context.set_offline(False)
    expect(message.locator(".bubble")).to_have_text("Where to? And when?")


def test_an_edit_that_waits_can_be_taken_back_on_a_phone_too(cut_off):
    cut_off.page.set_viewport_size(PHONE["viewport"])
    message = cut_off.page.locator(".message[data-role=user]")
    message.get_by_role("button", name="Edit the message").click()
    expect(message.locator("textarea")).to_be_focused()
    expect(cut_off.page.locator("#connection")).to_contain_text("offline")
    cut_off.page.keyboard.type(" And when?")
    cut_off.page.keyboard.press("Enter")
    expect(message.locator(".edit-form")).to_contain_text("when the connection is back")

    message.get_by_role("button", name="Cancel").click()
    cut_off.page.context.set_offline(False)
    cut_off.field.focus()
    cut_off.ask("Why?")

    assert cut_off.said()[::2] == ["Where to?", "Why?"]


def test_so_is_one_in_a_chat_that_was_there_before(tab, complaints):
    tab.open()
    tab.ask("Where to?")
    tab.page.reload()
    tab.page.wait_for_load_state("networkidle")
    tab.page.context.set_offline(True)
    tab.page.get_by_role("button", name="Edit the message").click()

    expect(tab.page.locator(".edit-form textarea")).to_have_value("Where to?")
    complaints[:] = [told for told in complaints if not any(lost in told for lost in LOST)]


@pytest.mark.parametrize("was_open", [False, True], ids=["never opened", "opened before"])
def test_settings_that_cannot_be_opened_say_so_and_the_command_stays(cut_off, was_open):
    page = cut_off.page
    if was_open:
        page.context.set_offline(False)
        cut_off.say("/config")
        expect(page.locator("#config-dialog")).to_be_visible()
        page.keyboard.press("Escape")
        page.context.set_offline(True)
    cut_off.field.focus()
    cut_off.say("/config ")

    said = UNREACHABLE if was_open else "Can't reach the server"
    expect(page.locator("#toasts")).to_contain_text(said)
    expect(cut_off.field).to_have_value("/config ")
    expect(cut_off.field).to_be_focused()
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    expect(page.locator("#config-dialog")).to_be_visible()
