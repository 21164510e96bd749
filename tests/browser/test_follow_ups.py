"""A message sent during an answer waits, in view, until the answer ends."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import words
from tests.provider import Reply


@pytest.fixture
def busy(tab, provider):
    """Open a chat whose answer stays unfinished until the provider is released."""
    provider.script(Reply(text=words(0, 8), hang_after=4), Reply(text=["Second."]))
    tab.open()
    tab.say("First")
    expect(tab.answers.last).to_contain_text("w3")
    return tab


def waiting(tab):
    return tab.page.locator("#follow-up")


@pytest.mark.daily
def test_what_is_written_meanwhile_waits_in_every_tab_and_is_sent_as_one(busy, provider):
    busy.say("one more")
    expect(waiting(busy)).to_contain_text("Sent when this answer is done")
    expect(busy.field).to_have_value("")
    busy.say("and another")
    expect(waiting(busy)).to_contain_text("and another")
    expect(waiting(busy)).to_contain_text("2 messages, sent as one when this answer is done")
    said = "It was added to the waiting message. Both are sent as one."
    expect(busy.page.locator("#status")).to_have_text(said)
    busy.page.reload()
    expect(waiting(busy)).to_contain_text("one more")
    other = busy.another(busy.path)
    expect(waiting(other)).to_contain_text("one more")

    provider.release()

    for tab in (busy, other):
        tab.page.bring_to_front()
        expect(tab.answers.nth(1)).to_have_attribute("data-status", "done")
        expect(waiting(tab)).to_be_hidden()
        assert tab.said()[2:] == ["one more\n\nand another", "Second."]
    assert len(provider.requests) == 2


def test_one_that_begins_with_two_slashes_is_sent_with_one(busy, provider):
    busy.say("//context")
    expect(waiting(busy)).to_contain_text("/context")

    provider.release()

    expect(busy.answers.nth(1)).to_have_attribute("data-status", "done")
    assert busy.said()[2] == "/context"


def test_it_is_edited_or_taken_back_from_any_tab_by_keyboard(busy, provider):
    busy.say("Secnd")
    other = busy.another(busy.path)
    waiting(other).get_by_role("button", name="Edit the waiting message").press("Enter")
    expect(other.field).to_have_value("Secnd")
    expect(other.field).to_be_focused()
    expect(waiting(busy)).to_be_hidden()
    other.field.fill("Second")
    other.page.keyboard.press("Enter")
    expect(waiting(busy)).to_contain_text("Second")

    busy.page.bring_to_front()
    waiting(busy).get_by_role("button", name="Remove the waiting message").press("Enter")
    expect(waiting(other)).to_be_hidden()
    expect(busy.field).to_be_focused()
    busy.page.get_by_role("button", name="Undo").press("Enter")
    expect(waiting(other)).to_contain_text("Second")
    expect(busy.field).to_be_focused()


def test_after_an_answer_that_was_stopped_its_person_sends_it(busy, provider):
    busy.say("Second")
    expect(waiting(busy)).to_be_visible()
    busy.page.keyboard.press("Escape")
    expect(waiting(busy)).to_contain_text("The answer didn't finish, so this is still waiting")

    waiting(busy).get_by_role("button", name="Send now").press("Enter")

    expect(busy.answers.nth(1)).to_have_attribute("data-status", "done")
    expect(waiting(busy)).to_be_hidden()
    expect(busy.field).to_be_focused()


def test_files_do_not_wait_and_the_page_says_so_for_as_long(busy, provider):
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"hello"}
    busy.page.set_input_files("#files", file)
    expect(busy.page.locator(".attachment")).to_contain_text("a.txt")
    busy.field.focus()
    busy.say("With a file")
    problem = busy.page.locator("#problem")
    expect(problem).to_contain_text("Files can't wait. Send this when the answer is done.")
    expect(busy.field).to_have_value("With a file")

    provider.release()

    expect(problem).to_be_hidden()
    expect(waiting(busy)).to_be_hidden()


def test_escape_leaves_the_waiting_message_as_it_was_and_then_stops_the_answer(busy, provider):
    busy.say("Second")
    expect(waiting(busy)).to_contain_text("Second")
    busy.page.keyboard.type("A draft")
    waiting(busy).get_by_role("button", name="Edit the waiting message").press("Enter")
    expect(busy.field).to_have_value("Second\n\nA draft")
    expect(busy.page.locator(".hint.edits")).to_be_visible()
    busy.page.keyboard.type(" that changes")

    busy.page.keyboard.press("Escape")
    expect(waiting(busy)).to_contain_text("Second")
    expect(busy.field).to_have_value("A draft")
    expect(busy.page.locator(".hint.edits")).to_be_hidden()
    expect(waiting(busy)).to_contain_text("Sent when this answer is done")
    expect(busy.page.locator("#composer")).to_have_attribute("data-busy", "true")

    busy.page.keyboard.press("Escape")
    expect(busy.answers.last).to_have_attribute("data-status", "stopped")


def test_the_hint_stays_where_it_is_when_one_begins_to_write(busy):
    hint = busy.page.locator(".hint.waiting")
    expect(hint).to_be_visible()
    expect(busy.page.locator("#composer .send")).to_be_hidden()
    before = hint.bounding_box()["x"]

    busy.field.fill("a")

    expect(busy.page.locator("#composer .send")).to_be_visible()
    assert hint.bounding_box()["x"] == before
