"""The app works by touch on a screen 390 px wide."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import HEIGHT, WIDTH
from tests.provider import Reply

WIDE = "| a | b |\n|---|---|\n| {0} | {0} |\n\n```\n{0}{0}\n```\n\n{0}".format("x" * 120)


def is_too_wide(tab):
    return tab.page.evaluate("document.documentElement.scrollWidth > innerWidth")


def begin(phone, path="/chat?agent=demo"):
    """Open a chat and tap the message's field: on a phone, nothing has the focus at first."""
    phone.page.goto(phone.server.url + path)
    phone.field.tap()


def test_a_wide_answer_does_not_make_the_page_wider(phone, provider):
    provider.script(Reply(text=[WIDE]))
    begin(phone)
    phone.ask("y" * 200)

    expect(phone.page.locator("table")).to_be_visible()
    assert not is_too_wide(phone)
    assert phone.page.locator("#scroller").evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.daily
def test_a_message_is_sent_by_the_button(phone, provider):
    begin(phone)
    phone.page.keyboard.type("Hello")
    phone.page.get_by_role("button", name="Send").tap()

    expect(phone.answers).to_have_attribute("data-status", "done")
    assert phone.said() == ["Hello", "reply 1"]
    assert not is_too_wide(phone)


def test_enter_begins_a_new_line(phone):
    begin(phone)
    phone.page.keyboard.type("Milk")
    phone.page.keyboard.press("Enter")
    phone.page.keyboard.type("Bread")

    expect(phone.field).to_have_value("Milk\nBread")
    expect(phone.page.locator(".message")).to_have_count(0)


def test_the_drawer_opens_leads_elsewhere_and_closes(phone):
    begin(phone)
    phone.ask("Hello")
    sidebar = phone.page.locator("#sidebar")
    expect(sidebar).to_be_hidden()

    phone.page.get_by_role("button", name="Open the sidebar").tap()
    expect(sidebar).to_be_in_viewport()
    phone.page.get_by_role("button", name="Close the sidebar").last.tap(
        position={"x": 380, "y": 400}
    )
    expect(sidebar).to_be_hidden()
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    sidebar.get_by_role("link", name="New chat").tap()

    expect(phone.page.locator(".welcome")).to_be_visible()
    expect(sidebar).to_be_hidden()
    assert not is_too_wide(phone)


NOTE_WATCHER = """window.CloseWatcher = class extends CloseWatcher {
  constructor() { super(); window.watcher = this; }
}"""


@pytest.mark.parametrize(
    "way",
    [
        pytest.param("watcher.requestClose()", id="the way back"),
        pytest.param("document.getElementById('drawer-shade').click()", id="a tap beside it"),
    ],
)
def test_ways_to_close_the_drawer_leave_the_chat_and_give_the_focus_back(phone, way):
    phone.page.add_init_script(NOTE_WATCHER)
    begin(phone)
    phone.ask("Hello")
    path = phone.path
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    expect(phone.page.locator("#sidebar")).to_be_in_viewport()

    phone.page.evaluate(way)

    expect(phone.page.locator("#sidebar")).to_be_hidden()
    assert phone.path == path
    assert phone.said()[0] == "Hello"
    assert phone.has_focus("#main [data-sidebar-toggle]")


def test_the_menu_of_each_chat_is_seen_beside_its_title(phone):
    begin(phone)
    phone.ask("Tell me of " + "harbours and " * 9)
    phone.page.goto(phone.server.url + "/chat?agent=demo")
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    entry = phone.page.locator(".chat-entry")
    menu = entry.locator(".menu")

    expect(entry.locator("a[aria-current]")).to_have_count(0)
    expect(menu).to_have_css("opacity", "1")
    title, button = entry.locator("a").bounding_box(), menu.bounding_box()
    assert title["x"] + title["width"] <= button["x"]


def test_the_drawer_takes_the_focus_when_it_opens(phone):
    begin(phone)

    phone.page.get_by_role("button", name="Open the sidebar").tap()

    assert phone.has_focus("#sidebar [data-sidebar-toggle]")


SIDEWAYS = {"width": HEIGHT, "height": WIDTH}


def test_sideways_every_action_of_a_message_and_of_a_chat_can_be_reached(phone):
    phone.page.set_viewport_size(SIDEWAYS)
    begin(phone)
    phone.ask("Hello")
    phone.answers.get_by_role("button", name="Actions for this answer").tap()
    for entry in phone.page.locator("[data-more-menu] .entry:visible").all():
        entry.scroll_into_view_if_needed()
        expect(entry).to_be_in_viewport(ratio=0.9)
    phone.page.keyboard.press("Escape")

    phone.page.get_by_role("button", name="Open the sidebar").tap()
    phone.entry("Hello").locator(".menu > summary").tap()
    entries = phone.entry("Hello").locator(".sheet .entry")
    expect(entries).to_have_count(5)
    for entry in entries.all():
        entry.scroll_into_view_if_needed()
        expect(entry).to_be_in_viewport(ratio=0.9)


