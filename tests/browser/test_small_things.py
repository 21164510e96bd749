"""Small faults that were found in a first use of the app, each with a test."""

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, words
from tests.provider import Reply

TABLE = """| role | what it said | tokens |
|---|---|---:|
| assistant | pronounceable considerations | 1,498 kr |
| user | internationalisation | 12 kr |
"""
CODE = "Why?\n\n```python\nfor place in places:\n    print(place)\n```\n\nand `this`"
BROKEN_WORDS = """table => {
  const broken = [];
  const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const { index, 0: word } of texts.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
}"""
BACKGROUND = "element => getComputedStyle(element).backgroundColor"
FRAME = "element => [getComputedStyle(element).outlineStyle, getComputedStyle(element).boxShadow]"
LISTED = """rows => rows.map(row => {
  const figures = row.querySelectorAll("[data-requests], [data-failures]");
  const hasFigures = [...figures].some(cell => Number(cell.textContent));
  return [row.checkVisibility(), hasFigures];
})"""
NONE = "rgba(0, 0, 0, 0)"


def test_code_in_ones_own_message_has_no_stripes(tab):
    tab.open()
    tab.field.fill(CODE)
    tab.page.keyboard.press("Enter")
    bubble = tab.page.locator(".message[data-role=user] .bubble")

    assert bubble.locator("pre code").evaluate(BACKGROUND) == NONE
    assert bubble.locator("p code").evaluate(BACKGROUND) != NONE


def test_a_table_on_a_phone_breaks_no_word_and_scrolls(phone, provider):
    provider.script(Reply(text=[TABLE]))
    phone.page.goto(f"{phone.server.url}/chat?agent=demo")
    phone.field.tap()
    phone.ask("Who said what?")
    table = phone.answers.locator("table")

    assert table.evaluate(BROKEN_WORDS) == []
    assert table.evaluate("table => table.scrollWidth > table.clientWidth")


def test_a_notice_is_above_the_composer_and_goes_with_the_next_message(tab):
    tab.open("/chat?agent=demo&debug=true")
    tab.ask("Hello")
    tab.answers.hover()
    tab.answers.locator("[data-more]").click()
    tab.page.locator("[data-mark-as=pin]").first.click()
    notice = tab.page.locator("#toasts .toast")
    expect(notice).to_be_visible()

    box, composer = notice.bounding_box(), tab.page.locator(".composer-area").bounding_box()
    assert box["y"] > 400
    assert box["y"] + box["height"] <= composer["y"]
    assert box["x"] + box["width"] <= tab.panel.bounding_box()["x"]
    tab.field.focus()
    tab.ask("And on")  # Waits: the answer must not take the next test's reply.

    expect(notice).to_have_count(0)


def test_a_refusal_that_is_out_of_date_goes_by_itself(tab, provider):
    provider.script(Reply(text=words(0, 20), hang_after=10))
    tab.open()
    tab.say("Count")
    expect(tab.answers.last).to_contain_text("w9")
    tab.field.fill("/compact")
    tab.page.keyboard.press("Enter")
    problem = tab.page.locator("#problem")
    expect(problem).to_contain_text("still being written")

    provider.release()

    expect(tab.answers.last).to_have_attribute("data-status", "done")
    expect(problem).to_be_hidden()


TELL = "([kind, detail]) => document.dispatchEvent(new CustomEvent(kind, { detail }))"


def test_a_toast_goes_with_the_problem_by_its_kind_whatever_it_says(tab):
    tab.open()
    toast = tab.page.locator(".toast")
    for kind, stays in (("chat:problem", 1), ("chat:unreachable", 0)):
        tab.page.evaluate(TELL, [kind, "Can't reach the server. Check your connection."])
        expect(toast).to_have_count(1)

        tab.page.evaluate("dispatchEvent(new Event('online'))")
        expect(toast).to_have_count(stays)


def test_a_starter_chosen_by_keyboard_leaves_the_focus_in_the_field(tab):
    tab.open()
    tab.press_until_focused("Shift+Tab", ".starters *")
    tab.page.keyboard.press("Enter")

    expect(tab.answers).to_have_attribute("data-status", "done")
    expect(tab.field).to_be_focused()


def test_a_message_that_its_row_points_at_has_no_ring(tab):
    tab.open("/chat?agent=demo&debug=true")
    tab.ask("Hello")
    tab.panel.locator(".row[data-position]").first.hover()
    pointed = tab.page.locator(".message.pointed")

    expect(pointed).to_have_count(1)
    assert pointed.evaluate(FRAME) == ["none", "none"]


