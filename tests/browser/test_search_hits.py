"""A bar leads from one found message to the next, without a return to the list of results."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, PHONE, Tab
from tests.browser.test_search import lit, search
from tests.browser.test_search_offline import LOST
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

MANY, FEW = 230, 2  # Matches in one chat; MANY needs more than two pages.
MAKE_MANY = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from agents.models import AgentTemplate
from history.models import Branch, Conversation
from history.services.path.appending import append, user_message
keeper = User.objects.create_user("many-hits", password="{PASSWORD}")
agent = AgentTemplate.objects.get(slug="demo")
for count in ({FEW}, {MANY}):
    chat = Conversation.objects.create(agent=agent, owner=keeper, active=timezone.now())
    chat.branch = Branch.objects.create(conversation=chat)
    chat.save()
    texts = (f"A foghorn, {{number}} of {{count}}." for number in range(1, count + 1))
    append(chat.branch, [user_message(text) for text in texts])
"""


@pytest.fixture(scope="module")
def coast(served):
    """Make two chats with three messages in all that match."""
    manage(served.folder, "shell", "-c", MAKE)


@pytest.fixture(scope="module")
def fog(served):
    """Make a chat with more matches than fit into two pages, and an older chat with two."""
    manage(served.folder, "shell", "-c", MAKE_MANY)


@pytest.fixture
def listener(tab, fog):
    tab.sign_in("many-hits")
    search(tab, "foghorn")
    expect(rows(tab)).to_have_count(3 + FEW)
    return tab


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
    """Expect this number in the bar, and its match marked in the list and shown in the chat."""
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


def test_whoever_goes_elsewhere_by_tab_stays_there_whatever_comes(found):
    rows(found).first.click()
    step(found, "Next match").press("Enter")
    shown(found, 2)
    expect(step(found, "Next match")).to_be_focused()
    found.press_until_focused("Tab", "#text")

    found.page.keyboard.press("Control+i")
    expect(found.panel).to_contain_text("Turn")
    found.expect_a_settled_panel()
    found.page.keyboard.press("Control+i")
    expect(found.panel).to_have_count(0)

    expect(found.field).to_be_focused()


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


def heard(tab, number, said):
    """Expect that the bar counts all matches, and that the chat highlights this message."""
    expect(bar(tab)).to_contain_text(f"{number} of {MANY + FEW}")
    expect(lit(tab)).to_contain_text(f"A foghorn, {said}.")


@pytest.mark.daily
def test_all_matches_are_counted_and_those_that_are_not_listed_yet_are_led_to(listener):
    press = listener.page.keyboard.press
    rows(listener).first.click()
    for number in range(1, 6):
        heard(listener, number, f"{MANY + 1 - number} of {MANY}")
        press("F3")
    expect(rows(listener)).to_have_count(100 + FEW)
    expect(rows(listener).nth(5)).to_be_focused()
    heard(listener, 6, f"{MANY - 5} of {MANY}")
    press("Control+i")
    expect(listener.panel).to_be_visible()

    rows(listener).nth(100).click()
    heard(listener, MANY + 1, f"{FEW} of {FEW}")
    press("Shift+F3")
    heard(listener, MANY, f"1 of {MANY}")
    expect(rows(listener)).to_have_count(MANY + FEW)
    press("Control+Shift+g")
    heard(listener, MANY - 1, f"2 of {MANY}")
    for number, said in ((MANY, f"1 of {MANY}"), (MANY + 1, f"2 of {FEW}")):
        press("Control+g")
        heard(listener, number, said)
    expect(listener.panel).to_be_visible()


def test_the_keys_leave_the_focus_where_one_writes_and_say_where_the_matches_end(listener):
    press = listener.page.keyboard.press
    rows(listener).nth(3).click()
    heard(listener, MANY + 1, f"2 of {FEW}")
    listener.field.fill("A draft")
    press("F3")
    heard(listener, MANY + 2, f"1 of {FEW}")
    expect(step(listener, "Next match")).to_have_attribute("aria-disabled", "true")
    expect(bar(listener)).not_to_contain_text("the last")
    press("F3")
    expect(bar(listener)).to_contain_text("the last")
    expect(lit(listener)).to_contain_text(f"1 of {FEW}")
    expect(listener.field).to_be_focused()
    expect(listener.field).to_have_value("A draft")

    rows(listener).first.click()
    heard(listener, 1, f"{MANY} of {MANY}")
    step(listener, "Previous match").press("Enter")
    expect(bar(listener)).to_contain_text("the first")


def test_offline_it_stays_at_the_match_and_goes_on_later(listener, complaints):
    rows(listener).nth(2).click()
    heard(listener, 3, f"{MANY - 2} of {MANY}")
    listener.page.context.set_offline(True)
    step(listener, "Next match").click()
    expect(listener.page.locator("#toasts")).to_contain_text("Can't reach the server")
    heard(listener, 3, f"{MANY - 2} of {MANY}")

    listener.page.context.set_offline(False)
    complaints[:] = [told for told in complaints if not any(lost in told for lost in LOST)]
    step(listener, "Next match").click()
    heard(listener, 4, f"{MANY - 3} of {MANY}")


def test_the_sheet_lists_the_keys_while_they_lead_anywhere(listener):
    listener.page.keyboard.press("Control+/")
    sheet = listener.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_be_visible()
    expect(sheet.get_by_text("Next match")).to_be_hidden()
    listener.page.keyboard.press("Escape")
    rows(listener).first.click()
    expect(bar(listener)).to_be_visible()
    listener.page.keyboard.press("Control+/")

    expect(sheet.get_by_text("Next match")).to_be_visible()