def test_escape_closes_a_menu_of_the_drawer_before_the_drawer(phone):
    begin(phone)
    phone.ask("Hello")
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    menu = phone.entry("Hello").locator(".menu")
    menu.locator("summary").tap()
    expect(menu.get_by_role("button", name="Rename")).to_be_visible()

    phone.page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()
    expect(phone.page.locator("#sidebar")).to_be_in_viewport()

    phone.page.keyboard.press("Escape")
    expect(phone.page.locator("#sidebar")).to_be_hidden()


def test_escape_closes_the_drawer_and_stops_no_answer(phone, provider):
    provider.script(Reply(text=["One ", "two"], hang_after=1))
    begin(phone)
    phone.say("Hello")
    expect(phone.answers).to_contain_text("One")
    phone.page.get_by_role("button", name="Open the sidebar").tap()

    phone.page.keyboard.press("Escape")

    expect(phone.page.locator("#sidebar")).to_be_hidden()
    provider.release()
    expect(phone.answers).to_have_attribute("data-status", "done")


def test_the_list_of_agents_fits_a_narrow_phone(phone):
    phone.page.set_viewport_size({"width": 360, "height": 640})
    begin(phone)
    phone.page.locator(".picker > summary").tap()

    box = phone.page.locator(".picker > .sheet").bounding_box()

    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360


ROOM = "document.getElementById('scroller').clientHeight / innerHeight"


@pytest.mark.parametrize("size", [(844, 390), (640, 360), (390, 420)])
def test_sideways_or_above_a_keyboard_the_messages_have_the_room(phone, size):
    begin(phone)
    phone.ask("Hello")
    phone.page.set_viewport_size({"width": size[0], "height": size[1]})

    expect(phone.page.locator("#gauge")).to_be_hidden()
    expect(phone.field).to_be_in_viewport(ratio=1)
    assert phone.page.evaluate(ROOM) > 0.6
    assert not is_too_wide(phone)


def test_the_panel_is_a_sheet_that_makes_room_for_a_message_and_closes(phone):
    begin(phone)
    phone.ask("Hello")
    phone.page.get_by_role("button", name="Inspector", exact=True).tap()
    expect(phone.panel).to_contain_text("Turn 1 of 1")
    close = phone.panel.get_by_role("link", name="Close the inspector")

    whole = {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT}
    assert phone.panel.bounding_box() == pytest.approx(whole, abs=1)
    phone.panel.locator("#zone-raw").tap()
    phone.panel.evaluate("panel => panel.scrollTo(0, panel.scrollHeight)")
    expect(close).to_be_in_viewport()
    assert not is_too_wide(phone)

    phone.panel.locator('.row[data-position="0"]').tap()
    message = phone.page.locator('.message[data-position="0"]')
    expect(message).to_be_in_viewport()
    assert message.bounding_box()["y"] < phone.panel.bounding_box()["y"]
    phone.panel.get_by_role("button", name="Full height").tap()
    assert phone.panel.bounding_box() == pytest.approx(whole, abs=1)
    close.tap()
    expect(phone.panel).not_to_be_attached()
    phone.field.focus()
    expect(phone.field).to_be_focused()


def test_a_tap_on_the_picture_of_the_conversation_leads_to_a_message(phone):
    begin(phone)
    phone.ask("Hello")
    phone.ask("And then?")
    phone.page.get_by_role("button", name="Inspector", exact=True).tap()
    finder = phone.panel.get_by_role("slider", name="Find a message")
    box = finder.bounding_box()

    finder.tap(position={"x": box["width"] / 6, "y": box["height"] / 2})

    message = phone.page.locator('.message[data-position="0"]')
    expect(message).to_have_class(re.compile("found"))
    expect(message).to_be_in_viewport()
    expect(phone.panel.get_by_role("button", name="Full height")).to_be_visible()


def test_the_header_has_the_chats_title(phone):
    begin(phone)
    expect(phone.page.locator("#title")).to_have_css("position", "absolute")  # Heard, not seen.
    title = "Tell me of " + "harbours and " * 9
    phone.ask(title)

    phone.page.reload()
    shown = phone.page.locator("#title")
    expect(shown).to_contain_text("Tell me of harbours")
    expect(shown).to_be_in_viewport(ratio=1)
    assert not is_too_wide(phone)


