"""A list of search results begins at its top, and one key opens a result at the word found."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD
from tests.browser.test_search import lit, search
from tests.provider import Reply
from tests.servers import manage

OTHERS = 45  # So many chats that the list is longer than the window.
MARKED = """async (wanted) => {
  const until = Date.now() + 4_000;
  for (;;) {
    const places = [...(CSS.highlights.get("found-words") ?? [])];
    const { top, bottom } = places[0]?.getBoundingClientRect() ?? {};
    const words = places.map(String);
    const isThere = words.length === wanted.length && top > 0 && bottom < innerHeight;
    if (isThere || Date.now() > until) return [words, top > 0 && bottom < innerHeight];
    await new Promise(requestAnimationFrame);
  }
}"""
MAKE = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from agents.models import AgentTemplate
from history.core.transcript.parts import File
from history.models import Branch, Conversation
from history.services.path.appending import append, assistant_message, user_message
reader = User.objects.create_user("reader", password="{PASSWORD}")
agent = AgentTemplate.objects.get(slug="demo")
def chat(title, *messages):
    chat = Conversation.objects.create(
        agent=agent, owner=reader, title=title, active=timezone.now()
    )
    chat.branch = Branch.objects.create(conversation=chat)
    chat.save()
    append(chat.branch, messages)
    return chat
fees = File("a" * 64, "a" * 64, "text/plain", "Fees.txt", text="On and on. " * 90 + "Moorage: 12.")
filed = [user_message("What now?", parts=[fees]), user_message("This Isthmus, is it?")]
folded = [user_message("So it goes. " * 300 + "\\n\\nA wheelbarrow. " + "And so on. " * 100)]
chat("Stones", *[m for text in ["A chrysoprase is green."] + ["Go on."] * 119
                 for m in (user_message(text), assistant_message("Next."))])
chat("Fees", *filed)
chat("A very long title about this and that, which ends with a gyroscope", user_message("Hm."))
chat("Folds", *folded)
for number in range({OTHERS}):
    chat(f"Boat {{number}}", user_message("The anchor is up."), assistant_message("Aye."))
"""


@pytest.fixture(scope="module")
def library(served):
    manage(served.folder, "shell", "-c", MAKE)


@pytest.fixture
def reader(tab, library):
    tab.sign_in("reader")
    return tab


def expect_marks(tab, *words):
    """Expect that these words are marked in the message, and that the first one is in view."""
    assert tab.page.evaluate(MARKED, list(words)) == [list(words), True]


def test_a_new_list_begins_at_its_top(reader):
    chats = reader.page.locator("#chats")
    expect(reader.page.locator(".chat-entry")).to_have_count(OTHERS + 4)
    chats.evaluate("list => { list.scrollTop = 900; }")
    search(reader, "anchor")

    expect(reader.page.locator(".found").first).to_be_in_viewport()
    assert chats.evaluate("list => list.scrollTop") == 0
    chats.evaluate("list => { list.scrollTop = 900; }")
    reader.page.keyboard.type(" up")
    expect(chats).to_have_js_property("scrollTop", 0)


@pytest.mark.parametrize("chosen", ["Enter", "the chat"])
def test_a_chat_found_by_a_message_opens_at_it(reader, chosen):
    search(reader, "chrysoprase")
    expect(reader.page.locator(".found-text")).to_have_count(1)
    if chosen == "Enter":
        reader.page.keyboard.press("Enter")
    else:
        reader.page.locator(".found-chat").click()

    expect(lit(reader)).to_contain_text("A chrysoprase is green.")
    expect(lit(reader)).to_be_in_viewport()
    expect_marks(reader, "chrysoprase")


