"""The whole app can be used without a mouse."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import words
from tests.patience import PATIENCE
from tests.provider import Reply

LINK = ".skip"


def test_the_skip_link_leads_to_the_composer(tab):
    tab.open()
    tab.press_until_focused("Shift+Tab", LINK)
    expect(tab.page.locator(LINK)).to_be_in_viewport()

    tab.page.keyboard.press("Enter")

    expect(tab.field).to_be_focused()


def test_tab_leads_through_the_page_to_the_composer(tab):
    tab.open()
    tab.press_until_focused("Shift+Tab", LINK)

    tab.press_until_focused("Tab", "#text")

    tab.ask("Hello")
    assert tab.said() == ["Hello", "reply 1"]


def test_shift_enter_breaks_the_line_and_enter_sends(tab, provider):
    tab.open()
    tab.page.keyboard.type("one")
    tab.page.keyboard.press("Shift+Enter")
    assert provider.requests == []

    tab.ask("two")

    assert provider.requests[0]["messages"][-1]["content"] == "one\ntwo"
    expect(tab.field).to_have_value("")


@pytest.mark.daily
def test_escape_stops_the_answer(tab, provider):
    provider.script(Reply(text=["word "], endless=True, delay=0.01))
    tab.open()
    tab.say("Talk")
    expect(tab.answers).to_contain_text("word word")

    tab.page.keyboard.press("Escape")

    expect(tab.page.locator(".ending")).to_contain_text("Stopped")
    assert provider.closed.wait(PATIENCE)
    expect(tab.page.get_by_role("button", name="Continue")).to_be_visible()


def test_one_goes_on_writing_while_an_answer_streams(tab, provider):
    provider.script(Reply(text=words(0, 40), hang_after=20))
    tab.open()
    tab.say("Count")
    expect(tab.answers).to_contain_text("w19")

    tab.page.keyboard.type("My next ")
    provider.release()
    expect(tab.answers).to_have_attribute("data-status", "done")
    tab.page.keyboard.type("thought")

    expect(tab.field).to_be_focused()
    expect(tab.field).to_have_value("My next thought")
    assert len(provider.requests) == 1


def test_the_inspectors_button_gets_the_focus_back_from_whoever_pressed_it(tab):
    tab.open()
    tab.ask("Hello")
    toggle = tab.page.get_by_role("button", name="Inspector", exact=True)
    toggle.press("Enter")
    expect(tab.panel).to_contain_text("Turn 1 of 1")
    expect(tab.panel.get_by_role("heading", name="Inspector", exact=True)).to_be_focused()
    expect(toggle).to_have_attribute("aria-pressed", "true")

    tab.panel.get_by_role("link", name="Close the inspector").press("Enter")
    expect(tab.panel).to_have_count(0)
    expect(toggle).to_be_focused()

    toggle.press("Space")
    expect(tab.panel).to_contain_text("Turn 1 of 1")
    tab.page.mouse.move(0, 0)
    tab.page.get_by_role("link", name="New chat").first.click()
    expect(tab.field).to_be_focused()


OPEN, CLOSE = "#main [data-sidebar-toggle]", "#sidebar [data-sidebar-toggle]"


@pytest.mark.parametrize("width", [1280, 600])
def test_the_sidebars_buttons_hand_the_focus_to_each_other(tab, width):
    """Pressing Enter repeatedly opens and closes the sidebar."""
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.open()
    shown, other = (CLOSE, OPEN) if width > 1024 else (OPEN, CLOSE)
    tab.press_until_focused("Shift+Tab", shown)

    for expected in (other, shown, other):
        tab.page.keyboard.press("Enter")
        assert tab.has_focus(expected)


def test_tab_goes_on_in_the_drawer(tab):
    tab.page.set_viewport_size({"width": 600, "height": 800})
    tab.open()
    tab.press_until_focused("Shift+Tab", OPEN)
    tab.page.keyboard.press("Enter")

    tab.page.keyboard.press("Tab")

    assert tab.has_focus("#sidebar .new-chat")


@pytest.mark.parametrize(("keys", "width"), [("Control+k", 1280), ("/", 1280), ("Control+k", 600)])
def test_what_is_typed_after_the_search_was_called_is_searched_for(tab, keys, width):
    """The search field must have the focus at once; else the keys would go into the message."""
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.open()
    if width > 1024:
        tab.press_until_focused("Shift+Tab", CLOSE)
        tab.page.keyboard.press("Enter")

    tab.page.keyboard.press(keys)

    assert tab.has_focus("#chat-search")
    tab.page.keyboard.type("harbour")
    expect(tab.page.locator("#chat-search")).to_have_value("harbour")
    expect(tab.field).to_have_value("")


@pytest.mark.parametrize(
    "button",
    [
        pytest.param(".chat-menu > summary", id="of the open chat"),
        pytest.param(".picker > summary", id="of the agents"),
        pytest.param(".chat-entry > .menu > summary", id="of a chat in the list"),
        pytest.param(".sidebar-foot summary", id="of the account"),
        pytest.param(".answer [data-more]", id="of a message"),
    ],
)
def test_arrows_open_every_menu_and_walk_through_it(tab, button):
    tab.open()
    tab.ask("Hello")
    opener = tab.page.locator(button)
    with tab.page.expect_response("**/walking*.js") as script:
        opener.focus()
    tab.page.evaluate("address => import(address).then(() => {})", script.value.url)
    tab.page.keyboard.press("ArrowDown")
    menu = tab.page.locator(".menu[open], [data-more-menu]")
    entries = menu.locator(".sheet :is(a, button):visible")
    expect(entries.first).to_be_focused()
    last = entries.count() - 1
    assert last > 0

    steps = {"ArrowDown": 1, "End": last, "ArrowUp": last - 1, "Home": 0}
    for key, place in steps.items():
        tab.page.keyboard.press(key)
        expect(entries.nth(place)).to_be_focused()
    tab.page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    expect(menu).to_have_count(0)


def test_a_menu_in_the_list_is_walked_through_though_the_list_is_shown_again(tab):
    """The script adds the menu's entries on opening, so a new list from the server lacks them."""
    tab.open()
    tab.ask("Hello")
    opener = tab.page.locator(".chat-entry > .menu > summary")
    with tab.page.expect_response("**/walking*.js") as script:
        opener.focus()
    tab.page.evaluate("address => import(address).then(() => {})", script.value.url)
    tab.page.keyboard.press("ArrowDown")
    entries = tab.page.locator(".menu[open] .sheet :is(a, button):visible")
    expect(entries.first).to_be_focused()

    tab.another("/chat?agent=demo").ask("Good evening")
    expect(tab.page.locator(".chat-entry")).to_have_count(2)

    expect(entries.first).to_be_focused()
    tab.page.keyboard.press("ArrowDown")
    expect(entries.nth(1)).to_be_focused()
