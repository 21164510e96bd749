"""A cancelled edit loses no text: the text can be restored."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_keyboard_on_screen import edit_last


@pytest.fixture
def edited(tab):
    """Open the form that edits a chat's only message."""
    tab.open()
    tab.ask("Where to?")
    return edit_last(tab)


def offer(tab):
    return tab.page.locator("#toasts").get_by_role("button", name="Undo")


@pytest.mark.daily
@pytest.mark.parametrize("leave", ["Escape", "Cancel"])
def test_a_changed_text_is_there_again_after_undo(tab, edited, leave):
    tab.page.keyboard.type(" And when?")
    if leave == "Escape":
        tab.page.keyboard.press("Escape")
    else:
        edited.get_by_role("button", name="Cancel").click()
    expect(tab.page.locator("#toasts")).to_contain_text("Edit cancelled.")
    expect(tab.page.locator(".message .bubble").first).to_have_text("Where to?")

    offer(tab).click()

    expect(edited.locator("textarea")).to_be_focused()
    expect(edited.locator("textarea")).to_have_value("Where to? And when?")
    edited.get_by_role("button", name="Send").click()
    expect(tab.page.locator(".message .bubble").first).to_have_text("Where to? And when?")


def test_an_unchanged_text_is_left_without_a_word(tab, edited):
    tab.page.keyboard.press("Escape")

    expect(edited).to_have_count(0)
    expect(tab.page.locator(".toast")).to_have_count(0)


def test_whoever_edits_again_begins_with_what_was_sent(tab, edited):
    tab.page.keyboard.type(" And when?")
    tab.page.keyboard.press("Escape")
    again = edit_last(tab)
    expect(again.locator("textarea")).to_have_value("Where to?")

    offer(tab).click()
    expect(again.locator("textarea")).to_have_value("Where to? And when?")


@pytest.mark.daily
def test_a_file_that_was_added_comes_back_too(tab, edited):
    note = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"hello"}
    edited.locator("input[type=file]").set_input_files(note)
    expect(edited.locator('.attachment[data-state="ready"]')).to_have_count(1)
    tab.page.keyboard.press("Escape")
    expect(edited).to_be_hidden()

    offer(tab).click()

    expect(edited.locator('.attachment[data-state="ready"]')).to_have_count(1)
