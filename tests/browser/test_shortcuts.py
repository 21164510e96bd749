"""Keys do what the list of shortcuts says, in the named places, and the focus returns."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.browser.test_config import WINDOW, configure
from tests.provider import Reply

MAC = "Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' })"
ALWAYS = [
    *("Anywhere, even while writing", "Outside of fields"),
    *("While writing", "In the search", "In menus"),
]
LATE = "() => document.getElementById('scroller').scrollTop > -5"
PLACES = ["#text", "#scroller", "#chat-search", ".new-chat"]


@pytest.fixture
def walker(tab):
    """Make three chats; the newest is open, and the first in the list."""
    for said in ("Apples", "Pears", "Plums"):
        tab.open()
        tab.ask(said)
        expect(tab.page.locator(".chat-entry").first).to_contain_text(said)
    return tab


def sheet(tab):
    return tab.page.get_by_role("dialog", name="Keyboard shortcuts")


def title(tab):
    return tab.page.locator("#title")


@pytest.mark.daily
def test_alt_and_an_arrow_lead_to_the_chat_above_or_below_also_while_writing(walker):
    press = walker.page.keyboard.press
    walker.page.keyboard.type("A draft")
    press("Alt+ArrowDown")
    press("Alt+ArrowDown")
    expect(title(walker)).to_have_text("Apples")
    expect(walker.field).to_be_focused()
    press("Alt+ArrowDown")
    press("Alt+ArrowUp")
    expect(title(walker)).to_have_text("Pears")
    press("Alt+ArrowUp")
    expect(walker.field).to_have_value("A draft")
    walker.open()
    press("Alt+ArrowUp")
    press("Alt+ArrowDown")

    expect(title(walker)).to_have_text("Plums")


def test_alt_and_an_arrow_walk_through_what_was_found_and_open_no_menu(walker):
    """The keys visit each chat once, even if both its title and a message match."""
    walker.page.locator("#chat-search").fill("p")
    expect(walker.page.locator(".chat-entry")).to_have_count(2)
    expect(walker.page.locator(".found")).to_have_count(2)
    for key, chat in (("ArrowDown", "Pears"), ("ArrowDown", "Pears"), ("ArrowUp", "Plums")):
        walker.page.locator(".chat-menu > summary").focus()
        walker.page.keyboard.press(f"Alt+{key}")
        expect(title(walker)).to_have_text(chat)

    expect(walker.page.locator("details.menu[open]")).to_have_count(0)


@pytest.mark.parametrize("place", PLACES)
def test_commands_work_wherever_the_focus_is(walker, place):
    page = walker.page
    page.locator(place).focus()
    page.keyboard.press("Control+/")
    expect(sheet(walker)).to_be_visible()
    page.keyboard.press("Control+b")  # The dialog blocks this key.
    page.keyboard.press("Escape")
    expect(sheet(walker)).to_be_hidden()
    expect(page.locator(place)).to_be_focused()

    page.keyboard.press("Control+i")
    expect(walker.panel).to_contain_text("Turn 1 of 1")
    page.keyboard.press("Control+i")
    expect(walker.panel).to_have_count(0)
    page.locator(place).focus()
    page.keyboard.press("Shift+Escape")
    expect(walker.field).to_be_focused()
    page.keyboard.press("Control+k")
    expect(page.locator("#chat-search")).to_be_focused()


def test_the_search_is_led_to_from_a_dialog_too(tab):
    tab.open()
    for command, dialog in (("/help", "#help-dialog"), ("/config", "#config-dialog")):
        tab.field.fill(command)
        tab.field.press("Enter")
        expect(tab.page.locator(dialog)).to_be_visible()
        tab.page.keyboard.press("Control+k")
        expect(tab.page.locator(dialog)).to_be_hidden()
        expect(tab.page.locator("#chat-search")).to_be_focused()


def test_a_dialog_with_something_unsaved_asks_before_the_search_is_led_to(tab):
    tab.open()
    dialog = configure(tab)
    dialog.get_by_label(WINDOW).fill("40")
    tab.page.keyboard.press("Control+k")
    expect(dialog.get_by_role("alert")).to_contain_text("Your changes aren't saved.")
    expect(dialog.get_by_label(WINDOW)).to_be_focused()
    expect(dialog.get_by_label(WINDOW)).to_have_value("40")
    tab.page.keyboard.press("Control+k")

    expect(dialog).to_be_hidden()
    expect(tab.page.locator("#chat-search")).to_be_focused()


def test_an_arrow_edits_the_last_message_while_nothing_is_written(tab):
    tab.open()
    tab.field.press("ArrowUp")
    expect(tab.field).to_be_focused()
    for text in ("one", "two"):
        tab.ask(text)
    tab.field.fill("A draft")
    tab.field.press("ArrowUp")
    expect(tab.page.locator(".edit-form")).to_have_count(0)
    tab.field.fill("")
    tab.field.press("ArrowUp")

    expect(tab.page.locator(".edit-form textarea")).to_be_focused()
    expect(tab.page.locator(".edit-form textarea")).to_have_value("two")


def test_a_key_copies_the_newest_answer(tab, provider):
    provider.script(Reply(text=["First."]), Reply(text=["**Second.**"]))
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.open()
    for text in ("one", "two"):
        tab.ask(text)
    tab.page.keyboard.press("Control+Shift+c")

    expect(tab.page.locator("#status")).to_contain_text("Copied")
    assert tab.page.evaluate("navigator.clipboard.readText()") == "**Second.**"


def test_the_sidebar_is_put_away_and_the_focus_stays_or_goes_to_the_message(walker):
    page, hidden = walker.page, walker.page.locator("#sidebar")
    page.keyboard.press("Control+b")
    expect(hidden).to_be_hidden()
    expect(walker.field).to_be_focused()
    page.keyboard.press("Control+b")
    expect(hidden).to_be_visible()
    page.locator("#chat-search").focus()
    page.keyboard.press("Control+b")

    expect(walker.field).to_be_focused()


def test_ctrl_end_leads_to_the_newest_message_and_keeps_the_draft(tab, provider):
    tab.page.set_viewport_size({"width": 1280, "height": 400})
    tab.open()
    for number in range(4):
        tab.ask("\n".join([f"Line {number}"] * 9).replace("\n", " and on and on "))
    tab.page.locator("#scroller").evaluate("element => { element.scrollTop = -900; }")
    tab.page.keyboard.type("A draft")
    tab.page.locator("#scroller").evaluate("element => { element.scrollTop = -900; }")
    expect(tab.page.locator("#latest")).to_be_visible()
    tab.page.keyboard.press("Control+End")

    tab.page.wait_for_function(LATE)
    expect(tab.field).to_have_value("A draft")
    expect(tab.field).to_be_focused()


def test_shift_and_esc_close_a_menu_and_the_drawer_on_the_way_to_the_message(tab):
    tab.page.set_viewport_size({"width": 600, "height": 800})
    tab.open()
    tab.page.keyboard.press("Control+k")
    tab.page.locator(".chats-top summary").press("Enter")
    expect(tab.page.locator(".chats-top .menu")).to_have_attribute("open", "")
    tab.page.keyboard.press("Shift+Escape")

    expect(tab.field).to_be_focused()
    expect(tab.page.locator("#sidebar")).not_to_be_in_viewport()
    expect(tab.page.locator("details.menu[open]")).to_have_count(0)


@pytest.mark.parametrize("keys", ["Control+Shift+k", "Control+Alt+k", "Meta+k", "Control+Shift+i"])
def test_keys_of_the_browser_and_of_other_systems_are_left_alone(tab, keys):
    tab.open()
    tab.page.keyboard.press(keys)

    expect(tab.field).to_be_focused()
    expect(tab.panel).to_have_count(0)


def test_a_mac_has_its_own_keys_and_names_them(somebody, served, provider):
    tab = Tab(somebody().new_page(), served)
    tab.page.add_init_script(MAC)
    tab.open()
    expect(tab.page.locator(".new-chat")).to_have_attribute("title", "New chat (⌘⇧O)")
    tab.page.keyboard.press("Control+k")
    expect(tab.field).to_be_focused()
    tab.page.keyboard.press("Meta+/")
    expect(sheet(tab)).to_be_visible()

    keys = sheet(tab).locator("kbd").all_inner_texts()
    assert {"⌘", "⌥", "⇧"} <= set(keys)
    assert not {"Ctrl", "Alt", "Shift"} & set(keys)
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("Meta+k")
    expect(tab.page.locator("#chat-search")).to_be_focused()
    tab.page.goto(f"{served.url}/about/docs/keys")
    expect(tab.page.locator("kbd").first).to_have_text("⌘")


def test_elsewhere_nothing_is_said_of_a_mac(tab):
    tab.open()
    tab.page.keyboard.press("Control+/")

    expect(sheet(tab)).to_contain_text("Ctrl")
    expect(sheet(tab)).not_to_contain_text("Mac")


def test_the_sheet_has_the_keys_of_what_is_on_the_page(tab):
    """The staff's overview has a chart with keys of its own; they are never listed here."""
    tab.open()
    tab.ask("one")
    places = sheet(tab).locator("h3:visible")
    tab.page.keyboard.press("Control+/")
    expect(places).to_have_text(ALWAYS)
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("Control+i")
    expect(tab.panel).to_contain_text("Turn 1 of 1")
    tab.page.keyboard.press("Control+/")
    expect(places).to_have_text([*ALWAYS, "In the inspector"])

    expect(sheet(tab).get_by_role("link", name="Open this list as a page")).to_be_visible()


