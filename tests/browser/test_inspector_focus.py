"""The inspector takes the focus when opened, gives it back when closed, and reacts to keys."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import words
from tests.provider import Reply


def context(tab):
    return tab.page.get_by_role("button", name="Inspector", exact=True)


@pytest.fixture
def asked(tab):
    tab.open()
    tab.ask("Hello")
    context(tab).press("Enter")
    expect(tab.panel).to_contain_text("Turn 1 of 1")
    return tab


@pytest.fixture
def sheet(phone):
    """Open the inspector over a chat on a phone, by touch."""
    phone.page.goto(phone.server.url + "/chat?agent=demo")
    phone.ask("Hello")
    context(phone).tap()
    expect(phone.panel).to_contain_text("Turn 1 of 1")
    return phone


def test_on_a_phone_it_is_a_dialog_with_the_focus_on_its_heading(sheet):
    dialog = sheet.page.get_by_role("dialog", name="Inspector")

    expect(dialog).to_have_attribute("aria-modal", "true")
    expect(dialog.get_by_role("heading", name="Inspector", exact=True)).to_be_focused()
    assert sheet.page.locator(".chat, .skip").evaluate_all("all => all.map(e => e.inert)") == [
        True,
        True,
    ]


@pytest.mark.parametrize("way", ["Esc", "tap"])
def test_on_a_phone_whoever_closes_it_is_back_at_its_button(sheet, way):
    for _ in range(2):  # The second time, its scripts are loaded.
        expect(sheet.panel.get_by_role("heading", name="Inspector", exact=True)).to_be_focused()
        if way == "Esc":
            sheet.page.keyboard.press("Escape")
        else:
            sheet.panel.get_by_role("link", name="Close the inspector").tap()
        expect(sheet.panel).to_have_count(0)
        expect(context(sheet)).to_be_focused()
        assert not sheet.page.locator(".skip").evaluate("skip => skip.inert")
        context(sheet).tap()


def test_beside_a_message_it_is_no_dialog(sheet):
    sheet.panel.locator('.row[data-position="0"]').tap()

    expect(sheet.page.get_by_role("complementary", name="Inspector")).to_be_visible()
    expect(sheet.panel).not_to_have_attribute("aria-modal", "true")
    sheet.panel.get_by_role("button", name="Full height").tap()
    expect(sheet.page.get_by_role("dialog", name="Inspector")).to_be_visible()


def test_escape_within_it_closes_it(asked):
    expect(context(asked)).to_have_attribute("aria-controls", "panel")
    asked.panel.get_by_role("link", name="Full page").focus()

    asked.page.keyboard.press("Escape")

    expect(asked.panel).to_have_count(0)
    expect(context(asked)).to_be_focused()


def test_escape_within_it_stops_no_answer_and_in_the_chat_it_does(asked, provider):
    provider.script(Reply(text=words(0, 9), hang_after=5))
    asked.field.focus()
    asked.say("Count")
    expect(asked.answers.last).to_contain_text("w4")
    asked.panel.get_by_role("link", name="Full page").focus()
    asked.page.keyboard.press("Escape")
    expect(context(asked)).to_be_focused()
    expect(asked.page.locator(".ending")).to_have_count(0)

    asked.page.keyboard.press("Escape")

    expect(asked.page.locator(".ending")).to_contain_text("Stopped")


def test_letters_lead_to_the_first_row_from_anywhere_in_it(asked):
    summary = asked.panel.locator('[data-keep="zone-map"] > summary')
    summary.press("Enter")
    expect(asked.panel.locator(".map")).to_be_hidden()
    rows = asked.panel.locator(".map .row")

    asked.page.keyboard.press("j")
    expect(rows.first).to_be_focused()
    asked.page.keyboard.press("j")
    expect(rows.nth(1)).to_be_focused()
    asked.panel.get_by_role("link", name="Full page").focus()
    asked.page.keyboard.press("k")
    expect(rows.first).to_be_focused()


WAYS = {
    "key": lambda tab: tab.page.keyboard.press("Control+i"),
    "click": lambda tab: context(tab).click(),
}


@pytest.mark.parametrize("close", ["key", "Esc"])
@pytest.mark.parametrize("way", WAYS)
def test_whoever_opens_it_comes_into_it_and_is_back_in_the_field_after_it(tab, way, close):
    tab.open()
    tab.ask("Hello")
    tab.field.fill("A draft")
    for _ in range(2):  # The second time, its scripts are loaded.
        WAYS[way](tab)
        expect(tab.panel.get_by_role("heading", name="Inspector", exact=True)).to_be_focused()
        tab.expect_a_settled_panel()
        tab.page.keyboard.press("Control+i" if close == "key" else "Escape")
        expect(tab.panel).to_have_count(0)
        expect(tab.field).to_be_focused()
    expect(tab.field).to_have_value("A draft")


def test_whoever_reads_on_in_it_stays_at_its_heading_when_it_comes_anew(tab, provider):
    provider.script(Reply(text=words(0, 9), hang_after=5))
    tab.open()
    tab.say("Count")
    expect(tab.answers.last).to_contain_text("w4")
    tab.page.keyboard.press("Control+i")
    heading = tab.panel.get_by_role("heading", name="Inspector", exact=True)
    expect(heading).to_be_focused()

    with tab.page.expect_response(lambda response: "/panel?" in response.url):
        provider.release()

    tab.expect_a_settled_panel()
    expect(tab.answers.last).to_have_attribute("data-status", "done")
    expect(heading).to_be_focused()
