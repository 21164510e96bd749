"""The panel beside a chat shows the request's cost and times, and the request itself."""

import json
import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, WIDTH, Tab
from tests.browser.talks import open_talk
from tests.browser.test_accessibility import LOOKS, violations
from tests.provider import Call, Reply

OVERRIDES = "debug=true&historyPolicy=lastN&historyLength=1"
USAGE = {"prompt_tokens": 900, "completion_tokens": 20}
CALL = Call("calculator", '{"expression": "6*7"}')


@pytest.fixture
def asked(tab, provider):
    """Open a chat of two turns, the second with two steps; the window moved between the turns."""
    hold(tab, provider)
    return tab


def hold(tab, provider):
    provider.script(
        Reply(text=["Hello"], usage=USAGE),
        Reply(calls=[CALL], finish="tool_calls", usage=USAGE),
        Reply(text=["It is 42"], usage=USAGE),
    )
    open_talk(tab, "Good morning", "6*7?", query=OVERRIDES)
    expect(tab.panel).to_contain_text("Turn 2 of 2, step 2")
    expect_the_last(tab)


def expect_the_last(tab):
    """Wait for the panel that is fetched after the answer; only this one has the time of saving."""
    saved = zone(tab, "Timeline").get_by_role("row", name="saving the answer")
    expect(saved).to_contain_text(re.compile(r"\d ms"))


def zone(tab, name):
    return tab.panel.get_by_role("region", name=name, exact=True)


def part(tab, name):
    return tab.panel.locator(f'[data-keep="{name}"]')


def moves(tab):
    """Find the panel's line on the turn, which unfolds to all turns and steps."""
    return part(tab, "moves").locator("> summary")


def unfold(tab, name):
    part(tab, name).locator("> summary").click()
    return part(tab, name).locator(".raw-part")


def show_step(tab, step):
    moves(tab).click()
    tab.panel.get_by_role("navigation", name="Steps").get_by_role("link", name=str(step)).click()
    expect(tab.panel).to_contain_text(f"Turn 2 of 2, step {step}")


def test_a_reply_costs_what_its_steps_cost(asked):
    cost = zone(asked, "Cost")

    expect(cost.get_by_role("row", name="New")).to_contain_text("1,800")
    expect(cost.get_by_role("row", name="Output")).to_contain_text("40")
    expect(cost).to_contain_text("3 requests, 2,700 tokens in, 60 out")
    cost.get_by_text("Each of the 2 steps").click()
    expect(cost.get_by_role("row", name="2 900")).to_be_visible()


def test_an_unknown_price_is_a_dash(asked):
    expect(zone(asked, "Cost").locator(".sum")).to_contain_text("\N{EM DASH}")


def test_the_first_difference_is_named_in_the_map_and_with_the_cost(asked):
    show_step(asked, 1)

    why = "the window's start moved from turn 1 to turn 2"
    expect(asked.panel.locator(".map .cache")).to_contain_text(why)
    expect(zone(asked, "Cost")).to_contain_text(why)


def test_every_phase_has_its_time_in_words(asked):
    rows = zone(asked, "Timeline").get_by_role("row")
    names = ["waiting to begin", "choosing what to send", "waiting for the first word"]
    names += ["writing the answer", "tool calculator", "saving the answer"]
    for name in names:
        expect(rows.filter(has_text=name).first).to_contain_text(re.compile(r"\d m?s"))


@pytest.mark.daily
def test_the_request_is_the_one_that_the_provider_got(asked, provider):
    request = unfold(asked, "raw-request")

    expect(request).to_contain_text("this is exactly the request that Vitrine prepared for sending")
    expect(request.locator(".entry")).to_have_count(len(provider.requests[-1]["messages"]))
    request.locator(".entry", has_text="6*7?").locator("summary").click()
    expect(request.locator(".entry[open] pre")).to_have_text("6*7?")


def test_what_left_is_shown_with_what_was_changed(asked, provider):
    left = unfold(asked, "raw-wire")

    expect(left).to_contain_text("model openai/fake was sent as fake.")
    left.locator(".entry", has_text="Attempt 1: 200").locator("summary").click()
    expect(left.locator(".entry[open] pre")).to_contain_text("6*7?")


def test_the_difference_the_response_and_the_events(asked):
    expect(unfold(asked, "raw-difference")).to_contain_text("2 messages added")
    expect(unfold(asked, "raw-response")).to_contain_text("It is 42")
    events = unfold(asked, "raw-events")
    expect(events.locator(".entry").first).to_contain_text("started")
    expect(events.locator(".entry").last).to_contain_text("end")


