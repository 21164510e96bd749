"""Actions begun while the server is away still open, or say why they can't, and keep the text."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE
from tests.browser.test_search_offline import LOST

NOTE = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"hello"}
UNREACHABLE = "the server can't be reached"


@pytest.fixture
def cut_off(tab, complaints):
    """Open a chat in a browser, and then cut its network before the person does anything."""
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


@pytest.fixture
def left(cut_off):
    """Edit the message of that chat, add a file, and leave the page while offline."""
    path, message = cut_off.path, cut_off.page.locator(".message[data-role=user]")
    cut_off.page.context.set_offline(False)
    message.get_by_role("button", name="Edit the message").click()
    message.locator("input[type=file]").set_input_files(NOTE)
    expect(message.locator('.attachment[data-state="ready"]')).to_have_count(1)
    cut_off.page.context.set_offline(True)
    expect(cut_off.page.locator("#connection")).to_contain_text("offline")
    message.locator("textarea").fill("And when?")
    cut_off.page.keyboard.press("Enter")
    expect(message.locator(".edit-form")).to_contain_text("when the connection is back")
    cut_off.page.goto("about:blank")
    cut_off.page.context.set_offline(False)
    cut_off.path_left = path
    return cut_off


def test_an_edit_that_waits_survives_leaving_the_page(left):
    left.open(left.path_left)

    message = left.page.locator(".message[data-role=user]")
    expect(message.locator(".bubble")).to_have_text("And when?")
    expect(message.locator(".attached")).to_contain_text("note.txt")
    expect(left.answers).to_have_attribute("data-status", "done")
    assert left.page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('outbox'))") == []


def test_it_can_still_be_taken_back_on_the_next_page(left):
    left.page.route_web_socket("**/*", lambda socket: socket.close())
    left.page.goto(left.server.url + left.path_left)
    form = left.page.locator(".edit-form")
    expect(form.locator("textarea")).to_have_value("And when?")
    expect(form).to_contain_text("note.txt")
    expect(form).to_contain_text("when the connection is back")

    form.get_by_role("button", name="Cancel").click()
    expect(form).to_be_hidden()
    left.page.unroute_all()
    left.page.reload()
    left.page.wait_for_load_state("networkidle")

    assert left.said()[::2] == ["Where to?"]


OF_NO_MESSAGE = """path => {
  const key = Object.keys(localStorage).find(name => name.startsWith("outbox:"));
  const entry = JSON.parse(localStorage.getItem(key));
  localStorage.setItem(key, JSON.stringify({...entry, frame: {...entry.frame, message: 999999}}));
}"""


def test_the_text_of_one_that_is_refused_then_is_kept(left):
    left.page.goto(f"{left.server.url}/readyz")
    left.page.evaluate(OF_NO_MESSAGE, left.path_left)

    left.page.goto(left.server.url + left.path_left)

    expect(left.page.locator("#toasts")).to_contain_text("Your edit was not sent.")
    expect(left.field).to_have_value("And when?")
    assert left.said()[::2] == ["Where to?"]


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