@pytest.mark.parametrize("gap", [" ", "\n\n"], ids=["one paragraph", "many"])
def test_a_chat_found_while_its_answer_is_written_shows_all_of_the_answer(tab, provider, gap):
    said = [f"w{number}{gap}" for number in range(60)]
    provider.script(Reply(text=["Long. "] * 400), Reply(text=said, hang_after=40))
    tab.open()
    tab.ask("A sextant is old.")
    tab.say("Count")
    expect(tab.answers.last).to_contain_text("w39")
    for chosen in (".found-text", ".found-chat"):
        search(tab, "sextant")
        expect(tab.page.locator(chosen)).to_be_visible()
        tab.page.locator(chosen).click()
        expect(lit(tab)).to_contain_text("sextant")
        expect(tab.answers.last).to_contain_text("w39")
        assert tab.said()[-1].split() == "".join(said[:40]).split()
        tab.page.locator("#chat-search").fill("")
    provider.release()

    expect(tab.answers.last).to_have_attribute("data-status", "done")
    assert tab.said()[-1].split() == "".join(said).split()


@pytest.fixture
def versions(tab):
    """Make a chat with two branches; only the one that isn't open contains "tangerine"."""
    tab.open()
    tab.ask("The key is under the tangerine pot.")
    first = tab.page.locator(".message[data-role=user]")
    first.hover()
    first.get_by_role("button", name="Edit the message").click()
    tab.page.locator(".edit-form textarea").fill("The key is under the green hat.")
    with tab.another_answer():
        tab.page.keyboard.press("Enter")
    tab.page.get_by_label("Chats").get_by_text("The key is under").first.wait_for()
    return tab


def test_enter_opens_the_version_that_has_the_word(versions):
    search(versions, "tangerine pot under")
    expect(versions.page.locator(".found-text").first).to_be_visible()
    versions.page.locator(".found-chat").click()

    expect(lit(versions)).to_contain_text("tangerine")
    expect_marks(versions, "under", "tangerine", "pot")


def test_a_version_is_opened_at_the_word_also_if_what_leads_there_comes_late(versions):
    held = []

    def hold(route):
        held.append(route)

    versions.page.route("**/reaching*.js", hold)
    with versions.page.expect_request("**/reaching*.js"):
        search(versions, "tangerine pot under")
    versions.page.locator(".found-chat").click()
    versions.page.locator("#chat-search").focus()  # Once this returns, the click was handled.
    held[0].continue_()

    expect(lit(versions)).to_contain_text("tangerine")


SEARCH_AGAIN = """() => new Promise((swapped) => {
  document.addEventListener("htmx:after:swap", () => swapped(), {once: true});
  htmx.trigger("#chat-search", "search");
})"""


def test_a_version_is_opened_though_the_same_results_came_again_since_the_click(versions):
    """The list may have been refreshed with the same results after the click."""
    held = []

    def hold(route):
        held.append(route)

    page = versions.page
    page.route("**/reaching*.js", hold)
    search(versions, "tangerine pot under")
    page.locator(".found-text").click()
    page.evaluate(SEARCH_AGAIN)
    held[0].continue_()

    expect(lit(versions)).to_contain_text("tangerine")


def test_a_folded_file_and_a_folded_message_unfold_for_the_word(reader):
    search(reader, "moorage")
    expect(reader.page.locator(".found-text")).to_contain_text("Moorage")
    reader.page.keyboard.press("Enter")
    expect(reader.page.locator(".attached-file details")).to_have_attribute("open", "")
    expect_marks(reader, "Moorage")

    reader.page.locator("#chat-search").fill("wheelbarrow")
    expect(reader.page.locator(".found-text")).to_contain_text("wheelbarrow")
    reader.page.locator("#chat-search").press("Enter")
    expect(reader.page.locator(".bubble[data-whole]")).to_have_count(1)
    expect_marks(reader, "wheelbarrow")


def test_few_letters_are_marked_as_whole_words_only(reader):
    search(reader, "isthmus is")
    expect(reader.page.locator(".found-text").first).to_contain_text("This Isthmus")
    reader.page.locator(".found-text").first.click()

    expect_marks(reader, "Isthmus", "is")


