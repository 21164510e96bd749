"""A change of branch in another tab moves neither the focus nor the reader's place."""

import pytest
from playwright.sync_api import expect

from tests.provider import Reply

LONG = "and on and on " * 150
TOP_OF = "element => Math.round(element.getBoundingClientRect().top)"


@pytest.fixture
def reader(tab, provider):
    """Return a tab on a chat whose second answer is on two branches of very different length."""
    tab.page.set_viewport_size({"width": 1280, "height": 500})
    tab.open()
    provider.script(*[Reply(text=[text]) for text in (LONG * 2, "Short.", LONG)])
    for text in ("First", "Second"):
        tab.ask(text)
    with tab.another_answer():
        tab.page.get_by_role("button", name="Retry").last.click()
    return tab


@pytest.fixture
def other(reader):
    """Return another tab of the chat."""
    return reader.another(reader.path)


def switch(other, seen_in, direction, text):
    other.page.get_by_role("button", name=f"{direction} branch").click()
    expect(seen_in.answers.last).to_contain_text(text)


def at(tab, place):
    return tab.page.locator(f'[data-position="{place}"]')


def test_who_has_scrolled_up_and_types_in_the_search_goes_on_there(reader, other):
    reader.page.bring_to_front()
    at(reader, 1).evaluate("element => element.scrollIntoView()")
    before = at(reader, 1).evaluate(TOP_OF)
    reader.page.keyboard.press("Control+k")
    reader.page.keyboard.type("hel")

    switch(other, reader, "Previous", "Short.")
    reader.page.keyboard.type("lo")

    expect(reader.page.locator("#chat-search")).to_have_value("hello")
    expect(reader.field).to_have_value("")
    assert abs(at(reader, 1).evaluate(TOP_OF) - before) <= 1


def test_who_writes_in_the_middle_of_a_message_or_is_at_a_button_stays_there(reader, other):
    reader.page.bring_to_front()
    reader.page.keyboard.type("Helo")
    reader.page.keyboard.press("ArrowLeft")
    switch(other, reader, "Previous", "Short.")
    reader.page.keyboard.type("l")
    expect(reader.field).to_have_value("Hello")

    copy = at(reader, 0).get_by_role("button", name="Copy the message")
    copy.focus()
    switch(other, reader, "Next", LONG.strip())
    expect(copy).to_be_focused()
