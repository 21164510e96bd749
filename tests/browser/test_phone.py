"""390 px wide, and a finger in place of a mouse."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import HEIGHT, WIDTH
from tests.provider import Reply

WIDE = "| a | b |\n|---|---|\n| {0} | {0} |\n\n```\n{0}{0}\n```\n\n{0}".format("x" * 120)


def is_too_wide(tab):
    return tab.page.evaluate("document.documentElement.scrollWidth > innerWidth")


def begin(phone, path="/chat?agent=demo"):
    """Nothing has the focus on a phone: a keyboard would hide half of the page."""
    phone.page.goto(phone.server.url + path)
    phone.field.tap()


def test_a_wide_answer_does_not_make_the_page_wider(phone, provider):
    provider.script(Reply(text=[WIDE]))
    begin(phone)
    phone.ask("y" * 200)

    expect(phone.page.locator("table")).to_be_visible()
    assert not is_too_wide(phone)
    assert phone.page.locator("#scroller").evaluate("e => e.scrollWidth <= e.clientWidth")


def test_a_message_is_sent_by_the_button(phone, provider):
    begin(phone)
    phone.page.keyboard.type("Hello")
    phone.page.get_by_role("button", name="Send").tap()

    expect(phone.answers).to_have_attribute("data-status", "done")
    assert phone.said() == ["Hello", "reply 1"]
    assert not is_too_wide(phone)


def test_the_drawer_opens_leads_elsewhere_and_closes(phone):
    begin(phone)
    phone.ask("Hello")
    sidebar = phone.page.locator("#sidebar")
    expect(sidebar).to_be_hidden()

    phone.page.get_by_role("button", name="Open the sidebar").tap()
    expect(sidebar).to_be_in_viewport()
    phone.page.get_by_role("button", name="Close the sidebar").last.tap(
        position={"x": 380, "y": 400}
    )
    expect(sidebar).to_be_hidden()
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    sidebar.get_by_role("link", name="New chat").tap()

    expect(phone.page.locator(".welcome")).to_be_visible()
    expect(sidebar).to_be_hidden()
    assert not is_too_wide(phone)


def test_the_panel_is_a_sheet_at_the_bottom(phone):
    begin(phone, "/chat?agent=demo&debug=true")
    phone.ask("Hello")
    expect(phone.panel).to_contain_text("Turn 1 of 1")

    box = phone.panel.bounding_box()
    assert (box["x"], box["width"]) == (0, WIDTH)
    assert box["y"] > HEIGHT / 3
    assert box["y"] + box["height"] == pytest.approx(HEIGHT, abs=1)
    assert phone.field.bounding_box()["y"] < box["y"]
    assert not is_too_wide(phone)


HEIGHTS = """links => links.map(link => {
  const words = document.createRange();
  words.selectNodeContents(link);
  const [inner, outer] = [words, link].map(e => e.getBoundingClientRect());
  return Math.abs(inner.top + inner.bottom - outer.top - outer.bottom) / 2 < 1.5;
})"""


def test_the_words_of_the_inspectors_links_are_in_the_middle(phone):
    begin(phone, "/chat?agent=demo&debug=true")
    phone.ask("Hello")
    links = phone.panel.locator(".inspector-title .inspector-link")
    expect(links).to_have_count(3)

    assert links.evaluate_all(HEIGHTS) == [True] * 3
