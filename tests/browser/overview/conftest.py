"""Fixtures for the overview: a conversation, and a staff user who looks at it."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, Tab


def fits(page):
    """Whether the page fits the window's width, so that it need not scroll sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def conversation(tab):
    """Make a visitor's chat of two turns; return its id."""
    tab.open()
    tab.ask("Where to?")
    tab.ask("And then?")
    return tab.conversation


@pytest.fixture
def staff(somebody, served, boss):
    """Return a function that opens the overview as staff, in a browser with the given options."""

    def opened(**look):
        page = somebody(reduced_motion="reduce", **look).new_page()
        page.goto(f"{served.url}/login?next=/inspect/")
        page.get_by_label("Name").fill(boss)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Overview")).to_be_visible()
        return Tab(page, served)

    return opened
