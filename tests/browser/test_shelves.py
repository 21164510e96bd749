"""All tabs show the same list of chats, when chats are pinned, archived, deleted and restored."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, words
from tests.browser.test_accessibility import settled, violations
from tests.browser.test_moves import choose, new_chat
from tests.provider import Reply
from tests.servers import manage

MAKE = f"""
from datetime import timedelta
from django.contrib.auth.models import User
from django.utils import timezone
from agents.models import AgentTemplate
from history.models import Conversation
hoarder = User.objects.create_user("hoarder", password="{PASSWORD}")
agent, now = AgentTemplate.objects.get(slug="demo"), timezone.now()
for number in range(60):
    made = {{"title": f"Chat {{number}}", "active": now + timedelta(seconds=number)}}
    Conversation.objects.create(agent=agent, owner=hoarder, **made)
"""
TITLES = ("Apples", "Pears", "Plums")


@pytest.fixture
def three_chats(tab):
    tab.open()
    for title in TITLES[:-1]:
        tab.ask(title)
        new_chat(tab)
    tab.ask(TITLES[-1])
    return tab


def expect_list(tab, *texts):
    """Expect these headings and titles in the list, from top to bottom."""
    expect(tab.page.locator("#chats :is(.chats-group, .chat-entry > a)")).to_have_text(texts)


def choose_from_list_menu(tab, name):
    tab.page.locator(".chats-top summary").click()
    tab.page.get_by_role("button", name=name).click()


def test_pinned_and_archived_chats_are_where_they_belong_in_every_tab(three_chats):
    tab = three_chats
    other = tab.another("/chat?agent=demo")
    tab.page.bring_to_front()

    choose(tab, "Apples", "Pin to top")
    choose(tab, "Pears", "Archive")

    for one in (tab, other):
        expect_list(one, "Pinned", "Apples", "Today", "Plums")
    choose_from_list_menu(tab, "Archived chats")
    expect_list(tab, "Today", "Pears")
    choose(tab, "Pears", "Unarchive")
    expect(tab.page.locator(".chats-none")).to_contain_text("Search finds them too.")
    tab.page.get_by_role("button", name="Back to your chats").click()
    for one in (tab, other):
        expect_list(one, "Pinned", "Apples", "Today", "Plums", "Pears")


def test_an_open_archived_chat_says_so_until_a_new_message_brings_it_back(tab):
    tab.open()
    tab.ask("Apples")
    choose(tab, "Apples", "Archive")
    mark = tab.page.locator(".chat-header .archived-mark")
    expect(mark).to_have_text("Archived")
    expect(tab.page.locator(".chats-none")).to_contain_text("All your chats are archived.")
    tab.page.get_by_role("button", name="Show them").click()
    expect_list(tab, "Today", "Apples")
    tab.page.get_by_role("button", name="Back to your chats").click()
    tab.page.reload()
    expect(mark).to_be_visible()

    tab.ask("Pears")

    expect(mark).to_be_hidden()
    expect_list(tab, "Today", "Apples")


@pytest.mark.daily
def test_several_chats_are_deleted_and_restored_by_keyboard(three_chats):
    keyboard = three_chats.page.keyboard
    other = three_chats.another("/chat?agent=demo")
    three_chats.page.bring_to_front()
    keyboard.press("Control+k")
    keyboard.press("Tab")
    keyboard.press("Enter")
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(three_chats.page.get_by_role("checkbox", name="Select Plums")).to_be_focused()

    keyboard.press("ArrowDown")
    keyboard.press("Space")
    keyboard.press("ArrowDown")
    keyboard.press("Space")
    expect(three_chats.page.locator(".choosing [role=status]")).to_have_text("2 selected")
    for scheme in ("light", "dark"):
        settled(three_chats, scheme)
        assert violations(three_chats) == []
    three_chats.press_until_focused("Tab", ".choosing .danger")
    keyboard.press("Enter")

    for one in (three_chats, other):
        expect_list(one, "Today", "Plums")
    three_chats.press_until_focused("Shift+Tab", "#toasts [data-undo]")
    keyboard.press("Enter")
    for one in (three_chats, other):
        expect_list(one, "Today", "Plums", "Pears", "Apples")


def test_a_range_is_chosen_with_the_pointer_and_escape_ends_it(three_chats):
    choose(three_chats, "Plums", "Select")
    expect(three_chats.page.get_by_role("checkbox", checked=True)).to_have_count(1)
    three_chats.entry("Pears").get_by_role("link").click()
    three_chats.entry("Apples").get_by_role("link").click(modifiers=["Shift"])

    expect(three_chats.page.locator(".choosing [role=status]")).to_have_text("3 selected")
    assert three_chats.said() == ["Plums", "reply 3"]
    three_chats.page.keyboard.press("Escape")

    expect(three_chats.page.get_by_role("checkbox")).to_have_count(0)
    expect(three_chats.page.locator(".chats-top summary")).to_be_focused()


def test_all_chats_of_the_list_are_chosen_at_once(three_chats):
    choose(three_chats, "Plums", "Select")
    every = three_chats.page.get_by_role("checkbox", name="Select all")
    expect(every).to_be_checked(indeterminate=True)

    every.click()
    expect(three_chats.page.locator(".choosing [role=status]")).to_have_text("3 selected")
    expect(every).to_be_checked()
    three_chats.another("/chat?agent=demo").ask("Figs")  # The list is loaded again.
    expect(three_chats.entry("Figs").locator(".choose")).not_to_be_checked()
    every.click()
    expect(three_chats.page.locator(".choosing [role=status]")).to_have_text("4 selected")
    every.click()
    expect(three_chats.page.locator(".choosing [role=status]")).to_have_text("0 selected")
    fits = "bar => bar.scrollWidth <= bar.closest('#sidebar').clientWidth"
    assert three_chats.page.locator(".choosing").evaluate(fits)


def choose_from_header(tab, name):
    tab.page.get_by_label("Chat menu").click()
    tab.page.locator(".chat-menu").get_by_role("button", name=name, exact=True).click()


def header_offers(tab):
    tab.page.get_by_label("Chat menu").click()
    entries = tab.page.locator(".chat-menu").get_by_role("button").all_inner_texts()
    tab.page.keyboard.press("Escape")
    return {name.strip() for name in entries}


def test_the_open_chats_menu_does_what_the_list_does(three_chats):
    tab = three_chats
    other = tab.another("/chat?agent=demo")
    assert not header_offers(other) & {"Rename", "Pin to top", "Archive", "Delete"}
    tab.page.bring_to_front()

    choose_from_header(tab, "Pin to top")
    for one in (tab, other):
        expect_list(one, "Pinned", "Plums", "Today", "Pears", "Apples")
    assert {"Rename", "Unpin from top", "Archive", "Delete"} <= header_offers(tab)
    choose_from_header(tab, "Archive")
    for one in (tab, other):
        expect_list(one, "Today", "Pears", "Apples")
    tab.page.locator("#toasts [data-undo]").click()
    expect_list(tab, "Pinned", "Plums", "Today", "Pears", "Apples")
    assert {"Unpin from top", "Archive"} <= header_offers(tab)
    choose_from_header(tab, "Archive")
    expect_list(tab, "Today", "Pears", "Apples")
    offered = header_offers(tab)
    assert {"Unarchive", "Delete"} <= offered
    assert not offered & {"Pin to top", "Unpin from top", "Archive", "Select"}
    choose_from_header(tab, "Rename")
    tab.page.keyboard.type("Damsons")
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator("#title")).to_have_text("Damsons")


def test_a_deletion_can_be_undone_after_a_reload_and_elsewhere_the_chat_is_left(three_chats):
    tab = three_chats
    path = tab.path
    other = tab.another(path)
    tab.page.bring_to_front()

    choose_from_header(tab, "Delete")
    for one in (tab, other):
        expect_list(one, "Today", "Pears", "Apples")
        expect(one.page.locator(".welcome")).to_be_visible()
    tab.page.reload()
    tab.page.get_by_role("button", name="Undo").click()

    for one in (tab, other):
        expect_list(one, "Today", "Plums", "Pears", "Apples")
    expect(tab.page.locator(".bubble")).to_have_text("Plums")
    tab.page.reload()
    expect(tab.page.locator(".bubble")).to_have_text("Plums")
    expect(tab.page.get_by_role("button", name="Undo")).to_have_count(0)


def test_an_answer_being_written_ends_with_its_chat_and_comes_back_as_far_as_it_was(tab, provider):
    provider.script(Reply(text=words(0, 40), hang_after=20))
    tab.open()
    tab.say("Count")
    expect(tab.answers).to_contain_text("w19")

    choose_from_header(tab, "Delete")
    expect(tab.page.locator(".welcome")).to_be_visible()
    expect(tab.page.locator(".stop")).to_be_hidden()
    tab.page.get_by_role("button", name="Undo").click()

    expect(tab.answers).to_have_attribute("data-status", "stopped")
    expect(tab.answers).to_contain_text("w19")


def test_all_that_are_shown_are_not_called_all_while_the_list_has_more(tab, served):
    manage(served.folder, "shell", "-c", MAKE)
    tab.sign_in("hoarder")
    choose(tab, "Chat 59", "Select")
    every = tab.page.get_by_role("checkbox", name="Select all shown", exact=True)
    said = tab.page.locator(".choosing [role=status]")
    expect(said).to_have_text("1 selected")

    every.click()
    expect(said).to_have_text("50 shown are selected")
    expect(every).to_be_checked(indeterminate=True)
    fits = "bar => bar.scrollWidth <= bar.closest('#sidebar').clientWidth"
    assert tab.page.locator(".choosing").evaluate(fits)
    every.click()
    expect(said).to_have_text("0 selected")
    every.click()
    tab.page.get_by_role("button", name="Show more").click()

    expect(said).to_have_text("50 selected")
    every = tab.page.get_by_role("checkbox", name="Select all", exact=True)
    every.click()
    expect(said).to_have_text("60 selected")
    expect(every).to_be_checked()