def test_what_was_unfolded_stays_so_when_the_panel_is_fetched_anew(asked):
    expect(unfold(asked, "raw-response")).to_contain_text("It is 42")
    asked.field.focus()

    asked.ask("Thanks")

    expect(part(asked, "raw-response").locator(".raw-part")).to_contain_text("reply")


def test_a_part_is_opened_by_keyboard(asked):
    part(asked, "raw-response").locator("> summary").focus()

    asked.page.keyboard.press("Enter")

    expect(part(asked, "raw-response").locator(".raw-part")).to_contain_text("It is 42")


KEYS = [("[", "]"), ("ArrowLeft", "ArrowRight")]


@pytest.mark.parametrize(("back", "forth"), KEYS, ids=["brackets", "arrows"])
def test_keys_lead_to_the_turn_before_and_after(asked, back, forth):
    asked.panel.get_by_role("link", name="Previous turn").focus()

    asked.page.keyboard.press(back)
    expect(moves(asked)).to_contain_text("Turn 1 of 2")
    expect(moves(asked)).to_be_focused()
    asked.page.keyboard.press(back)  # There is no earlier turn: nothing happens.
    asked.page.keyboard.press(forth)

    expect(moves(asked)).to_contain_text("Turn 2 of 2")
    expect(moves(asked)).to_be_focused()


def test_the_keys_are_left_to_a_field_that_needs_them(asked):
    length = zone(asked, "What-if").get_by_label("History length")
    length.focus()
    asked.page.keyboard.press("ArrowLeft")
    asked.field.focus()
    asked.page.keyboard.press("ArrowLeft")

    expect(asked.panel).to_contain_text("Turn 2 of 2")
    expect(asked.field).to_be_focused()


