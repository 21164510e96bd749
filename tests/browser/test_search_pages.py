"""Every result can be reached by keyboard: arrows and Enter open one, a button shows older ones."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD
from tests.browser.test_search import lit, search
from tests.servers import manage

CHATS = 510
MAKE = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from agents.models import AgentTemplate
from history.models import Branch, Conversation
from history.services.path.appending import append, user_message
keeper = User.objects.create_user("keeper", password="{PASSWORD}")
agent = AgentTemplate.objects.get(slug="demo")
def chat(title, *texts):
    chat = Conversation.objects.create(
        agent=agent, owner=keeper, title=title, active=timezone.now()
    )
    chat.branch = Branch.objects.create(conversation=chat)
    chat.save()
    append(chat.branch, [user_message(text) for text in texts])
for number in range({CHATS}):
    chat(f"Log {{number}}", f"Buoy {{number}} blinks.")
chat("Lines", "Get off at stop 14.", *["Stop 141 is by the sea."] * 4)
chat("Languages", "Plain **C++** and &#91;C&#93;, in `settings.py`.")
"""


@pytest.fixture(scope="module")
def logs(served):
    manage(served.folder, "shell", "-c", MAKE)


@pytest.fixture
def keeper(tab, logs):
    tab.sign_in("keeper")
    return tab


def test_keys_that_are_pressed_before_their_module_is_there_wait_for_it(tab, logs):
    """The script is held back from the first page on: a request already under way would pass."""
    held = []

    def hold(route):
        held.append(route)

    tab.page.route("**/searching*.js", hold)
    tab.sign_in("keeper")
    with tab.page.expect_request("**/searching*.js"):
        search(tab, "stop 14")
    tab.page.keyboard.press("ArrowDown")
    held[0].continue_()
    expect(tab.page.locator(".found-chat")).to_be_focused()
    tab.page.keyboard.press("Enter")

    expect(lit(tab)).to_contain_text("Get off at stop 14.")


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("stop 14", "Get off at stop 14."),
        ('"stop 14"', "Get off at stop 14."),
        ("C++", "Plain C++"),
        ("SETTINGS.PY", "Plain C++"),
    ],
)
def test_an_arrow_and_enter_open_the_best_hit(keeper, query, said):
    search(keeper, query)
    keeper.page.keyboard.press("ArrowDown")
    expect(keeper.page.locator(".found-chat")).to_be_focused()
    keeper.page.keyboard.press("Enter")

    expect(lit(keeper)).to_contain_text(said)
    expect(lit(keeper)).to_be_in_viewport()


def test_keys_typed_at_once_open_the_second_result_and_a_title(keeper):
    search(keeper, "sea")
    for _ in range(2):
        keeper.page.keyboard.press("ArrowDown")
    keeper.page.keyboard.press("Enter")
    expect(lit(keeper)).to_contain_text("Stop 141")

    keeper.page.locator("#chat-search").fill("languages")
    keeper.page.keyboard.press("ArrowDown")
    expect(keeper.page.locator(".chat-entry > a")).to_be_focused()
    keeper.page.keyboard.press("Enter")
    expect(keeper.page.locator("#title")).to_have_text("Languages")


def test_an_excerpt_is_plain_words(keeper):
    search(keeper, "c++")

    expect(keeper.page.locator(".excerpt")).to_have_text("Plain C++ and [C], in settings.py.")


def test_keys_lead_to_older_matches_and_open_one(keeper):
    search(keeper, "blinks")
    chats = keeper.page.locator(".found-chat")
    expect(chats).to_have_count(500)
    keeper.page.keyboard.press("ArrowDown")
    keeper.page.keyboard.press("End")
    assert keeper.has_focus(".found-older")
    keeper.page.keyboard.press("Enter")

    expect(chats).to_have_count(CHATS)
    expect(chats.nth(500)).to_be_focused()
    expect(keeper.page.locator(".found-older")).to_have_count(0)
    with keeper.page.expect_response("**/chats?q=blinks"):
        keeper.page.evaluate("htmx.trigger(document.body, 'chat:list')")
    keeper.page.evaluate("new Promise(requestAnimationFrame)")
    expect(chats).to_have_count(CHATS)
    expect(chats.nth(500)).to_be_focused()
    keeper.page.keyboard.press("End")
    keeper.page.keyboard.press("Enter")
    expect(lit(keeper)).to_contain_text("Buoy 0 blinks.")


def test_more_chats_keep_the_inspector_open_as_the_first_ones_do(keeper):
    keeper.page.goto(f"{keeper.server.url}/chat?agent=demo&debug=true")
    search(keeper, "log")
    links = keeper.page.locator(".chat-entry > a")
    expect(links).to_have_count(6)

    keeper.page.get_by_role("button", name="Show more", exact=True).click()

    expect(links.nth(6)).to_be_attached()
    addresses = links.evaluate_all("links => links.map((link) => link.search)")
    assert set(addresses) == {"?debug=true"}
