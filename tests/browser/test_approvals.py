"""A tool that changes something needs a person's approval; a card in the chat asks for it."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.browser.test_accessibility import LOOKS, violations
from tests.browser.test_phone import is_too_wide
from tests.provider import Call, Reply
from tests.running.malformed_streams import calling

SUM = Call("calculator", '{"expression": "6*7"}', id="sum")
WRONG = Call("calculator", '{"expression": "six"}', id="wrong")


def note(to, call_id):
    return Call("send_note", json.dumps({"to": to, "text": "Come at eight."}), id=call_id)


def card(tab, call):
    return tab.page.locator(f'.tool[data-call="{call}"]')


def expect_state(tab, call, state):
    expect(card(tab, call)).to_have_attribute("data-state", state)


def ask(tab, provider, *calls, query=""):
    """Send a message to which the model answers with these calls; wait for the cards."""
    provider.script(calling(*calls))
    tab.page.goto(tab.server.url + "/chat?agent=courier" + query)
    tab.field.focus()
    tab.say("Go")
    asking = sum(call.name == "send_note" for call in calls)
    expect(tab.page.locator("[data-decide=approve]")).to_have_count(asking)


def expect_end(tab, status="done"):
    expect(tab.answers.last).to_have_attribute("data-status", status)


@pytest.mark.parametrize("width", [1280, 390])
def test_what_a_message_does_to_the_call_is_read_whole(tab, provider, width):
    tab.page.set_viewport_size({"width": width, "height": 800})
    ask(tab, provider, note("Ada", "a"), query="&debug=true" if width == 1280 else "")
    hint = tab.page.locator(".hint.asks")

    expect(hint).to_contain_text("If you send a message instead, it won't run.")
    assert hint.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")


def test_by_keyboard_alone_from_one_card_to_the_next(tab, provider):
    ask(tab, provider, note("Ada", "a"), SUM, note("Bob", "b"))
    expect(tab.page.locator("#status")).to_have_text(
        "Your approval is needed: send_note, send_note"
    )
    expect(card(tab, "a").locator("pre").first).to_contain_text('"text": "Come at eight."')

    card(tab, "a").get_by_role("button", name="Approve").focus()
    tab.page.keyboard.press("Enter")
    expect_state(tab, "a", "approved")
    expect(card(tab, "b").get_by_role("button", name="Approve")).to_be_focused()
    tab.page.keyboard.press("Tab")
    tab.page.keyboard.press("Enter")

    expect_end(tab)
    expect(tab.field).to_be_focused()
    expect_state(tab, "a", "done")
    expect_state(tab, "b", "refused")
    expect(card(tab, "sum").locator(".took")).to_have_text(re.compile(r"\d+ ms|under 1 ms|\d s"))


@pytest.mark.daily
def test_what_waits_is_there_after_a_reload_and_in_another_tab(tab, provider):
    ask(tab, provider, note("Ada", "a"), note("Bob", "b"))
    tab.page.reload()
    expect(tab.page.locator("[data-decide=approve]")).to_have_count(2)
    other = tab.another(tab.path)

    card(other, "a").locator("[data-words]").fill("Not before noon")
    card(other, "a").get_by_role("button", name="Refuse").click()
    expect_state(tab, "a", "refused")
    card(tab, "b").get_by_role("button", name="Approve").click()

    for each in (tab, other):
        expect_end(each)
        expect_state(each, "b", "done")
    card(other, "a").locator("summary").click()
    expect(card(other, "a").locator(".approval-note")).to_contain_text("Not before noon")
    sent = provider.requests[-1]["messages"]
    assert [m["content"] for m in sent if m.get("tool_call_id") == "a"] == [
        "The user refused this call. It was not run. They said: Not before noon"
    ]


def test_enter_in_the_words_decides_nothing(tab, provider):
    ask(tab, provider, note("Ada", "a"))

    card(tab, "a").locator("[data-words]").fill("Hm")
    tab.page.keyboard.press("Enter")
    tab.page.reload()

    expect_state(tab, "a", "asking")


def test_writing_on_instead_approves_of_nothing(tab, provider):
    ask(tab, provider, note("Ada", "a"))
    expect(tab.page.locator(".hint.asks")).to_be_visible()

    tab.field.focus()
    tab.ask("Never mind")

    expect_state(tab, "a", "withdrawn")
    ending = tab.answers.first.locator(".ending p")
    expect(ending).to_have_text("Not decided: a newer message came first.")
    expect(tab.page.locator("[data-decide]")).to_have_count(0)
    expect(tab.page.locator(".hint.asks")).to_be_hidden()


@pytest.mark.parametrize("focused", ["#text", "[data-decide=approve]"], ids=["field", "card"])
def test_escape_ends_the_waiting_as_the_button_says(tab, provider, focused):
    ask(tab, provider, note("Ada", "a"))
    expect(tab.page.get_by_role("button", name="Stop")).to_have_attribute("title", "Stop (Esc)")
    tab.page.locator(focused).focus()

    tab.page.keyboard.press("Escape")

    expect_end(tab, "stopped")
    expect_state(tab, "a", "withdrawn")
    expect(tab.field).to_be_focused()


def test_escape_that_closes_a_menu_decides_nothing(tab, provider):
    ask(tab, provider, note("Ada", "a"))
    menu = tab.page.locator(".picker")
    menu.locator("summary").click()

    tab.page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    tab.page.reload()

    expect_state(tab, "a", "asking")


def test_words_are_said_to_go_with_a_refusal(tab, provider):
    ask(tab, provider, note("Ada", "a"))

    words = card(tab, "a").get_by_label("Reason for refusing")
    expect(words).to_be_visible()


def test_on_a_phone_it_is_said_what_writing_on_does(somebody, served, provider):
    tab = Tab(somebody(**PHONE).new_page(), served)
    ask(tab, provider, note("Ada", "a"))

    hint = tab.page.locator(".hint.asks")
    expect(hint).to_be_visible()
    assert hint.evaluate("e => e.scrollWidth <= e.clientWidth")
    line, button = hint.bounding_box(), tab.page.locator("#composer .stop").bounding_box()
    assert line["y"] + line["height"] <= button["y"]  # A line of its own.
    assert not is_too_wide(tab)


def test_stop_ends_the_waiting(tab, provider):
    ask(tab, provider, note("Ada", "a"))

    tab.page.get_by_role("button", name="Stop").click()

    expect_end(tab, "stopped")
    expect_state(tab, "a", "withdrawn")


def test_who_comes_too_late_is_told(tab, provider, complaints):
    ask(tab, provider, note("Ada", "a"), note("Bob", "b"))
    late = {"code": "decided", "detail": "This call was already refused."}
    tab.page.route("**/decisions", lambda route: route.fulfill(status=409, json=late))

    card(tab, "a").get_by_role("button", name="Approve").click()

    expect(tab.page.locator("#toasts")).to_contain_text("This call was already refused.")
    assert [told for told in complaints if "409" not in told] == []
    complaints.clear()  # The browser logs each refusal as an error.


def test_a_result_is_copied(somebody, served, provider):
    context = somebody(permissions=["clipboard-read", "clipboard-write"])
    tab = Tab(context.new_page(), served)
    provider.script(calling(SUM))
    tab.open()
    tab.ask("Go")
    card(tab, "sum").locator("summary").click()
    expect(card(tab, "sum").locator(".size")).to_have_text("2 characters")

    card(tab, "sum").get_by_role("button", name="Copy the result").click()

    expect(tab.page.locator("#status")).to_have_text("Copied")
    assert tab.page.evaluate("navigator.clipboard.readText()") == "42"


@pytest.mark.parametrize("look", LOOKS)
def test_nobody_is_kept_out_of_the_cards(somebody, served, provider, look):
    tab = Tab(somebody(**look, reduced_motion="reduce").new_page(), served)
    ask(tab, provider, note("Ada " + "x" * 90, "a"), SUM, WRONG, note("Bob", "b"))

    assert violations(tab) == []
    assert not is_too_wide(tab)
    provider.script(Reply(text=["Done."]))
    for call, name in (("a", "Approve"), ("b", "Refuse")):
        card(tab, call).get_by_role("button", name=name).click()
    expect_end(tab)
    for call in ("a", "b", "wrong"):
        card(tab, call).locator("summary").click()

    assert violations(tab) == []
    assert not is_too_wide(tab)
