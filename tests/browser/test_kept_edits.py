"""An edit that is neither sent nor cancelled is there again with its message."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_keyboard_on_screen import edit_last

NOTE = {"name": "note.txt", "mimeType": "text/plain", "buffer": b"hello"}


@pytest.fixture
def asked(tab):
    """Return a tab on a chat with one message and its answer."""
    tab.open()
    tab.ask("Where to?")
    return tab


def form(tab):
    return tab.page.locator(".edit-form")


def field(tab):
    return form(tab).locator("textarea")


@pytest.mark.daily
def test_it_survives_a_reload_and_another_chat_until_it_is_sent(asked):
    edit_last(asked).locator("input[type=file]").set_input_files(NOTE)
    expect(form(asked).locator('.attachment[data-state="ready"]')).to_have_count(1)
    asked.page.keyboard.type(" And when?")
    asked.page.reload()
    expect(field(asked)).to_have_value("Where to? And when?")
    expect(form(asked).locator('.attachment[data-state="ready"]')).to_have_count(1)

    asked.page.locator(".new-chat").click()
    expect(form(asked)).to_have_count(0)
    expect(asked.field).to_have_value("")
    asked.entry("Where to?").get_by_role("link").click()
    expect(field(asked)).to_have_value("Where to? And when?")

    with asked.another_answer():
        form(asked).get_by_role("button", name="Send").click()
    expect(asked.page.locator(".message .bubble").first).to_have_text("Where to? And when?")
    asked.page.reload()
    expect(asked.answers).to_have_count(1)
    expect(form(asked)).to_have_count(0)


def test_a_change_of_branch_in_another_tab_leaves_it_open_with_the_caret(asked):
    with asked.another_answer():
        asked.page.get_by_role("button", name="Retry").click()
    other = asked.another(asked.path)
    asked.page.bring_to_front()
    edit_last(asked)
    asked.page.keyboard.type(" And hen?")
    for _ in "hen?":
        asked.page.keyboard.press("ArrowLeft")

    other.page.get_by_role("button", name="Previous branch").click()
    expect(asked.answers).to_contain_text("reply 1")
    asked.page.keyboard.type("w")

    expect(field(asked)).to_be_focused()
    expect(field(asked)).to_have_value("Where to? And when?")


def test_it_waits_on_its_branch_and_a_cancelled_one_is_not_kept(asked):
    edit_last(asked)
    with asked.another_answer():
        asked.say(" And when?")
    other = asked.another(asked.path)
    asked.page.bring_to_front()
    edit_last(asked)
    asked.page.keyboard.type(" And why?")
    other.page.get_by_role("button", name="Previous branch").click()
    expect(asked.page.locator("#toasts")).to_contain_text("Your edit is kept.")
    expect(form(asked)).to_have_count(0)

    asked.page.get_by_role("button", name="Next branch").click()
    expect(field(asked)).to_have_value("Where to? And when? And why?")
    form(asked).get_by_role("button", name="Cancel").click()
    asked.page.reload()
    expect(asked.answers).to_have_count(1)
    expect(form(asked)).to_have_count(0)