def test_a_touch_is_offered_no_keys_but_a_keyboard_beside_it_finds_them(somebody, served, provider):
    phone = Tab(somebody(**PHONE).new_page(), served)
    phone.page.goto(f"{served.url}/chat?agent=demo")
    phone.page.get_by_label("Chat menu").tap()
    expect(phone.page.get_by_role("button", name="Commands")).to_be_visible()
    expect(phone.page.get_by_role("button", name="Keyboard shortcuts")).to_have_count(0)
    phone.page.get_by_label("Chat menu").tap()
    phone.page.keyboard.press("Control+/")
    expect(sheet(phone)).to_be_visible()
    assert sheet(phone).evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")
    close = sheet(phone).get_by_role("button", name="Close")
    expect(close).to_be_in_viewport(ratio=1)
    assert close.bounding_box()["height"] >= 44
    close.tap()

    expect(sheet(phone)).to_be_hidden()


def test_they_work_while_a_message_is_edited_too_and_keep_the_edit(tab):
    tab.open()
    tab.ask("Where to?")
    tab.field.press("ArrowUp")
    edit = tab.page.locator(".edit-form textarea")
    expect(edit).to_be_focused()
    tab.page.keyboard.type(" And when?")
    tab.page.keyboard.press("Control+/")
    expect(sheet(tab)).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(edit).to_be_focused()

    for keys, field in (
        ("Control+End", tab.field),
        ("Control+k", tab.page.locator("#chat-search")),
    ):
        edit.press(keys)
        expect(field).to_be_focused()
    edit.press("Control+Shift+O")
    expect(edit).to_have_count(0)
    tab.page.go_back()
    expect(edit).to_have_value("Where to? And when?")