def test_an_endless_word_in_an_empty_result_is_whole(reader):
    search(reader, "q" * 120)
    told = reader.page.locator(".chats-none")
    expect(told).to_be_visible()
    assert told.evaluate("told => told.scrollWidth <= told.clientWidth")


def list_shows_results_of(page, query):
    """Show results for a query in the list, as a refresh that is late may do."""
    return page.evaluate(
        """async (q) => {
          const list = document.getElementById("chats");
          await htmx.ajax("GET", `/chats?q=${q}`, {source: list, target: list, swap: "innerMorph"});
        }""",
        query,
    )


def test_what_is_typed_is_searched_for_though_a_refresh_shows_an_earlier_word(reader):
    search(reader, "chrysoprase")
    expect(reader.page.locator(".found-text")).to_have_count(1)
    with reader.page.expect_request("**/chats?q=chrysoprase"):
        list_shows_results_of(reader.page, "anchor")

    expect(reader.page.locator(".found-text")).to_have_count(1)
    expect(reader.page.locator(".found-text mark")).to_have_text("chrysoprase")


def test_a_refresh_from_before_a_search_does_not_take_its_results_away(reader):
    held = []

    def hold(route):
        held.append(route)

    page = reader.page
    page.route("**/chats?q=", hold)
    with page.expect_request("**/chats?q="):
        page.evaluate("htmx.trigger(document.body, 'chat:list')")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/chats?q=")):
        search(reader, "chrysoprase")

    expect(page.locator(".found-text")).to_have_count(1)


def test_what_was_found_in_a_long_title_is_in_view(reader):
    search(reader, "gyroscope")
    mark = reader.page.locator(".chat-entry mark")
    expect(mark).to_be_visible()

    title = reader.page.locator(".chat-entry > a:has(mark)").bounding_box()
    box = mark.bounding_box()
    assert box["x"] + box["width"] <= title["x"] + title["width"]
    assert box["y"] + box["height"] <= title["y"] + title["height"]


def test_arrows_wait_for_the_results_of_what_is_typed(reader):
    held = []

    def hold(route):
        held.append(route)

    search(reader, "anchor")
    expect(reader.page.locator(".found-chat").nth(1)).to_be_visible()
    reader.page.route("**/chats?q=chrysoprase", hold)
    with reader.page.expect_request("**/chats?q=chrysoprase"):
        reader.page.locator("#chat-search").fill("chrysoprase")
        reader.page.keyboard.press("ArrowDown")
    assert reader.has_focus("#chat-search")
    reader.page.route("**/chats?q=chrysoprase", lambda route: route.continue_())
    held[-1].continue_()

    expect(reader.page.locator(".found-chat")).to_have_count(1)
    expect(reader.page.locator(".found-chat")).to_be_focused()


def test_the_result_that_was_opened_is_marked_and_the_arrow_down_goes_on_from_there(reader):
    search(reader, "anchor")
    texts = reader.page.locator(".found-text")
    expect(reader.page.locator("#status")).to_have_text(re.compile(r"^\d+ found$"))
    texts.nth(2).click()
    expect(texts.nth(2)).to_have_attribute("aria-current", "page")
    expect(reader.page.locator(".found-text[aria-current]")).to_have_count(1)
    expect(lit(reader)).to_contain_text("anchor")

    reader.page.keyboard.press("Control+k")
    reader.page.keyboard.press("ArrowDown")
    expect(reader.page.locator(".found-chat").nth(3)).to_be_focused()


def test_it_is_said_that_nothing_was_found(reader):
    search(reader, "xylophone")

    expect(reader.page.locator("#status")).to_have_text("Nothing found")


def test_what_was_found_is_marked_in_titles_too(reader):
    search(reader, "stones")
    entry = reader.page.locator(".chat-entry", has_text="Stones")
    expect(entry.locator("mark")).to_have_text("Stones")
