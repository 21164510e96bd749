"""The panel's zone "What-if" shows a change's effect at once; people keep, compare, share and apply
it.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.talks import open_talk
from tests.browser.test_accessibility import violations
from tests.provider import Reply

MUST = re.compile("^Must be a whole number from")
TWO_TURNS = "agent=demo&debug=true&historyPolicy=lastN&historyLength=2"


@pytest.fixture
def zone(tab, provider):
    """Open the zone "What-if" after four turns, of which only the newest two were sent."""
    provider.script(*[Reply(text=[f"Answer {n}."]) for n in range(4)])
    open_talk(tab, "One?", "Two?", "Three?", "Four?", query=TWO_TURNS)
    expect(tab.panel).to_contain_text("Turn 4 of 4")
    return tab.panel.locator("#what-if")


def field(zone, name):
    return zone.locator(f"[name='set.{name}']")


@pytest.mark.daily
def test_a_change_shows_its_effect_at_once(zone, provider):
    asked = len(provider.requests)
    result = zone.locator("#what-if-result")

    field(zone, "policy").select_option("all")
    expect(result).to_contain_text("Messages sent")
    expect(result.locator("tr", has_text="Messages sent")).to_contain_text("+4")
    field(zone, "policy").select_option("none")
    expect(result.locator("tr", has_text="Messages sent")).to_contain_text("\N{MINUS SIGN}2")
    zone.get_by_role("button", name="Reset").click()
    expect(result).to_contain_text("Change a setting to see")

    assert len(provider.requests) == asked


def test_the_figures_come_into_sight_though_they_are_below_all_fields(zone, tab):
    more = zone.locator(".whatif-more > summary")
    more.click()
    tab.panel.evaluate("panel => panel.querySelector('#what-if').scrollIntoView()")

    field(zone, "length").fill("3")

    expect(zone.locator("#what-if-result table").first).to_be_in_viewport(ratio=0.9)


def test_a_length_that_the_policy_ignores_says_so(zone):
    unused = zone.get_by_text("(not used with History policy all)")
    expect(unused).to_be_hidden()

    field(zone, "policy").select_option("all")

    expect(unused).to_be_visible()


def test_another_settings_none_says_nothing_about_the_length(zone):
    zone.locator(".whatif-more > summary").click()
    said = zone.get_by_text("(not used with History policy none)")

    field(zone, "reasoning_effort").select_option("none")
    expect(said).to_be_hidden()
    field(zone, "policy").select_option("none")

    expect(said).to_be_visible()


def test_a_replay_comes_into_sight(zone, tab):
    tab.page.set_viewport_size({"width": 1440, "height": 500})
    replay = zone.get_by_role("button", name="Replay", exact=True)
    replay.evaluate("button => button.scrollIntoView({ block: 'end' })")

    replay.click()

    expect(zone.locator("#what-if-replay table").first).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("name", ["length", "length_stride"])
def test_a_bad_value_is_named_beside_its_field_while_it_is_typed(zone, name):
    zone.locator(".whatif-more > summary").click()
    field(zone, name).fill("-4")

    expect(field(zone, name)).to_have_attribute("aria-invalid", "true")
    expect(field(zone, name)).to_have_accessible_description(MUST)
    expect(zone.locator(f"[data-fault-of='set.{name}']")).to_be_in_viewport()
    expect(zone.locator("#what-if-result")).to_contain_text("Correct the marked field")

    field(zone, name).fill("4")
    expect(zone.locator("#what-if-result")).to_contain_text("Messages sent")
    expect(zone.locator("[aria-invalid], [data-fault-of]")).to_have_count(0)


def test_few_fields_are_shown_at_first_and_those_that_are_tried(zone, tab):
    expect(zone.locator(".whatif-field").filter(visible=True)).to_have_count(7)
    more = zone.locator(".whatif-more > summary")

    more.click()
    field(zone, "length_stride").fill("4")
    tab.page.goto(zone.locator("[data-copy-link]").get_attribute("href"))

    expect(field(tab.page, "length_stride")).to_be_visible()
    expect(field(tab.page, "length_stride")).to_have_value("4")


def test_tries_are_kept_and_replayed_side_by_side(zone):
    for value in ("all", "none"):
        field(zone, "policy").select_option(value)
        zone.locator(f"[data-keep-try='set.policy={value}']").click()
    expect(zone.locator(".whatif-kept li")).to_have_count(2)
    expect(zone.get_by_role("link", name="2 in the comparison")).to_be_in_viewport()
    zone.get_by_role("button", name="Remove History policy none").click()

    zone.get_by_role("button", name="Replay", exact=True).click()

    rows = zone.locator(".whatif-totals").first.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("B History policy all")
    expect(zone.locator(".whatif-chart polyline")).to_have_count(2)


CUT = "name => name.scrollHeight > name.clientHeight"


def test_a_long_name_in_a_replay_shows_that_it_goes_on_and_has_a_title(zone):
    zone.locator(".whatif-more > summary").click()
    tried = {"length": "1", "max_items": "17", "length_stride": "4", "results_stride": "5"}
    tried |= {"images_stride": "6", "files_stride": "7", "reasoning_keep": "8"}
    for name, value in tried.items():
        field(zone, name).fill(value)
    expect(zone.locator("[data-keep-try]")).to_have_attribute("data-name", re.compile("is kept 8$"))
    whole = zone.locator("[data-keep-try]").get_attribute("data-name")

    zone.get_by_role("button", name="Replay", exact=True).click()
    name = zone.locator(".whatif-name")
    expect(name).to_have_text(whole)
    expect(name).to_have_attribute("title", whole)
    assert name.evaluate(CUT)


def test_a_replay_shows_what_is_being_tried_once(zone):
    field(zone, "policy").select_option("all")
    expect(zone.locator("[data-keep-try='set.policy=all']")).to_be_visible()
    replay = zone.get_by_role("button", name="Replay", exact=True)

    for _ in range(2):
        replay.click()
        rows = zone.locator(".whatif-totals").first.locator("tbody tr")
        expect(rows).to_have_count(2)
        expect(rows.nth(1)).to_contain_text("B History policy all")

    expect(zone.locator(".whatif-kept li")).to_have_count(1)


def test_a_replay_of_earlier_settings_says_so(zone):
    note = zone.get_by_text("This replay is of earlier settings")
    field(zone, "policy").select_option("all")
    expect(zone.locator("[data-keep-try='set.policy=all']")).to_be_visible()
    replay = zone.get_by_role("button", name="Replay", exact=True)
    replay.click()
    expect(zone.locator("#what-if-replay .whatif-totals").first).to_be_visible()
    expect(note).to_be_hidden()

    field(zone, "policy").select_option("none")
    expect(note).to_be_visible()
    field(zone, "policy").select_option("all")
    expect(note).to_be_hidden()
    zone.get_by_role("button", name="Remove History policy all").click()
    expect(note).to_be_visible()
    zone.get_by_role("button", name="Reset").click()
    expect(zone.locator("#what-if-result")).to_contain_text("Change a setting to see")
    replay.click()
    expect(note).to_be_hidden()


def test_a_replay_says_that_its_current_settings_are_no_longer_the_chats(zone):
    field(zone, "max_items").fill("6")
    expect(zone.locator("[data-keep-try]")).to_be_visible()
    zone.get_by_role("button", name="Replay", exact=True).click()
    note = zone.get_by_text("those that it calls current are the earlier ones")
    expect(zone.locator("#what-if-replay .whatif-totals").first).to_contain_text("A current")
    expect(note).to_be_hidden()

    zone.get_by_role("button", name="Apply to this chat").click()
    expect(note).to_be_visible()
    field(zone, "max_items").fill("5")
    expect(zone.locator("[data-keep-try]")).to_be_visible()
    expect(note).to_be_visible()
    zone.get_by_role("button", name="Replay", exact=True).click()
    expect(note).to_be_hidden()


def test_a_try_can_be_opened_by_its_link(zone, tab):
    field(zone, "policy").select_option("all")
    link = zone.locator("[data-copy-link]")
    expect(link).to_be_visible()

    tab.page.goto(link.get_attribute("href"))

    expect(tab.page.locator("#what-if-result")).to_contain_text("+4")
    expect(field(tab.page, "policy")).to_have_value("all")


def test_a_try_holds_from_the_next_message_on(zone, tab, provider):
    tab.page.goto(f"{tab.server.url}/chat/{tab.conversation}?debug=true")
    expect(tab.panel).to_contain_text("Turn 4 of 4")
    field(zone, "policy").select_option("all")
    zone.get_by_role("button", name="Apply to this chat").click()
    expect(zone).to_contain_text(
        "Applied to this chat, starting with your next message: History policy all."
    )
    tab.field.focus()

    tab.ask("Five?")

    assert len(provider.requests[-1]["messages"]) == 1 + 9


def test_what_was_applied_to_the_chat_can_be_undone(zone, tab):
    field(zone, "max_items").fill("6")
    zone.get_by_role("button", name="Apply to this chat").click()
    expect(zone.locator(".whatif-said")).to_contain_text("History window (items) 6.")
    assert tab.api("")["history_settings"] == {"max_items": 6}

    zone.get_by_role("button", name="Undo").click()

    expect(zone.locator(".whatif-said")).to_contain_text("Undone")
    assert tab.api("")["history_settings"] == {}


CHANGED_AND_APPLIED = """field => {
  field.value = "5";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  document.querySelector("[data-take]").click();
}"""


def test_what_was_applied_stays_in_sight_though_a_field_changed_just_before(zone, tab):
    field(zone, "max_items").fill("6")
    expect(zone.get_by_role("button", name="Apply to this chat")).to_be_visible()

    field(zone, "max_items").evaluate(CHANGED_AND_APPLIED)
    tab.page.evaluate("() => new Promise(done => setTimeout(done, 500))")  # Tries wait for 250 ms.

    expect(zone.locator(".whatif-said")).to_contain_text("History window (items) 5.")
    field(zone, "max_items").fill("4")
    expect(zone.locator("#what-if-result table").first).to_contain_text("4")


def test_the_next_message_is_told_at_once_and_ctrl_z_takes_it_back(zone, tab):
    tab.page.goto(f"{tab.server.url}/chat/{tab.conversation}?debug=true")
    expect(tab.panel).to_contain_text("Turn 4 of 4")
    field(zone, "length").fill("3")
    zone.get_by_role("button", name="Apply to this chat").click()
    expect(tab.panel.locator("#panel-notes")).to_contain_text("History length 3")

    tab.page.keyboard.press("Control+z")

    expect(zone.locator(".whatif-said")).to_contain_text("Undone")
    expect(tab.panel.locator("#panel-notes")).not_to_contain_text("History length 3")
    assert tab.api("")["history_settings"] == {}


def test_what_was_applied_offers_one_undo_wherever_it_is_in_sight(zone, tab):
    tab.page.goto(f"{tab.server.url}/chat/{tab.conversation}?debug=true")
    expect(tab.panel).to_contain_text("Turn 4 of 4")
    undo = tab.panel.get_by_role("button", name="Undo")
    field(zone, "length").fill("3")
    zone.get_by_role("button", name="Apply to this chat").click()
    expect(tab.panel.locator("#panel-notes .taken")).to_have_count(1)
    expect(undo).to_have_count(1)
    expect(zone.get_by_role("button", name="Undo")).to_be_visible()

    zone.locator("details > summary").first.press("Enter")
    expect(undo).to_have_count(1)
    undo.click()

    expect(undo).to_have_count(0)
    assert tab.api("")["history_settings"] == {}


SUBMISSIONS = "globalThis.submitted = 0; addEventListener('submit', () => submitted++, true)"


def test_ctrl_z_leaves_the_chat_alone_while_one_writes_redoes_or_sees_no_undo(zone, tab):
    keyboard, fold = tab.page.keyboard, zone.locator("details > summary").first
    field(zone, "max_items").fill("6")
    zone.get_by_role("button", name="Apply to this chat").click()
    expect(zone.get_by_role("button", name="Undo")).to_be_visible()
    tab.page.evaluate(SUBMISSIONS)
    keyboard.press("Control+Shift+z")
    tab.field.fill("A draft")
    for keys in ("Control+a", "Delete", "Control+z"):
        keyboard.press(keys)
    expect(tab.field).to_have_value("A draft")
    tab.field.fill("")
    keyboard.press("Control+z")
    fold.press("Enter")
    expect(zone.get_by_role("button", name="Undo")).to_be_hidden()
    keyboard.press("Control+z")
    assert tab.page.evaluate("submitted") == 0

    fold.press("Enter")
    keyboard.press("Control+z")

    expect(zone.locator(".whatif-said")).to_contain_text("Undone")
    assert tab.page.evaluate("submitted") == 1


def test_a_try_outlives_the_address_that_set_it_otherwise(zone, tab, provider):
    field(zone, "length").fill("4")
    zone.get_by_role("button", name="Apply to this chat").click()
    expect(zone.locator("[data-leaves]")).to_have_attribute("data-leaves", "historyLength")
    assert tab.path == f"/chat/{tab.conversation}?agent=demo&debug=true&historyPolicy=lastN"
    toggle = tab.page.locator(".panel-toggle")
    expect(toggle).to_have_attribute("href", "?agent=demo&historyPolicy=lastN")
    tab.field.focus()

    tab.ask("Five?")

    assert len(provider.requests[-1]["messages"]) == 1 + 7


WIDTHS = {"phone, dark": (390, "dark"), "wide, light": (1440, "light")}


@pytest.mark.parametrize(("width", "scheme"), WIDTHS.values(), ids=WIDTHS)
def test_nothing_is_in_the_way_of_anybody(zone, tab, width, scheme):
    tab.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    tab.page.set_viewport_size({"width": width, "height": 900})
    field(zone, "policy").select_option("all")
    expect(zone.locator(".whatif-figures")).to_be_visible()
    zone.get_by_role("button", name="Replay", exact=True).click()
    expect(zone.locator(".whatif-totals").first).to_be_visible()

    assert violations(tab) == []


def test_a_value_that_the_browser_brought_back_after_a_reload_is_tried(zone, tab):
    """Chromium restores no field after a reload, so the test sets the value."""
    result = zone.locator("#what-if-result")
    field(zone, "length").evaluate("field => { field.value = '1'; }")
    tab.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow'))")

    expect(result.locator("tr", has_text="Messages sent")).to_be_visible()


def test_what_was_tried_without_a_network_is_tried_when_it_is_back(zone, tab, complaints):
    result = zone.locator("#what-if-result")
    field(zone, "length").fill("1")
    expect(result.locator("thead")).to_contain_text("History length 1")
    tab.page.context.set_offline(True)
    field(zone, "length").fill("3")
    expect(tab.page.locator(".toast")).to_be_visible()
    tab.page.context.set_offline(False)

    expect(result.locator("thead")).to_contain_text("History length 3")
    complaints[:] = [told for told in complaints if "fetch" not in told and "INTERNET" not in told]


def test_the_messages_that_change_are_counted_and_folded_until_somebody_wants_them(zone):
    changes = zone.locator(".whatif-changes")
    field(zone, "policy").select_option("all")
    expect(changes.locator("summary")).to_have_text("4 messages would change")
    expect(changes.get_by_role("listitem")).to_have_count(0)

    changes.locator("summary").click()

    expect(changes.get_by_role("listitem").first).to_contain_text("Messages 1")
    field(zone, "policy").select_option("none")
    expect(changes.locator("summary")).to_have_text("2 messages would change")
    expect(changes.get_by_role("listitem").first).to_be_visible()
