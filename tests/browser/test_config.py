"""The dialog of `/config` works by keyboard and by touch, and changes the chat's settings."""

import re

import pytest
from playwright.sync_api import expect

from history.core.projection import opening
from tests.browser.tab import Tab
from tests.browser.test_accessibility import LOOKS, violations
from tests.browser.test_phone import begin, is_too_wide

WINDOW = "History window (items)"


def dialog_of(tab):
    return tab.page.get_by_role("dialog", name="Chat settings")


def configure(tab):
    tab.say("/config")
    return unfolded(tab)


def unfolded(tab):
    dialog = dialog_of(tab)
    expect(dialog.get_by_role("tab", name="Memory")).to_be_visible()
    dialog.get_by_text("More", exact=True).click()
    return dialog


def expect_saved(tab):
    expect(dialog_of(tab)).to_be_hidden()
    said = tab.page.locator("#toasts .toast.done")
    expect(said).to_have_text(re.compile(r"^\s*Saved\. Takes effect with your next message\."))


@pytest.mark.daily
def test_the_history_window_is_set_by_keyboard_and_holds_for_the_next_message(tab, provider):
    tab.open()
    for number in range(3):
        tab.ask(f"question {number}")
    configure(tab)

    tab.press_until_focused("Tab", "[name=max_items]")
    tab.page.keyboard.type("2")
    tab.page.keyboard.press("Enter")

    expect_saved(tab)
    expect(tab.field).to_be_focused()
    expect(tab.field).to_have_value("")
    assert tab.api("")["history_settings"] == {"max_items": 2}
    assert len(provider.requests) == 3
    tab.ask("the last question")
    expect(tab.page.locator(".cut")).to_contain_text(
        "5 earlier messages are left out (“History window (items)” 2 keeps 2 messages)."
    )
    assert [m["content"] for m in provider.requests[-1]["messages"][1:]] == [
        *(opening.TEXT, "reply 3", "the last question")
    ]


def test_a_bad_value_is_told_at_its_field_and_keeps_the_dialog_open(tab):
    tab.open()
    tab.ask("Hello")
    dialog = configure(tab)

    dialog.get_by_label(WINDOW).fill("1")
    dialog.get_by_role("button", name="Save").click()

    told = "Enter a whole number from 2 to 10000, or leave this empty for the default."
    expect(dialog).to_contain_text(told)
    expect(dialog.get_by_label(WINDOW)).to_be_focused()
    dialog.get_by_label(WINDOW).fill("")
    expect(dialog).not_to_contain_text(told)
    expect(dialog.locator("[aria-invalid=true]")).to_have_count(0)
    dialog.get_by_role("button", name="Save").click()
    expect_saved(tab)


def test_saving_leads_back_to_the_menu_that_it_was_opened_from(tab):
    tab.open()
    tab.ask("Hello")
    tab.page.get_by_label("Chat menu").focus()
    tab.page.keyboard.press("Enter")
    tab.press_until_focused("Tab", "[data-command='/config']")
    tab.page.keyboard.press("Enter")
    unfolded(tab).get_by_label(WINDOW).fill("40")
    tab.page.keyboard.press("Enter")

    expect_saved(tab)
    expect(tab.page.get_by_label("Chat menu")).to_be_focused()


@pytest.mark.parametrize("way", ["Escape", "Close"])
def test_what_was_typed_is_discarded_only_if_one_closes_twice(tab, way):
    tab.open()
    dialog = configure(tab)
    told = dialog.get_by_role("alert")

    def close():
        if way == "Escape":
            tab.page.keyboard.press("Escape")
        else:
            dialog.get_by_role("button", name="Close").click()

    dialog.get_by_label(WINDOW).fill("40")
    close()
    expect(told).to_contain_text("Your changes aren't saved.")
    expect(dialog.get_by_label(WINDOW)).to_have_value("40")

    dialog.get_by_role("button", name="Save").click()
    expect_saved(tab)
    expect(tab.page).to_have_url(re.compile("own.max_items=40"))
    tab.say("/config")
    dialog.get_by_label("Summarise").select_option("on")
    close()
    expect(told).to_be_visible()
    close()
    expect(dialog).to_be_hidden()


