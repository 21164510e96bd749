"""Pages change without a reload, every page has its own address, and the back button works."""

import re

import pytest
from playwright.sync_api import expect

UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


@pytest.fixture
def two_chats(tab):
    """Make two chats, and leave the second one open. The page notes that it was not reloaded."""
    tab.open()
    tab.page.evaluate("window.neverReloaded = true")
    tab.ask("Apples")
    new_chat(tab)
    tab.ask("Pears")
    return tab


def new_chat(tab):
    tab.page.get_by_role("link", name="New chat", exact=True).first.click()
    expect(tab.page.locator(".welcome")).to_be_visible()
    expect(tab.field).to_be_focused()


def show(tab, title):
    tab.entry(title).get_by_role("link").click()
    expect(tab.page.locator("#title")).to_have_text(title)
    expect(tab.field).to_be_focused()


def choose(tab, title, option):
    """Choose an entry from the menu of a chat in the list."""
    entry = tab.entry(title)
    entry.hover()
    entry.locator("summary").click()
    entry.get_by_role("button", name=option).click()


def was_never_reloaded(tab):
    return tab.page.evaluate("window.neverReloaded === true")


@pytest.mark.daily
def test_moves_between_chats_need_no_reload(two_chats):
    pears = two_chats.path

    show(two_chats, "Apples")
    assert two_chats.said() == ["Apples", "reply 1"]
    show(two_chats, "Pears")
    assert two_chats.said() == ["Pears", "reply 2"]

    assert two_chats.path.partition("?")[0] == pears.partition("?")[0]
    assert was_never_reloaded(two_chats)


def test_back_and_forward_show_the_chats_again(two_chats):
    show(two_chats, "Apples")

    two_chats.page.go_back()
    expect(two_chats.page.locator(".bubble")).to_have_text("Pears")
    two_chats.page.go_forward()
    expect(two_chats.page.locator(".bubble")).to_have_text("Apples")

    two_chats.ask("More")
    assert two_chats.said() == ["Apples", "reply 1", "More", "reply 3"]
    assert was_never_reloaded(two_chats)


def test_a_new_chat_gets_an_address_of_its_own_and_keeps_its_query(tab):
    query = "agent=demo&historyPolicy=lastN&historyLength=4&debug=true"
    tab.open(f"/chat?{query}")

    tab.ask("Hello")

    assert re.fullmatch(rf"/chat/{UUID}\?{re.escape(query)}", tab.path)
    assert tab.path.startswith(f"/chat/{tab.conversation}")
    tab.page.reload()
    assert tab.said() == ["Hello", "reply 1"]


def test_an_address_can_be_opened_in_another_tab(two_chats):
    other = two_chats.another(two_chats.path)

    assert other.said() == ["Pears", "reply 2"]
    expect(other.page).to_have_title("Pears · Vitrine")


def test_renaming_changes_list_and_title(two_chats):
    choose(two_chats, "Pears", "Rename")
    two_chats.page.keyboard.type("Quinces")
    two_chats.page.keyboard.press("Enter")

    expect(two_chats.entry("Quinces")).to_be_visible()
    expect(two_chats.entry("Pears")).to_have_count(0)
    expect(two_chats.page.locator("#title")).to_have_text("Quinces")
    expect(two_chats.entry("Quinces").locator(".menu > summary")).to_be_focused()
    assert was_never_reloaded(two_chats)


def test_a_title_of_blanks_is_refused_at_its_field(two_chats):
    choose(two_chats, "Pears", "Rename")
    two_chats.page.keyboard.type("  ")
    two_chats.page.keyboard.press("Enter")

    field = two_chats.page.locator("#rename-dialog [name=title]")
    expect(field).to_be_focused()
    assert field.evaluate("field => field.validity.patternMismatch")
    two_chats.page.keyboard.press("Escape")
    expect(two_chats.entry("Pears").locator(".menu > summary")).to_be_focused()
    expect(two_chats.page.locator("#toasts")).to_be_empty()


@pytest.mark.parametrize("name", ["Rename", "Chat settings"])
def test_a_dialog_gives_the_focus_back_to_the_chats_menu(two_chats, name):
    two_chats.page.get_by_label("Chat menu").click()
    two_chats.page.locator(".chat-menu").get_by_role("button", name=name).click()
    expect(two_chats.page.locator("dialog[open]")).to_be_visible()

    two_chats.page.keyboard.press("Escape")

    expect(two_chats.page.get_by_label("Chat menu")).to_be_focused()


def test_deleting_the_chat_shown_leads_to_a_new_one_and_undo_leads_back(two_chats):
    choose(two_chats, "Pears", "Delete")

    expect(two_chats.page.locator(".welcome")).to_be_visible()
    expect(two_chats.entry("Pears")).to_have_count(0)
    expect(two_chats.entry("Apples")).to_be_visible()
    assert two_chats.path == "/chat"

    two_chats.page.get_by_role("button", name="Undo").click()

    expect(two_chats.page.locator("#title")).to_have_text("Pears")
    assert two_chats.said() == ["Pears", "reply 2"]
    assert was_never_reloaded(two_chats)


def test_deleting_another_chat_leaves_the_one_shown(two_chats):
    choose(two_chats, "Apples", "Delete")

    expect(two_chats.entry("Apples")).to_have_count(0)
    assert two_chats.said() == ["Pears", "reply 2"]


def test_each_chat_keeps_its_draft(two_chats):
    two_chats.page.keyboard.type("Half a thought")

    show(two_chats, "Apples")
    expect(two_chats.field).to_have_value("")
    show(two_chats, "Pears")
    expect(two_chats.field).to_have_value("Half a thought")
    two_chats.page.reload()
    expect(two_chats.field).to_have_value("Half a thought")


def test_the_list_is_searched_by_title(two_chats):
    two_chats.page.keyboard.press("Control+k")
    two_chats.page.keyboard.type("appl")

    expect(two_chats.entry("Pears")).to_have_count(0)
    expect(two_chats.entry("Apples")).to_be_visible()


def test_the_panel_opens_and_closes_without_a_reload(two_chats):
    toggle = two_chats.page.get_by_role("button", name="Inspector", exact=True)

    toggle.click()
    expect(two_chats.panel).to_contain_text("Turn 1 of 1")
    assert "debug=true" in two_chats.path
    toggle.click()
    expect(two_chats.panel).not_to_be_attached()
    assert was_never_reloaded(two_chats)


def test_what_is_typed_before_the_scripts_arrive_is_kept_and_sent(tab):
    late = []

    def hold(route):
        late.append(route)

    tab.page.route("**/js/main*.js", hold)
    with tab.page.expect_request("**/js/main*.js"):
        tab.page.goto(f"{tab.server.url}/chat?agent=demo", wait_until="commit")
    tab.field.fill("An early question")

    (script,) = late
    script.continue_()
    expect(tab.page.locator(".send")).to_be_enabled()
    tab.field.press("Enter")

    expect(tab.answers).to_have_attribute("data-status", "done")
    assert tab.said()[0] == "An early question"


def test_the_agents_menu_of_a_chat_says_that_a_choice_begins_a_new_one(tab):
    tab.open()
    tab.ask("Apples")

    tab.page.locator(".picker > summary").click()
    offered = tab.page.get_by_role("group", name="New chat with …")
    assert offered.inner_text().startswith("New chat with …")
    offered.get_by_role("link", name="Goldfish").click()
    expect(tab.page.locator(".welcome")).to_be_visible()