def test_the_keys_work_on_the_page_of_a_turn(asked):
    asked.panel.get_by_role("link", name="Full page").click()
    listed = asked.page.locator("#chats a[aria-current]")
    title = f"Inspector {listed.text_content()}"
    expect(asked.page.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()
    asked.page.locator("#main").focus()

    asked.page.keyboard.press("[")

    expect(asked.page).to_have_url(re.compile("/debug/turn/1$"))


def test_every_turn_has_a_bar_and_the_drawing_says_what_it_shows(asked):
    said = re.compile(r"^Turns 1.2: [\d,]+ to [\d,]+ tokens sent per turn; turn 2: ")
    moves(asked).click()
    strip = asked.panel.get_by_role("img", name=said)

    expect(strip.locator(".tokens")).to_have_count(2)
    expect(strip.locator(".shown")).to_have_count(1)


LAST = ("Timeline", "Raw")  # These zones are too near the end to scroll to the top.
BELOW = """zone => zone.getBoundingClientRect().top
  - document.querySelector(".zone-links").getBoundingClientRect().bottom"""


@pytest.mark.daily
@pytest.mark.parametrize("width", [1280, WIDTH])
def test_each_zone_is_one_step_away_and_below_the_head(asked, width):
    asked.page.set_viewport_size({"width": width, "height": 800})
    address = asked.page.url
    asked.panel.get_by_role("link", name="Why?").click()
    expect(
        asked.panel.locator(".map .row", has_text="“History length” 1 keeps turn 2").last
    ).to_be_focused()
    sections = asked.panel.get_by_role("navigation", name="Sections")

    for name in ("Settings", "Summaries", "Window", "Map", "Cost", "What-if", "Timeline", "Raw"):
        sections.get_by_role("link", name=name).click()

        expect(zone(asked, name)).to_be_focused()
        assert 0 <= zone(asked, name).evaluate(BELOW) < (24 if name not in LAST else 800)
        expect(sections.locator("[aria-current]")).to_have_text([name])
    assert asked.page.url == address


BEYOND = """links => links.map(link => link.getBoundingClientRect())
  .filter(({ left, right }) => left < 0 || right > innerWidth).length"""


@pytest.mark.parametrize("width", [1280, WIDTH])
def test_with_a_mouse_every_link_to_a_zone_is_in_sight(asked, width):
    asked.page.set_viewport_size({"width": width, "height": 800})
    asked.panel.get_by_role("link", name="Why?").click()
    links = asked.panel.get_by_role("navigation", name="Sections").get_by_role("link")
    expect(links).to_have_count(8)

    assert links.evaluate_all(BEYOND) == 0


def test_the_links_to_zones_fade_where_more_of_them_are_beyond_the_edge(phone):
    phone.page.goto(phone.server.url + "/chat?agent=demo")
    phone.ask("Hello")
    phone.page.get_by_role("button", name="Inspector", exact=True).tap()
    phone.panel.get_by_role("link", name="Who set it?").tap()
    links = phone.panel.get_by_role("navigation", name="Sections")
    row = links.locator("> div")
    expect(row).to_have_attribute("data-after", "")
    expect(row).not_to_have_attribute("data-before", "")
    assert "gradient" in row.evaluate("row => getComputedStyle(row).maskImage")

    row.evaluate("row => row.scrollBy(row.scrollWidth, 0)")

    expect(row).to_have_attribute("data-before", "")
    expect(row).not_to_have_attribute("data-after", "")
    expect(links.get_by_role("link", name="Raw")).to_be_in_viewport(ratio=0.95)


def test_the_zone_that_is_unfolded_is_the_current_one(somebody, served):
    look = {"viewport": {"width": 1440, "height": 900}}
    tab = Tab(somebody(**look).new_page(), served, folded=True)
    open_talk(tab, "Good morning", query=OVERRIDES)
    current = tab.panel.locator(".zone-links [aria-current]")

    part(tab, "zone-what-if").locator("> summary").click()
    expect(current).to_have_text(["What-if"])
    zone(tab, "What-if").get_by_label("History length").focus()
    tab.page.keyboard.press("ArrowUp")
    tab.panel.hover()
    tab.page.mouse.wheel(0, 40)

    expect(current).to_have_text(["What-if"])


def test_letters_have_names_in_sight_and_meanings_by_touch_and_keyboard(somebody, served, provider):
    tab = Tab(somebody(**PHONE).new_page(), served)
    hold(tab, provider)
    letters = part(tab, "letters")
    for row in zone(tab, "Map").locator(".row").all():
        expect(row.locator(".verdict + .word").first).to_be_visible()

    letters.locator("> summary").tap()
    expect(letters.locator("dd").first).to_be_visible()
    letters.locator("> summary").press("Enter")
    expect(letters.locator("dd").first).to_be_hidden()


def test_a_zone_keeps_the_focus_when_the_panel_is_renewed(asked, provider):
    provider.script(Reply(text=["Soon", " enough"], usage=USAGE, hang_after=1))
    asked.field.fill("And now?")
    asked.field.press("Enter")
    expect(asked.panel).to_contain_text("Turn 3 of 3")
    asked.panel.get_by_role("link", name="Who set it?").click()

    provider.release()

    expect_the_last(asked)
    expect(zone(asked, "Settings")).to_be_focused()


def test_the_short_answers_lead_to_the_long_ones(asked):
    asked.panel.get_by_role("link", name="Try other settings").first.click()

    expect(zone(asked, "What-if")).to_be_focused()


@pytest.fixture
def copying(somebody, served, provider):
    """Open the chat in a tab that may use the clipboard."""
    context = somebody(permissions=["clipboard-read", "clipboard-write"])
    tab = Tab(context.new_page(), served)
    hold(tab, provider)
    return tab


def copied(tab, name):
    """Click a link above the request, and return the clipboard's text."""
    tab.panel.locator(".raw-ways").get_by_role("link", name=name).click()
    expect(tab.page.locator("#status")).to_have_text("Copied")
    return tab.page.evaluate("() => navigator.clipboard.readText()")


def test_the_request_is_copied_as_json(copying, provider):
    body = json.loads(copied(copying, "JSON"))

    assert list(map(said, body["messages"])) == list(map(said, provider.requests[-1]["messages"]))


def said(message):
    """Return a message without null fields, which litellm does not send."""
    return {name: value for name, value in message.items() if value is not None}


def test_the_request_is_copied_as_a_command(copying):
    text = copied(copying, "cURL")

    assert 'curl "$API_ADDRESS"' in text
    assert """authorization: Bearer '"$API_KEY"'""" in text
    assert "canary" not in text


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(somebody, served, provider, look):
    tab = Tab(somebody(**look, reduced_motion="reduce").new_page(), served)
    provider.script(
        Reply(calls=[CALL], finish="tool_calls", usage=USAGE), Reply(text=["42"], usage=USAGE)
    )
    open_talk(tab, "6*7?", query=OVERRIDES)
    expect(tab.panel).to_contain_text("step 2")
    expect_the_last(tab)
    for name in ("raw-wire", "raw-request", "raw-difference", "raw-response", "raw-events"):
        expect(unfold(tab, name).locator("a", has_text="Open on its own")).to_have_count(0)
    zone(tab, "Cost").locator("details details > summary").click()
    part(tab, "raw-request").locator(".entry summary").first.click()

    assert violations(tab) == []


def test_scripts_that_come_late_cost_nothing_of_it(tab, provider):
    """The script that admits fragments may load later than the one that requests them."""

    def late(route):
        time.sleep(1)
        route.continue_()

    tab.page.route("**/htmx-policy*.js", late)
    hold(tab, provider)
    tab.page.reload()

    expect(tab.panel).to_contain_text("Turn 2 of 2, step 2")
