"""The staff's overview in a browser, and the chats of others that staff read from there."""

import json
import re
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import expect

from tests.browser.overview.conftest import fits
from tests.browser.tab import PHONE, Tab
from tests.browser.test_accessibility import violations

NOTICE = "You are viewing another person's chat. This is recorded."
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


@pytest.mark.parametrize("look", LOOKS)
def test_the_pages_fit_and_axe_finds_nothing(staff, conversation, look):
    tab = staff(**look)
    expect(tab.page.locator(".chart-plot")).to_be_visible()
    assert violations(tab) == []
    assert fits(tab.page)

    tab.page.locator(f'a[href="/inspect/{conversation}"]').click()
    expect(tab.page.get_by_text(NOTICE)).to_be_visible()
    assert violations(tab) == []
    assert fits(tab.page)


FILLED = """totals => {
    const { right, bottom } = totals.getBoundingClientRect();
    const boxes = [...totals.children].map((box) => box.getBoundingClientRect());
    const ends = boxes.filter((box, at) => boxes[at + 1]?.top !== box.top);
    const isFull = (box) => Math.abs(right - box.right) < 3;
    const rows = new Set(boxes.map(({ top }) => top)).size;
    return [boxes.length, rows, ends.every(isFull) && Math.abs(bottom - boxes.at(-1).bottom) < 3];
}"""
ROWS = {1440: {9: 3, 8: 2, 7: 2}, 600: {9: 3, 8: 4, 7: 4}, 390: {9: 5, 8: 4, 7: 4}}


@pytest.mark.parametrize("width", ROWS)
def test_the_totals_fill_their_rows_however_many_they_are(staff, conversation, width):
    totals = staff(viewport={"width": width, "height": 900}).page.locator(".totals")
    expect(totals).to_have_css("display", "grid")  # The styles are there.
    if totals.locator("> div").count() == 8:  # Nobody has stopped an answer.
        totals.evaluate("totals => totals.append(totals.children[0].cloneNode(true))")

    for count, rows in ROWS[width].items():
        assert totals.evaluate(FILLED) == [count, rows, True]
        totals.evaluate("totals => totals.lastElementChild.remove()")


def test_on_a_phone_a_row_shows_all_its_figures_the_cost_first(staff, conversation):
    page = staff(**PHONE).page
    expect(page.locator(".chart-plot")).to_be_visible()
    row = page.locator(".sorted tbody tr", has=page.locator(f'[href="/inspect/{conversation}"]'))
    cells = row.locator("td")
    boxes = [cell.bounding_box() for cell in cells.all()]
    width = page.viewport_size["width"]

    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    cost = row.locator("[data-cost]").bounding_box()
    assert (cost["y"], cost["x"]) == min((box["y"], box["x"]) for box in boxes)
    scrolled = page.locator(".scrolled", has=page.locator(".sorted"))
    assert scrolled.evaluate("box => box.scrollWidth <= box.clientWidth")


CHIPS = ".list-head a, .sorted thead a, .leading-part a, .trend-figures > summary"


def test_on_a_phone_what_one_chooses_by_is_large_enough_for_a_thumb(staff, conversation):
    page = staff(**PHONE).page
    expect(page.locator(".chart-plot")).to_be_visible()
    boxes = [chip.bounding_box() for chip in page.locator(CHIPS).all() if chip.is_visible()]

    assert len(boxes) > 20
    assert min(box["height"] for box in boxes) >= 44
    assert fits(page)


def test_times_are_written_as_in_a_chat(staff, conversation):
    page = staff().page
    last = page.locator("td[data-label='Last request'] time").first

    expect(last).to_have_text(re.compile(r"^\d+:\d\d\s(AM|PM)$"))
    expect(last).to_have_attribute("title", re.compile(r"day, "))


def test_nothing_moves_when_a_chart_that_took_a_while_is_drawn(staff, conversation):
    page = staff(**PHONE).page
    page.route("**/overview*.js", lambda route: (page.wait_for_timeout(500), route.continue_()))
    page.reload(wait_until="commit")
    page.locator(".sorted").wait_for()
    page.locator(".sorted time[title]").first.wait_for()
    before = page.locator(".sorted").bounding_box()
    expect(page.locator(".chart-plot")).to_be_visible()

    assert page.locator(".sorted").bounding_box() == before


