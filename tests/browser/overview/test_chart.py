"""The overview's chart shows the figures of its bars by mouse, by touch and by keyboard."""

import re
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from playwright.sync_api import expect

from tests.browser.overview.conftest import fits
from tests.browser.tab import PHONE, Tab
from tests.browser.test_accessibility import violations

NARROW = {**PHONE, "viewport": {"width": 320, "height": 700}}
SMALL = """() => [...document.querySelectorAll("main :is(a, button, select, summary, input)")]
  .filter((each) => each.checkVisibility() && each.type !== "hidden")
  .filter((each) => Math.min(...["width", "height"].map((side) =>
    Math.round(each.getBoundingClientRect()[side]))) < 24)
  .map((each) => each.textContent.trim() || each.name)"""


@pytest.fixture
def gap(served, conversation):
    """Make a conversation whose first turn was three days before its second one."""
    when = datetime.now(UTC) - timedelta(days=3)
    turn = "SELECT plan_id FROM history_callfigures WHERE conversation_id = ? ORDER BY id LIMIT 1"
    earlier = f"UPDATE history_callfigures SET created = ? WHERE plan_id = ({turn})"
    served.write(earlier, when.strftime("%Y-%m-%d %H:%M:%S"), UUID(conversation).hex)
    return conversation


def open_on(page, metric):
    plot = page.locator(".chart-plot")
    expect(plot).to_be_visible()
    page.locator(".metrics").get_by_role("link", name=metric).click()
    return plot


def read_out(page):
    return page.locator(".chart-read")


def test_the_arrow_keys_tell_the_figures_of_each_day(staff, gap):
    page = staff().page
    plot = open_on(page, "Requests")
    expect(plot).to_have_accessible_name("Requests per day")
    expect(plot).to_have_attribute("aria-valuetext", re.compile(r"so far Requests [1-9]"))

    plot.focus()
    page.keyboard.press("ArrowLeft")
    expect(plot).to_have_attribute("aria-valuetext", re.compile("no requests$"))
    expect(read_out(page)).to_contain_text("no requests")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(read_out(page)).to_contain_text(re.compile(r"Requests [1-9]"))

    page.keyboard.press("Home")
    expect(plot).to_have_attribute("aria-valuenow", "1")
    page.keyboard.press("End")
    expect(read_out(page)).to_contain_text("so far")


def test_pointing_at_a_bar_tells_its_figures(staff, gap):
    page = staff().page
    open_on(page, "Tokens")
    bars = page.locator(".chart-bar")

    bars.nth(-4).hover()
    expect(bars.nth(-4)).to_contain_class("told")
    expect(read_out(page)).to_contain_text(re.compile(r"Tokens [\d,]+ *Requests [1-9]"))
    bars.nth(-2).hover()
    expect(read_out(page)).to_contain_text("no requests")


def test_so_does_touching_it(staff, gap):
    page = staff(**PHONE).page
    open_on(page, "Tokens")
    bars = page.locator(".chart-bar")

    bars.nth(-4).tap()

    expect(bars.nth(-4)).to_contain_class("told")
    expect(read_out(page)).to_contain_text(re.compile(r"Requests [1-9]"))


def test_a_bar_leads_to_the_overview_of_its_day(staff, gap):
    page = staff().page
    plot = open_on(page, "Tokens")
    page.locator(".chart-bar").nth(-4).click()

    expect(page.get_by_label("Period")).to_have_value("0")
    day = page.get_by_label("From").input_value()
    assert day
    expect(page.get_by_label("To", exact=True)).to_have_value(day)
    expect(page.locator("#trend-table tr[data-start]")).to_have_count(1)

    page.go_back()
    expect(page.get_by_label("From")).to_be_hidden()
    plot.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.get_by_label("From")).to_be_visible()


def test_days_without_a_request_are_gaps_and_those_before_any_are_not_there(staff, gap):
    page = staff().page
    open_on(page, "Requests")
    heights = page.locator(".chart-bar .value").evaluate_all(
        "bars => bars.map((bar) => bar.checkVisibility({visibilityProperty: true}) ? "
        "bar.getBoundingClientRect().height : 0)"
    )

    assert len(heights) == 7
    assert [height > 1 for height in heights[-4:]] == [True, False, False, True]


def test_times_have_a_bar_for_95_of_100_behind_the_median(staff, conversation):
    page = staff().page
    open_on(page, "Tokens")
    expect(page.locator(".chart-key")).to_have_count(0)

    open_on(page, "First word")

    expect(page.locator(".chart-key")).to_have_text(["half of the requests", "95 of 100 requests"])
    newest = page.locator(".chart-bar").last
    half, most = (newest.locator(f".{name}").bounding_box()["height"] for name in ("value", "most"))
    assert half <= most


def test_the_scale_ends_above_the_highest_bar(staff, conversation):
    page = staff().page
    for metric in ("Requests", "Tokens", "First word", "Cache hits", "Failures"):
        plot = open_on(page, metric).bounding_box()
        tops = [bar.bounding_box()["y"] for bar in page.locator(".chart-bar i").all()]
        lines = page.locator(".chart-line span").all_text_contents()

        assert min(tops) >= plot["y"] - 1, metric
        assert 2 <= len(lines) == len(set(lines)), metric


def test_the_table_has_the_figures_for_those_who_see_no_bars(staff, gap):
    page = staff().page
    page.get_by_text("All figures as a table").focus()
    page.keyboard.press("Enter")

    table = page.locator("#trend-table")
    expect(table.get_by_role("rowheader")).to_have_count(2)
    expect(table.get_by_role("columnheader", name="First word")).to_be_visible()


@pytest.mark.parametrize("look", [PHONE, NARROW], ids=["390", "320"])
def test_on_a_phone_all_is_a_card_and_large_enough_for_a_finger(staff, served, gap, look):
    failed = "UPDATE history_generation SET status = 'failed' WHERE conversation_id = ?"
    served.write(failed, UUID(gap).hex)
    tab = staff(**look)
    page = tab.page
    for by in ("People", "Agents", "Models", "Chats"):
        page.get_by_role("link", name=by, exact=True).click()
        expect(page.locator(".chart-plot")).to_be_visible()
        page.get_by_text("All figures as a table").click()

        assert page.evaluate(SMALL) == []
        assert fits(page)
        boxes = page.locator(".scrolled")
        assert boxes.evaluate_all("all => all.every((box) => box.scrollWidth <= box.clientWidth)")
    assert violations(Tab(page, tab.server)) == []
