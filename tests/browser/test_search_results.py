"""A search result names the message's author and time; on a phone, two lines show the found
word.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.browser.test_accessibility import violations
from tests.browser.test_search import lit, search
from tests.provider import Reply

LONG = "It was a long way round, past the mill and over the bridge, until the {} was in sight. "
TEXTS = {
    "gooseberry": LONG.format("gooseberry") * 9,
    "\u732b": "\u6771\u4eac\u306e\u5929\u6c17\u306f\u6674\u308c" * 5 + "\u732b" + "\u5929" * 90,
    "WWWWATT": "WWWWWW " * 20 + "WWWWATT " + "W" * 90,
    "needle": f"https://example.org/{'a' * 300} needle",
}
LINES = """(excerpt) => {
  const { lineHeight } = getComputedStyle(excerpt);
  const box = excerpt.getBoundingClientRect();
  const mark = excerpt.querySelector("mark").getBoundingClientRect();
  const isIn = mark.top >= box.top - 1 && mark.bottom <= box.bottom + 3;
  return [Math.round(box.height / parseFloat(lineHeight)), isIn];
}"""
SIZES = """() => [...document.querySelectorAll("#chats :is(a, button)")]
  .map((target) => target.getBoundingClientRect().height)"""


def searched(phone, query):
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    phone.page.locator("#chat-search").fill(query)


@pytest.mark.parametrize("word", TEXTS)
def test_on_a_phone_an_excerpt_has_two_lines_and_the_word_is_in_them(phone, word):
    phone.page.goto(f"{phone.server.url}/chat?agent=demo")
    phone.field.fill(TEXTS[word])
    phone.page.locator("#composer .send").tap()
    expect(phone.page.locator('.answer[data-status="done"]')).to_have_count(1)
    searched(phone, word)
    excerpt = phone.page.locator(".found-text .excerpt").first
    expect(excerpt.locator("mark").first).to_be_visible()

    assert excerpt.evaluate(LINES) == [2, True]
    assert min(phone.page.evaluate(SIZES)) >= 44


@pytest.mark.daily
def test_a_result_says_who_said_it_and_when_and_an_echo_is_behind_a_button(tab, provider):
    asked = "Where did I put the gooseberry jam?"
    provider.script(Reply(text=[f"You asked: “{asked}”"]), Reply(text=["The gooseberry is green."]))
    tab.open()
    tab.ask(asked)
    tab.ask("What is a gooseberry?")
    search(tab, "gooseberry")
    by = tab.page.locator(".found-by")

    expect(by).to_have_count(3)
    speakers = tab.page.locator(".found-speaker").all_inner_texts()
    assert [said.strip() for said in speakers] == ["You", "Demo", "You"]
    clock = tab.page.locator(".message time").first.inner_text()
    assert clock.endswith(("AM", "PM"))
    expect(by.first).to_contain_text(re.compile(r"today at \d+:\d\d\s(AM|PM)"))
    assert all("today at " in said for said in by.all_inner_texts())
    more = tab.page.get_by_role("button", name="1 more message")
    assert more.bounding_box()["height"] >= 24
    more.click()
    expect(by).to_have_count(4)
    with tab.page.expect_response("**/chats?q=gooseberry"):
        tab.page.evaluate("htmx.trigger(document.body, 'chat:list')")
    last = tab.page.locator(".found-text").last
    expect(last).to_contain_text("asked:")
    expect(last).to_be_focused()
    last.press("Enter")
    expect(lit(tab)).to_contain_text("You asked")
    tab.page.locator("#chat-search").fill("the gooseberry")
    expect(by).to_have_count(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_results_are_accessible(somebody, served, provider, device, scheme):
    tab = Tab(somebody(**device, color_scheme=scheme, reduced_motion="reduce").new_page(), served)
    tab.page.goto(f"{served.url}/chat?agent=demo")
    tab.ask("A quince tree.")
    if device:
        searched(tab, "quince")
    else:
        search(tab, "quince")
    expect(tab.page.locator(".excerpt")).to_be_visible()

    assert violations(tab) == []


def test_the_old_list_does_not_look_like_the_result_of_a_search_that_takes_long(tab):
    tab.open()
    tab.ask("A medlar tree.")
    searches = "**/chats?q=medlar*"
    tab.page.route(searches, lambda route: None)
    chats = tab.page.locator("#chats")
    search(tab, "medlar")

    expect(chats).to_have_attribute("aria-busy", "true")
    expect(chats).to_have_css("opacity", "0.45")
    tab.page.unroute(searches)  # All that were held go on.
    expect(chats.locator("mark").first).to_have_text("medlar")
    expect(chats).not_to_have_attribute("aria-busy", "true")
    expect(chats).to_have_css("opacity", "1")


def test_a_search_that_is_taken_back_leaves_no_sign_of_work(tab):
    tab.open()
    tab.ask("A medlar tree.")
    tab.page.route("**/chats?q=medlar*", lambda route: None)
    chats = tab.page.locator("#chats")
    search(tab, "medlar")
    expect(chats).to_have_attribute("aria-busy", "true")

    tab.page.locator("#chat-search").fill("")

    expect(chats).not_to_have_attribute("aria-busy", "true")
    expect(tab.entry("A medlar tree.")).to_be_visible()
