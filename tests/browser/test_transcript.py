"""People read a chat while an answer is written, and messages that are shown only in part."""

from playwright.sync_api import expect

from tests.browser.tab import Tab, words
from tests.provider import Reply

JUMPS = """async () => {
  const scroller = document.getElementById("scroller");
  const frame = () => new Promise(requestAnimationFrame);
  let missed = 0;
  for (let jump = 1; jump <= 500; jump++) {
    scroller.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, bubbles: true }));
    scroller.scrollTop = -700;
    if (jump % 5 === 0) await frame();
    document.getElementById("latest").click();
    for (let more = 0; more < 2; more++) {
      const line = document.createElement("p");
      line.textContent = "more ".repeat(30);
      document.querySelector(".answer:last-of-type .tail").append(line);
      document.dispatchEvent(new CustomEvent("answer:grew"));
      if (jump % 10 === 0) await frame();
    }
    missed += scroller.scrollTop < -1;
  }
  return missed;
}"""
PASTE = """size => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", "x".repeat(size));
  const how = { clipboardData, bubbles: true, cancelable: true };
  document.getElementById("text").dispatchEvent(new ClipboardEvent("paste", how));
}"""


def test_one_stays_at_the_end_and_escape_elsewhere_stops_nothing(tab, provider):
    tab.open()
    # A provider that said nothing more would be given up while a slow machine jumps 500 times.
    provider.script(Reply(text=["".join(words(0, 20))], endless=True, delay=5))
    tab.say("Count")
    expect(tab.answers.last).to_contain_text("w19")

    assert tab.page.evaluate(JUMPS) == 0

    tab.page.keyboard.press("Control+k")
    expect(tab.field).not_to_be_focused()
    tab.page.keyboard.press("Escape")
    tab.page.get_by_label("Chat menu").click()
    expect(tab.page.locator(".chat-menu[open]")).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(tab.answers.last).not_to_have_attribute("data-status", "stopped")
    tab.field.focus()
    tab.page.keyboard.press("Escape")
    expect(tab.answers.last).to_have_attribute("data-status", "stopped")


def test_three_hundred_turns_have_few_elements(tab):
    count = "document.querySelectorAll('*').length"
    tab.open()
    tab.ask("one")
    tab.page.reload()
    first = tab.page.evaluate(count)
    tab.ask("two")
    tab.ask("three")
    tab.page.reload()

    each = (tab.page.evaluate(count) - first) / 2

    assert first + 300 * each < 12_000


def test_a_continued_answer_reads_on_in_the_paragraph_where_it_was_stopped(tab, provider):
    tab.open()
    broken = ["Look:\n\n", "It was", " a"]
    provider.script(Reply(text=[*broken, "x"], hang_after=3), Reply(text=["dark night.\n\nEnd."]))
    tab.say("Tell me")
    expect(tab.answers.last).to_contain_text("It was a")
    tab.page.keyboard.press("Escape")
    tab.page.get_by_role("button", name="Continue").focus()
    tab.page.keyboard.press("Enter")
    expect(tab.answers.last).to_have_attribute("data-status", "done")
    expect(tab.field).to_be_focused()

    for _ in range(2):
        shown = tab.transcript.locator(".answer p:visible")
        expect(shown).to_have_text(["Look:", "It was a dark night.", "End."])
        expect(tab.page.locator(".ending")).to_be_hidden()
        tab.page.reload()


def test_a_list_that_was_broken_off_goes_on_and_is_copied_as_one_text(somebody, served, provider):
    context = somebody(permissions=["clipboard-read", "clipboard-write"])
    tab = Tab(context.new_page(), served)
    tab.open()
    broken = ["Three things:\n\n", "1. One\n", "2. Two"]
    provider.script(Reply(text=[*broken, "x"], hang_after=3), Reply(text=["3. Three\n\nEnd."]))
    tab.say("List them")
    expect(tab.answers.last.locator("li")).to_have_text(["One", "Two"])
    tab.page.keyboard.press("Escape")
    tab.page.get_by_role("button", name="Continue").click()
    expect(tab.answers.last).to_have_attribute("data-status", "done")

    for _ in range(2):
        items = tab.transcript.locator(".answer li:visible")
        expect(items).to_have_text(["One", "Two", "Three"])
        expect(tab.transcript.locator(".answer ol:visible")).to_have_count(1)
        expect(tab.page.locator(".ending")).to_be_hidden()
        expect(tab.page.get_by_role("button", name="Copy the answer")).to_have_count(1)
        tab.page.reload()
    tab.page.get_by_role("button", name="Copy the answer").press("Enter")
    expect(tab.page.locator("#status")).to_have_text("Copied")
    copied = tab.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == "Three things:\n\n1. One\n2. Two\n3. Three\n\nEnd."


def test_a_long_message_is_folded_and_what_is_too_long_is_refused_at_once(tab):
    tab.open()
    tab.page.keyboard.insert_text("\n".join(f"line {n}" for n in range(40)))
    tab.page.keyboard.press("Enter")
    expect(tab.answers.last).to_have_attribute("data-status", "done")
    bubble = tab.page.locator(".bubble[data-long]")
    less, more = (tab.page.get_by_role("button", name=f"Show {how}") for how in ("less", "more"))
    folded = bubble.bounding_box()["height"]
    assert tab.page.evaluate("find('line 39', false, false, true)")  # Like the browser's search.
    bubble.evaluate("bubble => (bubble.scrollTop = 300)")  # The browser's search would scroll.
    expect(less).to_be_visible()
    assert bubble.bounding_box()["height"] > 3 * folded
    less.click()
    expect(more).to_be_visible()
    assert bubble.bounding_box()["height"] == folded
    more.click()
    expect(less).to_be_visible()

    tab.field.fill("What I wrote.")
    tab.page.evaluate(PASTE, 1_100_000)
    expect(tab.page.locator("#problem")).to_contain_text("Not pasted")
    expect(tab.field).to_have_value("What I wrote.")
