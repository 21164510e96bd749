"""The sidebar's search finds words of any message, and leads to the message, however old."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD
from tests.servers import manage

SHOWN = 3  # The results that are listed for each chat.
FAR = 150  # Turns; a page first loads 80 of the 300 messages.
MAKE = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from agents.models import AgentTemplate
from history.models import Branch, Conversation
from history.services.path.appending import append, assistant_message, user_message
finder = User.objects.create_user("finder", password="{PASSWORD}")
agent = AgentTemplate.objects.get(slug="demo")
now = timezone.now()
chat = Conversation.objects.create(agent=agent, owner=finder, title="Harbour", active=now)
chat.branch = Branch.objects.create(conversation=chat)
chat.save()
texts = ["The lighthouse key is under the blue pot."] + ["Next boat?"] * {FAR - 1}
append(chat.branch, [m for t in texts for m in (user_message(t), assistant_message("At noon."))])
"""


@pytest.fixture(scope="module")
def harbour(served):
    """Make a person with a long chat, whose first message states a fact."""
    manage(served.folder, "shell", "-c", MAKE)


@pytest.fixture
def finder(tab, harbour):
    tab.sign_in("finder")
    return tab


def search(tab, query):
    """Enter the query at once: if it were typed, the page might search for its first letters."""
    tab.page.keyboard.press("Control+k")
    expect(tab.page.locator("#chat-search")).to_be_focused()
    tab.page.keyboard.insert_text(query)


def lit(tab):
    return tab.page.locator(".message.found")


def test_a_search_leads_to_a_message_far_up_and_what_is_between_can_be_loaded(finder):
    search(finder, "blue lighthouse")
    found = finder.page.locator(".found-text .excerpt")
    expect(found).to_have_text("The lighthouse key is under the blue pot.")
    assert found.locator("mark").all_inner_texts() == ["lighthouse", "blue"]

    finder.press_until_focused("Tab", ".found-text", most=4)
    finder.page.keyboard.press("Enter")

    expect(lit(finder)).to_contain_text("The lighthouse key")
    expect(lit(finder)).to_be_in_viewport()
    assert "#" not in finder.page.url
    between = finder.page.get_by_role("button", name="Show the 140 messages in between")
    between.click()
    finder.page.get_by_role("button", name="Show the 60 messages in between").click()
    expect(finder.page.locator(".unloaded")).to_have_count(0)
    positions = finder.page.locator(".message").evaluate_all(
        "all => all.map(m => +m.dataset.position)"
    )
    assert positions == list(range(2 * FAR))


def test_a_misspelt_word_leads_to_the_one_that_was_meant(tab):
    tab.open()
    tab.field.fill(f"{'And so on. ' * 500}The Quince tree. {'And on it went. ' * 100}")
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator('.answer[data-status="done"]')).to_have_count(1)
    tab.open()
    search(tab, "quinec")
    tab.page.locator(".chats-none").get_by_role("button", name="quince").click()
    expect(tab.page.locator("#chat-search")).to_have_value("quince")
    tab.page.locator(".found-text", has_text="The Quince tree.").last.click()

    expect(lit(tab)).to_contain_text("Quince")


def test_enter_opens_the_first_result_and_arrows_walk_through_all(finder):
    search(finder, "boat")
    expect(finder.page.locator(".found-text")).to_have_count(4)
    finder.page.get_by_role("button", name="146 more messages").press("Enter")
    expect(finder.page.locator("a.found-text")).to_have_count(100)
    expect(finder.page.locator("a.found-text").nth(SHOWN)).to_be_focused()
    older = finder.page.get_by_role("button", name="Show older matches")
    older.press("Enter")
    expect(finder.page.locator("a.found-text")).to_have_count(149)
    expect(finder.page.locator("a.found-text").nth(100)).to_be_focused()
    expect(older).to_have_count(0)

    finder.page.locator("#chat-search").focus()
    for _ in range(3):
        finder.page.keyboard.press("ArrowDown")
    assert finder.has_focus("a.found-text")
    for _ in range(3):
        finder.page.keyboard.press("ArrowUp")
    assert finder.has_focus("#chat-search")

    finder.page.keyboard.type(" ")
    finder.page.locator("#chat-search").fill('"blue pot"')
    finder.page.keyboard.press("Enter")
    expect(finder.page.locator("#title")).to_have_text("Harbour")


def test_home_and_end_lead_to_the_first_result_and_the_last(finder):
    search(finder, "boat")
    expect(finder.page.locator("a.found-text")).to_have_count(SHOWN)
    finder.page.keyboard.press("ArrowDown")
    finder.page.keyboard.press("End")
    assert finder.has_focus(".found:last-child > .found-text:last-of-type, .found-more")
    finder.page.keyboard.press("Home")

    assert finder.has_focus("#chats .found:first-child > .found-chat")


def test_escape_leads_from_the_search_back_to_the_message(finder):
    search(finder, "boat")
    expect(finder.page.locator("a.found-text")).to_have_count(SHOWN)
    finder.page.keyboard.press("ArrowDown")
    finder.page.keyboard.press("ArrowDown")
    assert finder.has_focus(".found-text")
    finder.page.keyboard.press("Escape")
    expect(finder.page.locator("#chat-search")).to_be_focused()
    expect(finder.page.locator("#chat-search")).to_have_value("boat")
    finder.page.keyboard.press("Escape")

    expect(finder.field).to_be_focused()
    expect(finder.page.locator("#chat-search")).to_have_value("")
    expect(finder.page.locator(".chat-entry")).to_have_count(1)


@pytest.mark.daily
def test_a_search_finds_another_version_and_opens_it(tab):
    tab.open()
    tab.ask("The key is under the red pot.")
    first = tab.page.locator(".message[data-role=user]")
    first.hover()
    first.get_by_role("button", name="Edit the message").click()
    tab.page.locator(".edit-form textarea").fill("The key is under the green hat.")
    with tab.another_answer():
        tab.page.keyboard.press("Enter")
    expect(first).to_contain_text("green hat")

    search(tab, "red pot")
    expect(tab.page.locator(".found-text")).to_contain_text("On another branch of this chat")
    tab.page.locator(".found-text").click()

    expect(lit(tab)).to_contain_text("The key is under the red pot.")


def test_a_phone_finds_too_and_says_when_there_is_nothing(phone):
    phone.page.goto(f"{phone.server.url}/chat?agent=demo")
    phone.field.tap()
    phone.ask("The ferry leaves at dawn.")
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    field = phone.page.locator("#chat-search")
    field.fill("zeppelin")
    expect(phone.page.locator(".chats-none")).to_contain_text(
        "None of your chats contain “zeppelin”."
    )
    field.fill("ferry")
    phone.page.locator(".found-text").tap()

    expect(phone.page.locator("#sidebar")).not_to_be_in_viewport()
    expect(lit(phone)).to_be_in_viewport()
    width = phone.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0