WATCH = """header => {
  window.heights = [];
  new ResizeObserver(() => heights.push(header.clientHeight)).observe(header);
}"""


def test_the_header_has_one_row_and_the_title_at_the_first_message(phone):
    begin(phone)
    header = phone.page.locator(".chat-header")
    header.evaluate(WATCH)
    row = header.evaluate("header => header.clientHeight")

    phone.ask("Hello")

    title = phone.page.locator("#title").evaluate("title => title.offsetHeight")
    assert title
    assert max(phone.page.evaluate("heights")) <= row + title + 1


CODE = "```\n" + "wide " * 60 + "\n```\n\nDone."
SHADES = (
    """pre => [getComputedStyle(pre).backgroundAttachment, pre.scrollWidth > pre.clientWidth]"""
)


def test_code_that_goes_on_beyond_its_box_has_a_shade_there(phone, provider):
    provider.script(Reply(text=[CODE]))
    begin(phone)
    phone.ask("Code")

    shades = phone.answers.locator("pre").evaluate(SHADES)

    assert shades == ["local, local, scroll, scroll, scroll", True]


HEIGHTS = """links => links.map(link => {
  const words = document.createRange();
  words.selectNodeContents(link);
  const [inner, outer] = [words, link].map(e => e.getBoundingClientRect());
  return Math.abs(inner.top + inner.bottom - outer.top - outer.bottom) / 2 < 1.5;
})"""


def test_the_words_of_the_inspectors_links_are_in_the_middle(phone):
    begin(phone)
    phone.ask("Hello")
    phone.page.get_by_role("button", name="Inspector", exact=True).tap()
    links = phone.panel.locator(".inspector-title .inspector-link:visible, .raw-ways a")
    expect(links).to_have_count(4)

    assert links.evaluate_all(HEIGHTS) == [True] * 4


TWICE = {"width": WIDTH // 2, "height": HEIGHT // 2}  # As if all letters were twice as large.


def test_very_large_letters_leave_everything_in_reach(phone):
    phone.page.set_viewport_size(TWICE)
    begin(phone)
    assert phone.page.locator(".picker > summary > span").bounding_box()["width"] > 30
    phone.page.get_by_role("button", name="Open the sidebar").tap()
    phone.page.locator("#sidebar summary.account").tap()
    expect(phone.page.locator("#sidebar [data-sign-in]")).to_be_in_viewport(ratio=1)
    phone.page.keyboard.press("Escape")
    phone.page.keyboard.press("Escape")
    expect(phone.page.locator("#sidebar")).to_be_hidden()
    phone.ask("Hello")

    for control in phone.page.locator(".chat-header > :is(a, button, details):visible").all():
        expect(control).to_be_in_viewport(ratio=1)
    assert phone.field.bounding_box()["width"] > 120
    assert not is_too_wide(phone)


TOUCHED = "links => links.map(link => link.getBoundingClientRect().height)"


def test_what_one_touches_in_the_inspector_is_high_enough(phone):
    begin(phone)
    about = phone.page.locator(".welcome .about a")
    assert about.evaluate_all(TOUCHED)[0] >= 39.5
    phone.ask("Hello")
    phone.ask("And then?")
    phone.page.get_by_role("button", name="Inspector", exact=True).tap()
    expect(phone.panel).to_contain_text("Turn 2 of 2")
    touched = phone.panel.locator(
        ".zone-links a, .fold > summary:visible, .zone > * > summary,.inspector-title a, .moves > a"
    )

    heights = touched.evaluate_all(TOUCHED)

    assert len(heights) > 15
    assert min(heights) >= 39.5
    previous = phone.panel.get_by_role("link", name="Previous turn").bounding_box()
    assert previous["width"] >= 39.5


def test_the_ring_of_the_context_button_is_whole(phone):
    begin(phone)
    phone.ask("Hello")
    phone.press_until_focused("Shift+Tab", ".panel-toggle")
    top, ring = phone.page.locator(".panel-toggle").evaluate(
        """button => {
          const { outlineOffset, outlineWidth } = getComputedStyle(button);
          const ring = parseFloat(outlineOffset) + parseFloat(outlineWidth);
          return [button.getBoundingClientRect().top, ring];
        }"""
    )

    assert top - ring >= 0


def test_no_line_of_the_gauge_ends_with_a_dot(phone):
    begin(phone)
    phone.ask("Hello")
    parts = phone.page.locator("#gauge > span").all()

    assert len(parts) > 1
    for part in parts:
        assert not part.inner_text().strip().endswith("·")
        content = part.evaluate("part => getComputedStyle(part, '::after').content")
        assert content == "none"
