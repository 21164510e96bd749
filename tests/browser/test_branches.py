"""Editing or asking again starts a branch; the way back to the old one appears without a reload."""

import pytest
from playwright.sync_api import expect

from tests.provider import Reply

PREVIOUS = '[aria-label="Previous branch"]'


def numbers(tab):
    return tab.page.locator(".switcher span").all_inner_texts()


@pytest.mark.daily
def test_a_message_is_edited_by_keyboard(tab, provider):
    tab.open()
    tab.ask("Hello")
    tab.press_until_focused("Shift+Tab", "[data-action=edit]")
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_role("textbox", name="Edit the message")).to_be_focused()
    tab.page.keyboard.press("Control+A")

    with tab.another_answer():
        tab.say("Good morning")

    assert tab.said() == ["Good morning", "reply 2"]
    assert [m["content"] for m in provider.requests[1]["messages"][1:]] == ["Good morning"]
    assert numbers(tab) == ["2 / 2"]
    tab.press_until_focused("Shift+Tab", PREVIOUS)
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(".bubble")).to_have_text("Hello")
    assert tab.said() == ["Hello", "reply 1"]


BUTTON = "button => getComputedStyle(button).opacity"
ICON = "button => getComputedStyle(button, '::before').opacity"


def test_while_an_answer_is_written_edit_is_dimmed_and_no_more_in_sight_than_before(tab, provider):
    tab.open()
    tab.ask("Hello")
    pencil = tab.page.locator("[data-action=edit]").first
    provider.script(Reply(text=["Well"], hang_after=1))
    tab.say("And now?")
    expect(tab.answers.last).to_contain_text("Well")

    assert (pencil.evaluate(BUTTON), pencil.evaluate(ICON)) == ("0", "0.4")
    tab.page.keyboard.press("Escape")
    expect(tab.page.locator(".ending")).to_contain_text("Stopped")
    assert pencil.evaluate(ICON) == "1"


def test_an_answer_is_given_again(tab):
    tab.open()
    tab.ask("Hello")

    for _ in range(2):
        with tab.another_answer():
            tab.page.get_by_role("button", name="Retry").click()

    assert tab.said() == ["Hello", "reply 3"]
    assert numbers(tab) == ["3 / 3"]
    tab.page.locator(PREVIOUS).click()
    expect(tab.answers).to_contain_text("reply 2")
    assert numbers(tab) == ["2 / 3"]


def test_the_branch_switcher_keeps_the_focus(tab):
    tab.open()
    tab.ask("Hello")
    for _ in range(2):
        with tab.another_answer():
            tab.page.get_by_role("button", name="Retry").click()
    tab.press_until_focused("Shift+Tab", PREVIOUS)

    tab.page.keyboard.press("Enter")
    expect(tab.answers).to_contain_text("reply 2")
    expect(tab.page.locator(PREVIOUS)).to_be_focused()

    tab.page.keyboard.press("Enter")
    expect(tab.answers).to_contain_text("reply 1")
    expect(tab.page.get_by_role("button", name="Next branch")).to_be_focused()
    assert numbers(tab) == ["1 / 3"]
    expect(tab.page.locator("#status")).to_have_text("Branch 1 of 3")


def test_the_title_in_the_list_is_that_of_the_version_shown(tab):
    tab.open()
    tab.ask("Hello")
    tab.page.get_by_role("button", name="Edit the message").click()
    tab.page.locator(".edit-form textarea").fill("Good morning")
    with tab.another_answer():
        tab.page.keyboard.press("Enter")
    expect(tab.entry("Good morning")).to_be_visible()

    tab.page.locator(PREVIOUS).click()

    expect(tab.entry("Hello")).to_be_visible()
