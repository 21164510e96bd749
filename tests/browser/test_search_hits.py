"""A bar leads from one message that a search found to the next, without going back to the list."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, PHONE, Tab
from tests.browser.test_search import lit, search
from tests.servers import manage

TEXTS = ("The lighthouse keeps its key.", "Another lighthouse, red.", "The last lighthouse.")
MAKE = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from agents.models import AgentTemplate
from history.models import Branch, Conversation
from history.services.path.appending import append, assistant_message, user_message
keeper = User.objects.create_user("hits", password="{PASSWORD}")
agent = AgentTemplate.objects.get(slug="demo")
for texts in ({TEXTS[:2]!r}, {TEXTS[2:]!r}):
    chat = Conversation.objects.create(agent=agent, owner=keeper, active=timezone.now())
    chat.branch = Branch.objects.create(conversation=chat)
    chat.save()
    append(chat.branch, [m for t in texts for m in (user_message(t), assistant_message("Aye."))])
"""


@pytest.fixture(scope="module")
def coast(served):
    """Three messages that are found, in two chats."""
    manage(served.folder, "shell", "-c", MAKE)


@pytest.fixture
def found(tab, coast):
    tab.sign_in("hits")
    search(tab, "lighthouse")
    expect(rows(tab)).to_have_count(len(TEXTS))
    return tab


def rows(tab):
    return tab.page.locator("a.found-text")


def bar(tab):
    return tab.page.get_by_role("group", name="What was found")


def step(tab, name):
    return bar(tab).get_by_role("button", name=name)


def shown(tab, number):
    """The bar says which one is shown, the chat lights it, and the list marks it."""
    expect(bar(tab)).to_contain_text(f"{number} of 3")
    said = rows(tab).nth(number - 1).locator(".excerpt").text_content()
    expect(lit(tab)).to_contain_text(said)
    expect(rows(tab).nth(number - 1)).to_have_attribute("aria-current", "page")


@pytest.mark.daily
def test_keys_lead_from_one_match_to_the_next_in_whichever_chat_it_is(found):
    rows(found).first.click()
    shown(found, 1)
    expect(rows(found).first).to_be_focused()
    step(found, "Next match").focus()
    for number in (2, 3, 3):
        found.page.keyboard.press("Enter")
        shown(found, number)
        expect(step(found, "Next match")).to_be_focused()
    step(found, "Previous match").press("Enter")
    shown(found, 2)

    step(found, "Close").press("Enter")

    expect(bar(found)).to_have_count(0)
    expect(rows(found).nth(1)).to_be_focused()


def test_on_a_phone_the_list_is_opened_once(somebody, served, provider, coast):
    phone = Tab(somebody(**PHONE).new_page(), served)
    phone.page.goto(f"{served.url}/login?next=/chat%3Fagent=demo")
    phone.page.locator("[name=username]").fill("hits")
    phone.page.locator("[name=password]").fill(PASSWORD)
    phone.page.keyboard.press("Enter")
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    phone.page.locator("#chat-search").fill("lighthouse")
    rows(phone).first.tap()
    shown(phone, 1)
    for number in (2, 3):
        assert step(phone, "Next match").bounding_box()["height"] >= 44
        step(phone, "Next match").tap()
        shown(phone, number)
        expect(phone.page.locator("#sidebar")).not_to_be_in_viewport()

    step(phone, "Close").tap()
    expect(bar(phone)).to_have_count(0)


def test_it_goes_with_the_search_and_with_the_chat(found):
    rows(found).first.click()
    shown(found, 1)
    found.page.locator("#chat-search").fill("")
    expect(bar(found)).to_have_count(0)

    search(found, "lighthouse")
    rows(found).first.click()
    shown(found, 1)
    found.page.locator(".new-chat").click()
    expect(bar(found)).to_have_count(0)
