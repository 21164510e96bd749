"""Settings saved in the dialog of `/config` apply at once; it stays if some were not saved."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.browser.talks import open_talk
from tests.browser.test_config import configure, dialog_of, expect_saved
from tests.browser.test_what_if import field

BOTH = "historyLength=3&historyPolicy=lastN"
LEFT = "Removed from the page's address so that this chat's own settings apply:"


def save(dialog):
    dialog.get_by_role("button", name="Save").click()


@pytest.mark.daily
def test_what_is_saved_leaves_no_address_above_it(tab, provider):
    open_talk(tab, "One?", "Two?", "Three?", query=BOTH)
    tab.field.focus()
    dialog = configure(tab)
    dialog.get_by_label("Everything").check()

    save(dialog)

    expect_saved(tab)
    expect(tab.page.locator(".toast")).to_contain_text(f"{LEFT} historyPolicy, historyLength")
    assert tab.path == f"/chat/{tab.conversation}"
    tab.ask("Four?")
    assert len(provider.requests[-1]["messages"]) == 1 + 7
    tab.page.reload()
    tab.field.focus()
    tab.ask("Five?")
    assert len(provider.requests[-1]["messages"]) == 1 + 9


def test_a_notice_on_the_address_goes_with_what_it_is_about(tab):
    open_talk(tab, "One?", query="historyLength=lots&historyPolcy=all&debug=true")
    notices = tab.page.locator(".address-notices")
    expect(notices.locator("li")).to_have_count(2)
    tab.field.focus()
    dialog = configure(tab)
    dialog.get_by_label("Everything").check()

    save(dialog)

    expect(notices.locator("li")).to_have_count(1)
    expect(notices).to_contain_text("historyPolcy is not a setting.")
    expect(tab.panel).to_contain_text("Next message: Remembers everything")


def test_the_last_notice_goes_too(tab):
    open_talk(tab, "One?", query="historyLength=lots")
    notices = tab.page.locator(".address-notices")
    expect(notices).to_be_visible()
    tab.field.focus()
    dialog = configure(tab)
    dialog.get_by_label("Everything").check()

    save(dialog)

    expect(notices).to_have_count(0)
    expect_saved(tab)


def test_a_new_chat_begins_without_the_address_that_would_override_it(tab, provider):
    tab.open(f"/chat?agent=demo&{BOTH}")
    dialog = configure(tab)
    dialog.get_by_label("Everything").check()

    save(dialog)
    expect_saved(tab)
    expect(tab.page.locator(".toast")).to_contain_text(LEFT)
    expect(tab.page.locator(".welcome .lead")).to_contain_text("Remembers everything")
    expect(tab.field).to_be_focused()

    tab.ask("One?")
    assert tab.path == f"/chat/{tab.conversation}?agent=demo"
    assert tab.api("")["history_settings"] == {"policy": "all"}


def test_what_could_not_be_saved_is_said_in_the_dialog(tab, complaints):
    tab.open()
    tab.ask("Hello")
    dialog = configure(tab)
    told = dialog.get_by_role("alert")
    tab.page.route("**/memory*", lambda route: route.abort())
    save(dialog)
    expect(told).to_have_text(
        "Not saved: can't reach the server. Check your connection and try again."
    )
    expect(told).to_be_in_viewport(ratio=1)
    expect(tab.page.locator(".toast")).to_have_count(0)

    tab.page.unroute("**/memory*")
    tab.page.route("**/memory*", lambda route: route.fulfill(status=500))
    save(dialog)
    expect(told).to_have_text("Not saved. Reload the page and try again.")

    tab.page.unroute("**/memory*")
    save(dialog)
    expect_saved(tab)
    complaints.clear()  # The browser logs the failures.


def test_who_decides_is_said_of_what_was_applied_to_the_chat(tab, provider):
    """The policy comes from the address, and the number of turns from the chat."""
    open_talk(tab, "One?", "Two?", query=f"{BOTH}&debug=true")
    zone = tab.panel.locator("#what-if")
    field(zone, "length").fill("2")
    zone.get_by_role("button", name="Apply to this chat").click()
    expect(zone.locator("[data-leaves]")).to_have_attribute("data-leaves", "historyLength")
    tab.field.focus()

    tab.ask("Three?")

    expect(tab.panel.locator(".drawn-by")).to_have_text(
        "Remembers the last 2 turns. Set for this chat."
    )


def test_a_finger_reaches_every_part_of_the_dialog(somebody, served, provider):
    phone = Tab(somebody(**PHONE).new_page(), served)
    phone.page.goto(f"{served.url}/chat?agent=demo")
    phone.say("/config")
    dialog = dialog_of(phone)
    parts = dialog.locator(".remember > label, .remember-last, summary, button, .field")
    expect(parts.first).to_be_visible()

    heights = [part.bounding_box()["height"] for part in parts.filter(visible=True).all()]
    assert len(heights) >= 8
    assert min(heights) >= 44