@pytest.mark.parametrize("look", [LOOKS[0], LOOKS[-1]])
def test_the_list_of_failures_fits_and_leads_to_the_turn(staff, conversation, served, look):
    limited = json.dumps({"kind": "rate_limited", "message": "OpenAI reports a rate limit."})
    failed = "UPDATE history_generation SET status = 'failed', error = ? WHERE conversation_id = ?"
    served.write(failed, limited, UUID(conversation).hex)
    page = staff(**look).page
    page.locator(".totals").get_by_role("link", name="failures").click()
    expect(page.get_by_role("heading", name="Failures")).to_be_visible()
    expect(page.locator(".failures-list")).to_contain_text("OpenAI reports a rate limit.")
    page.get_by_role("link", name="Rate limited").click()
    expect(page.locator('.reasons [aria-current="true"]')).to_contain_text("Rate limited")
    assert violations(Tab(page, served)) == []
    assert fits(page)

    page.get_by_role("link", name="times").click()
    expect(page.locator(".chosen")).to_contain_text("Identical failures")
    page.locator(f'.failures-list a[href*="{conversation}/debug/turn/1"]').click()

    expect(page.get_by_text(NOTICE)).to_be_visible()


def test_a_bad_value_is_beside_its_field(staff, served, complaints):
    tab = staff(**PHONE)
    tab.page.goto(f"{served.url}/inspect/?days=abc&agent=nosuch&sort=x")

    expect(tab.page.get_by_label("Agent")).to_have_accessible_description(
        "There is no agent “nosuch”. Showing all. Choose one from the list."
    )
    expect(tab.page.get_by_text("sort=x matches nothing here")).to_be_visible()
    assert violations(tab) == []
    assert fits(tab.page)
    complaints.clear()  # The browser logs the error status.


def test_the_chart_that_one_chose_stays_through_a_reload_and_a_sorting(staff, conversation):
    page = staff().page
    pressed = page.locator(".metrics [aria-current]")
    expect(page.locator(".chart-plot")).to_be_visible()
    page.locator(".metrics").get_by_role("link", name="Whole answer").click()
    page.reload()
    expect(pressed).to_have_text("Whole answer")
    expect(page.locator(".chart-plot")).to_be_visible()

    page.locator(".metrics").get_by_role("link", name="Left out").click()
    page.locator(".sorted").get_by_role("columnheader", name="Tokens").get_by_role("link").click()
    expect(page).to_have_url(re.compile("sort=-tokens"))
    expect(pressed).to_have_text("Left out")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile("failures=|agent="))
    expect(pressed).to_have_text("Left out")


def test_two_bad_values_leave_the_fields_in_a_row(staff, served, complaints):
    page = staff(**SIZES["desk"]).page
    page.goto(f"{served.url}/inspect/?days=abc&agent=nosuch")
    fields = page.locator(".filters-form select").all()

    assert len({field.bounding_box()["y"] for field in fields}) == 1
    button = page.get_by_role("button", name="Show").bounding_box()
    assert abs(button["y"] - fields[0].bounding_box()["y"]) < 2
    complaints.clear()  # The browser logs the error status.


def test_one_asks_for_people_and_saves_what_the_table_shows(staff, conversation):
    page = staff().page
    page.get_by_role("link", name="People", exact=True).click()
    expect(page.locator(".sorted").get_by_role("columnheader", name="Person")).to_be_visible()
    expect(page.get_by_role("link", name="People", exact=True)).to_have_attribute(
        "aria-current", "true"
    )
    assert violations(Tab(page, None)) == []

    with page.expect_download() as saved:
        page.get_by_role("link", name="Download CSV").click()
    assert saved.value.path().read_text().startswith("person,last_request,requests,")

    page.locator(".sorted").get_by_role("link", name="Visitors").click()

    expect(page.locator(".chosen")).to_contain_text("Visitors")
    chats = page.locator(".sorted a[href^='/inspect/']")
    expect(chats.first).to_be_visible()


def test_one_sorts_and_chooses_by_keyboard(staff, conversation):
    page = staff().page
    page.locator(".sorted").get_by_role("link", name="Tokens").focus()
    page.keyboard.press("Enter")
    heading = page.locator(".sorted").get_by_role("columnheader", name="Tokens")
    expect(heading).to_have_attribute("aria-sort", "descending")

    page.get_by_label("Period").select_option("7 days")
    page.get_by_role("button", name="Show").focus()
    page.keyboard.press("Enter")

    expect(page.locator("#trend-table tbody tr")).to_have_count(7)
    expect(heading).to_have_attribute("aria-sort", "descending")


@pytest.mark.daily
def test_a_row_leads_to_the_turn_and_from_there_to_the_transcript(staff, conversation):
    page = staff().page
    page.locator(f'a[href*="{conversation}/debug"]').click()
    expect(page.get_by_text(NOTICE)).to_be_visible()
    expect(page.locator("summary", has_text="Turn 2 of 2")).to_be_visible()

    page.get_by_role("link", name="Read the chat").click()

    expect(page.get_by_text(NOTICE)).to_be_visible()
    expect(page.locator(".read p", has_text="Where to?")).to_be_visible()
    expect(page.get_by_role("link", name="What did the model see?")).to_have_count(2)
    expect(page.locator("main :is(form, textarea)")).to_have_count(0)


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
    complaints.clear()  # The browser logs the fault.
