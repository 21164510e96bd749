"""The staff's overview and what they read of others, in a browser."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, PHONE, Tab
from tests.browser.test_accessibility import violations

NOTICE = "You are viewing another person's conversation. This is recorded."
SIZES: dict[str, dict[str, Any]] = {
    "phone": PHONE,
    "tablet": {"viewport": {"width": 768, "height": 1024}},
    "desk": {"viewport": {"width": 1440, "height": 900}},
}
LOOKS = [
    pytest.param({"color_scheme": scheme, **size}, id=f"{scheme} {name}")
    for scheme in ("light", "dark")
    for name, size in SIZES.items()
]


@pytest.fixture
def conversation(tab):
    """A visitor's, of two turns."""
    tab.open()
    tab.ask("Where to?")
    tab.ask("And then?")
    return tab.conversation


@pytest.fixture
def staff(somebody, served, boss):
    """Open the overview in a browser with a given look."""

    def opened(**look):
        page = somebody(reduced_motion="reduce", **look).new_page()
        page.goto(f"{served.url}/login?next=/inspect/")
        page.get_by_label("Name").fill(boss)
        page.get_by_label("Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Overview")).to_be_visible()
        return Tab(page, served)

    return opened


def fits(page):
    """Nothing makes the page itself scroll sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("look", LOOKS)
def test_the_pages_fit_and_axe_finds_nothing(staff, conversation, look):
    tab = staff(**look)
    expect(tab.page.locator("#chart canvas")).to_be_visible()
    assert violations(tab) == []
    assert fits(tab.page)

    tab.page.locator(f'a[href="/inspect/{conversation}"]').click()
    expect(tab.page.get_by_text(NOTICE)).to_be_visible()
    assert violations(tab) == []
    assert fits(tab.page)


def test_the_chart_draws_the_column_that_one_chooses(staff, conversation):
    page = staff().page
    chart = page.locator("#chart")
    expect(chart).to_have_accessible_name("Tokens over time; the table has the figures")

    page.get_by_role("button", name="Failures").focus()
    page.keyboard.press("Enter")

    expect(chart).to_have_accessible_name("Failures over time; the table has the figures")
    expect(page.get_by_role("button", name="Failures")).to_have_attribute("aria-pressed", "true")
    expect(chart.locator("canvas")).to_have_count(1)


def test_one_sorts_and_chooses_by_keyboard(staff, conversation):
    page = staff().page
    page.get_by_role("link", name="Tokens").focus()
    page.keyboard.press("Enter")
    heading = page.get_by_role("columnheader", name="Tokens").last
    expect(heading).to_have_attribute("aria-sort", "descending")

    page.get_by_label("Period").select_option("7 days")
    page.get_by_role("button", name="Show").focus()
    page.keyboard.press("Enter")

    expect(page.locator("#trend-table tbody tr")).to_have_count(7)
    expect(heading).to_have_attribute("aria-sort", "descending")


def test_a_row_leads_to_the_turn_and_from_there_to_the_transcript(staff, conversation):
    page = staff().page
    page.locator(f'a[href*="{conversation}/debug"]').click()
    expect(page.get_by_text(NOTICE)).to_be_visible()
    expect(page.get_by_text("Turn 2 of 2")).to_be_visible()

    page.get_by_role("link", name="Read the chat").click()

    expect(page.get_by_text(NOTICE)).to_be_visible()
    expect(page.locator(".read p", has_text="Where to?")).to_be_visible()
    expect(page.get_by_role("link", name="What did the model see?")).to_have_count(2)
    expect(page.locator("form, textarea")).to_have_count(0)


def test_the_way_there_is_in_the_menu_of_staff_alone(staff, tab, conversation):
    expect(tab.page.locator('a[href="/inspect/"]')).to_have_count(0)
    page = staff().page
    page.goto(f"{tab.server.url}/chat?agent=demo")

    page.locator("summary.account").click()
    page.get_by_role("link", name="Overview").click()

    expect(page.get_by_role("heading", name="Overview")).to_be_visible()


def test_staff_are_told_of_a_script_that_fails(staff, complaints):
    tab = staff()
    tab.page.route("**/overview.js", lambda route: route.abort())

    tab.page.reload()

    expect(tab.page.locator("#fault")).to_contain_text("Something went wrong on this page.")
    complaints.clear()  # The browser's own words about it.
