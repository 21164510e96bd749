"""A newcomer first sees the start page, and a notice that can be dismissed."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab


@pytest.fixture
def offline(served):
    """Let one agent use the built-in demo model."""
    named = "agents_agenttemplate SET model = ? WHERE slug = 'seeker'"
    served.write(f"UPDATE {named}", "demo/mirror")
    yield
    served.write(f"UPDATE {named}", "")


@pytest.mark.daily
def test_the_notice_about_the_demo_stays_away_once_dismissed(tab, offline):
    tab.open("/chat?agent=seeker")
    notice = tab.page.locator(".connect")
    notice.get_by_text("Connect a real model").click()
    expect(notice.get_by_text("OLLAMA_API_BASE=http://127.0.0.1:11434")).to_be_visible()
    tab.page.set_viewport_size({"width": 390, "height": 844})
    assert notice.evaluate("e => e.scrollWidth <= e.clientWidth")

    notice.get_by_role("button", name="Don't show this again").click()

    expect(notice).to_be_hidden()
    expect(tab.field).to_be_focused()
    tab.page.reload()
    expect(tab.page.locator(".starters")).to_be_visible()
    expect(notice).to_be_hidden()


def test_a_card_chooses_the_agent_and_new_chats_stay_with_it(tab):
    tab.open()
    expect(tab.page.locator(".new-here")).to_be_hidden()

    tab.page.locator(".agents a", has_text="Goldfish").click()
    expect(tab.page.locator(".welcome h2")).to_have_text("Goldfish")
    tab.ask("Hello")
    tab.page.keyboard.press("Control+Shift+O")

    expect(tab.page.locator(".welcome h2")).to_have_text("Goldfish")


def test_all_of_the_start_page_is_in_sight_on_a_laptop(somebody, served, offline):
    tab = Tab(somebody(viewport={"width": 1440, "height": 900}).new_page(), served)
    tab.open("/chat?agent=seeker")

    expect(tab.page.locator(".connect")).to_be_in_viewport(ratio=1)
    cards = tab.page.locator(".agents li")
    composer = tab.page.locator(".composer-area").bounding_box()["y"]
    assert all(box["y"] + box["height"] <= composer for box in map(boxed, cards.all()))


@pytest.mark.parametrize("width", [1440, 1280, 1024])
def test_the_start_page_keeps_to_its_column_beside_the_inspector(somebody, served, offline, width):
    tab = Tab(somebody(viewport={"width": width, "height": 900}).new_page(), served)
    tab.open("/chat?agent=seeker&debug=true")
    expect(tab.panel.locator(".headline")).to_be_visible()

    column = tab.page.locator("#scroller").bounding_box()
    for card in tab.page.locator(".agents li, #agents-title, .starters, .connect").all():
        box = boxed(card)
        assert column["x"] <= box["x"]
        assert box["x"] + box["width"] <= column["x"] + column["width"]
    last = tab.page.locator(".agents li").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)


def boxed(card):
    return card.bounding_box()


def test_on_a_tablet_the_sidebar_is_a_drawer_and_one_signs_in_at_the_top(
    somebody, served, provider
):
    tab = Tab(somebody(viewport={"width": 768, "height": 1024}).new_page(), served)
    tab.open()
    sidebar = tab.page.locator("#sidebar")
    expect(sidebar).to_be_hidden()

    tab.page.get_by_role("button", name="Open the sidebar").click()

    expect(sidebar).to_be_visible()
    tab.page.keyboard.press("Escape")
    tab.page.locator(".sign-in").click()
    password = tab.page.get_by_label("Password", exact=True)
    password.fill("secret words")
    tab.page.get_by_role("button", name="Show: Password").click()
    expect(password).to_have_attribute("type", "text")
    expect(password).to_be_focused()