def test_what_was_refused_is_discarded_only_if_one_closes_twice(tab):
    tab.open()
    dialog = configure(tab)
    dialog.get_by_label(WINDOW).fill("1")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("Enter a whole number")

    tab.page.keyboard.press("Escape")
    expect(dialog.get_by_role("alert")).to_contain_text("Your changes aren't saved.")
    expect(dialog.get_by_label(WINDOW)).to_have_value("1")
    tab.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_config_is_not_a_message_and_leaves_no_draft(tab, provider):
    tab.open()
    tab.ask("Hello")
    configure(tab).get_by_role("button", name="Close").click()

    tab.page.reload()

    expect(tab.field).to_have_value("")
    assert tab.said() == ["Hello", "reply 1"]
    assert len(provider.requests) == 1


def test_a_longer_text_that_begins_so_is_no_command_of_the_dialog(tab):
    tab.open()
    tab.ask("What is /config?")

    expect(dialog_of(tab)).to_be_hidden()
    assert tab.said()[0] == "What is /config?"


def test_a_new_chat_begins_with_what_was_chosen_for_it(tab, provider):
    tab.open("/chat?agent=demo&debug=true")
    dialog = configure(tab)
    length = dialog.get_by_label("History length")
    length.fill("many")
    tab.page.keyboard.press("Enter")
    expect(dialog).to_contain_text(
        "Enter a whole number from 0 to 10,000, or leave this empty for the default."
    )
    expect(length).to_be_focused()

    length.fill("1")
    tab.page.keyboard.press("Enter")
    expect_saved(tab)

    expect(tab.page.locator(".welcome .lead")).to_contain_text("Set for this chat.")
    expect(tab.panel).to_contain_text("this chat")
    tab.page.reload()
    tab.field.focus()
    tab.ask("Hello")
    tab.ask("Again")
    assert "own." not in tab.path
    assert tab.api("")["history_settings"] == {"policy": "lastN", "length": 1}
    said = [message["content"] for message in provider.requests[-1]["messages"]]
    assert said[-1] == "Again"
    assert "Hello" not in said


def test_the_panel_says_what_the_next_message_will_have(tab):
    tab.open("/chat?agent=demo&debug=true")
    tab.ask("Hello")
    dialog = configure(tab)

    dialog.get_by_label("History length").fill("7")
    dialog.get_by_role("button", name="Save").click()

    expect(tab.panel).to_contain_text("Next message: Remembers the last 7 turns.")


def test_on_a_phone_it_fits_and_saves(phone):
    begin(phone)
    phone.ask("Hello")
    phone.field.fill("/config")
    phone.page.get_by_role("button", name="Send").tap()
    dialog = dialog_of(phone)
    dialog.get_by_text("More", exact=True).tap()
    expect(dialog.get_by_label(WINDOW)).to_be_visible()

    box = dialog.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["height"] <= 844
    expect(dialog.get_by_role("button", name="Save")).to_be_in_viewport()
    assert not is_too_wide(phone)
    dialog.get_by_label(WINDOW).fill("40")
    dialog.get_by_role("button", name="Save").tap()
    expect_saved(phone)
    assert phone.api("")["history_settings"] == {"max_items": 40}


@pytest.mark.parametrize("look", LOOKS)
def test_nobody_is_kept_out_of_it(somebody, served, provider, look):
    tab = Tab(somebody(**look, reduced_motion="reduce").new_page(), served)
    tab.page.goto(tab.server.url + "/chat?agent=demo")
    tab.field.focus()
    tab.ask("Hello")
    dialog = configure(tab)
    dialog.get_by_label(WINDOW).fill("x")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("Enter a whole number")

    assert violations(tab) == []