def test_the_overview_lists_no_empty_days_and_shows_every_column(somebody, served, boss, tab):
    tab.open()
    tab.ask("Hello")
    page = somebody(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{served.url}/login?next=/inspect/?days=90")
    page.get_by_label("Name").fill(boss)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    table = page.locator("#trend-table")
    page.get_by_text("All figures as a table").click()
    expect(table).to_be_visible()

    rows = table.locator("tbody tr").evaluate_all(LISTED)
    assert all(is_listed == has_figures for is_listed, has_figures in rows)
    assert {is_listed for is_listed, _ in rows} == {True, False}
    failures = table.get_by_role("columnheader", name="Failures").bounding_box()
    region = page.locator(".trend .scrolled").bounding_box()
    assert failures["x"] + failures["width"] <= region["x"] + region["width"] + 1


def test_after_a_wrong_password_the_focus_is_on_it_and_the_name_is_plain(tab, boss):
    tab.page.goto(f"{tab.server.url}/login")
    name, password = (tab.page.locator(f"[name={each}]") for each in ("username", "password"))
    name.fill(boss)
    password.fill("wrong")
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_role("alert")).to_be_visible()

    expect(password).to_be_focused()
    expect(name).to_have_value(boss)
    weights = [
        field.evaluate("it => getComputedStyle(it).fontWeight") for field in (name, password)
    ]
    assert weights == ["400", "400"]


def test_a_message_of_another_day_shows_its_date(tab):
    tab.open()
    tab.ask("Hello")
    times = tab.page.locator(".message time")
    assert all(re.fullmatch(r"\d+:\d\d\s[AP]M", text) for text in times.all_inner_texts())

    tab.page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=2))
    tab.page.reload()
    dated = re.compile(r"^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d\s[AP]M$")
    expect(times).to_have_text([dated, dated])
    expect(times.first).to_have_attribute("title", re.compile(r"^[A-Z][a-z]+day, [A-Z][a-z]+ \d+"))


def test_nobody_asks_for_the_head_of_a_page_in_vain(tab):
    tab.open()

    assert tab.page.request.head(f"{tab.server.url}/chat").status == 200


def test_the_line_below_the_message_field_is_one_on_a_phone(phone):
    phone.page.goto(f"{phone.server.url}/chat?agent=goldfish&historyPolicy=lastN&historyLength=1")
    for text in ("one", "two", "three"):
        phone.ask(text)
    gauge = phone.page.locator("#gauge")
    expect(gauge).to_contain_text("4 messages left out")

    tops = gauge.evaluate("""line => [...line.children].filter(part => part.checkVisibility())
      .map(part => part.getBoundingClientRect()).map(({ top, height }) => top + height / 2)""")
    assert max(tops) - min(tops) < 2
    expect(gauge.get_by_role("img")).to_be_visible()
    expect(gauge.get_by_role("link")).to_be_in_viewport(ratio=1)


CENTRES = """line => [...line.querySelectorAll(":scope > span")]
  .filter(part => part.checkVisibility())
  .map(part => part.getBoundingClientRect()).map(({ top, height }) => top + height / 2)"""


def test_no_line_below_the_message_field_has_only_the_why(tab):
    tab.open("/chat?agent=demo&debug=true")
    tab.ask("Hello")
    gauge = tab.page.locator("#gauge")
    expect(gauge).to_contain_text("sent to the model")
    heights = set()
    for width in range(1280, 1040, -8):
        tab.page.set_viewport_size({"width": width, "height": 800})
        heights.add(gauge.bounding_box()["height"])
        *_, before, why = gauge.evaluate(CENTRES)
        assert why - before < 2, width
    assert len(heights) > 1, "it was never too long for one line"


def test_a_long_title_on_the_page_of_a_turn_is_one_line_on_a_phone(phone):
    phone.page.goto(f"{phone.server.url}/chat?agent=demo")
    phone.ask("What do the ships of the harbour carry to the towns of the north in winter?")
    phone.page.goto(f"{phone.server.url}/chat/{phone.conversation}/debug/turn/1")
    heading = phone.page.get_by_role("heading", level=1)
    expect(heading).to_contain_text("the ships of the harbour")

    height, line = heading.evaluate(
        "it => [it.offsetHeight, parseFloat(getComputedStyle(it).lineHeight)]"
    )
    assert round(height / line) == 2
    assert heading.locator("span").evaluate("it => it.getClientRects().length") == 1


def test_a_long_text_says_about_how_many_tokens_it_has(tab):
    tab.open("/chat?agent=demo")
    size = tab.page.locator(".hint.size")
    tab.field.fill("berth " * 100)
    expect(size).to_be_hidden()
    tab.field.fill("berth " * 20_000)
    expect(size).to_have_text("About 30,000 tokens")
    expect(size).to_be_visible()
    tab.page.reload()
    expect(size).to_be_visible()
    tab.field.fill("")
    expect(size).to_be_hidden()


def test_what_was_done_is_told_in_turn_and_what_went_wrong_at_once(tab, complaints):
    tab.open()
    tab.ask("Apples")
    tab.page.get_by_label("Chat menu").click()
    tab.page.locator(".chat-menu").get_by_role("button", name="Archive").click()
    notice = tab.page.get_by_role("status").filter(has_text="Archived “Apples”.")
    expect(notice).to_be_visible()
    expect(tab.page.locator("#toasts [role=alert]")).to_be_empty()
    refusal = {"status": 403, "content_type": "text/plain", "body": "Not now."}
    tab.page.route("**/chats/change", lambda route: route.fulfill(**refusal))

    notice.get_by_role("button", name="Undo").click()

    expect(tab.page.locator("#toasts [role=alert]")).to_contain_text("Not now.")
    expect(notice).to_have_count(0)
    complaints[:] = [told for told in complaints if "403" not in told]
