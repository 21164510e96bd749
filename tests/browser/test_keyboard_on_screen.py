"""A text being edited in the transcript stays in view, even above a phone's keyboard."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import HEIGHT, WIDTH
from tests.provider import Reply

KEYBOARD = 414  # The height of the keyboard in pixels.
GAP_BELOW = "scroller => scroller.scrollHeight - scroller.clientHeight"


def paragraphs(count):
    return Reply(text=[f"Paragraph {n}.\n\n" for n in range(count)])


def edit_first(tab):
    return edit(tab, tab.page.locator('.message[data-role="user"]').first)


def edit_last(tab):
    return edit(tab, tab.page.locator('.message[data-role="user"]').last)


def edit(tab, message):
    """Open the message's edit form, and return it."""
    message.get_by_role("button", name="Edit").click()
    expect(message.locator("textarea")).to_be_focused()
    return tab.page.locator(".edit-form:not([hidden])")


def expect_it_whole(form):
    for part in (form.locator("textarea"), form.get_by_role("button", name="Send")):
        expect(part).to_be_in_viewport(ratio=1)


@pytest.mark.daily
def test_a_message_is_edited_above_a_keyboard(phone, provider):
    """Until the keyboard appears, the short chat fits; the long one is scrolled to its top."""
    provider.script(paragraphs(3), paragraphs(8))
    phone.page.goto(phone.server.url + "/chat?agent=demo")
    for text in ("short", "long"):
        phone.ask(text)
        phone.page.locator("#scroller").evaluate("scroller => scroller.scrollTop = 0")
        form = edit_last(phone)

        phone.page.set_viewport_size({"width": WIDTH, "height": HEIGHT - KEYBOARD})

        expect_it_whole(form)
        assert phone.page.locator("#scroller").evaluate(GAP_BELOW) > 0
        phone.page.keyboard.type(" and better")
        expect_it_whole(form)
        phone.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        expect_it_whole(form)
        form.get_by_role("button", name="Cancel").tap()


OVERLAPPING = """form => [...document.querySelectorAll("#composer, #latest, .gauge")]
  .filter(other => other.checkVisibility())
  .filter(other => {
    const [one, two] = [form, other].map(element => element.getBoundingClientRect());
    return one.bottom > two.top && one.top < two.bottom;
  })
  .map(other => other.id || other.className)"""


@pytest.mark.parametrize("lines", [2, 14])
def test_nothing_covers_a_message_that_is_edited_above_a_keyboard(phone, provider, lines):
    provider.script(paragraphs(8), paragraphs(8))
    phone.page.goto(phone.server.url + "/chat?agent=demo")
    for _ in range(2):
        phone.ask("\n".join(f"line {n}" for n in range(lines)))
    form = edit_first(phone)

    phone.page.set_viewport_size({"width": WIDTH, "height": 430})

    expect_it_whole(form)
    assert form.evaluate(OVERLAPPING) == []
    form.get_by_role("button", name="Cancel").tap()
    expect(phone.field).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("edit", [edit_first, edit_last])
def test_the_answer_to_an_edit_is_followed_above_a_keyboard(phone, provider, edit):
    provider.script(paragraphs(8), paragraphs(8), paragraphs(20))
    phone.page.goto(phone.server.url + "/chat?agent=demo")
    for text in ("first", "second"):
        phone.ask(text)
    form = edit(phone)
    phone.page.set_viewport_size({"width": WIDTH, "height": 430})
    phone.page.keyboard.type(" and better")
    expect_it_whole(form)

    with phone.another_answer():
        form.get_by_role("button", name="Send").tap()

    last = phone.answers.last.get_by_text("Paragraph 19.", exact=True)
    expect(last).to_be_in_viewport(ratio=1)


def test_a_phone_has_one_button_to_send_with_while_a_message_is_edited(phone):
    phone.page.goto(phone.server.url + "/chat?agent=demo")
    phone.ask("first")
    form = edit_last(phone)
    send = phone.page.get_by_role("button", name="Send", exact=True)

    expect(send).to_have_count(1)
    form.get_by_role("button", name="Cancel").tap()
    expect(phone.field).to_be_visible()
    expect(send).to_have_count(1)


def test_an_answer_to_another_tab_does_not_push_it_away(tab, provider):
    provider.script(paragraphs(3), paragraphs(40))
    tab.open()
    tab.ask("first")
    other = tab.another(tab.path)
    form = edit_last(tab)

    other.ask("second")

    expect(tab.answers.last).to_have_attribute("data-status", "done")
    assert tab.page.locator("#scroller").evaluate(GAP_BELOW) > 0
    expect_it_whole(form)
