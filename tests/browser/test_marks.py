"""A chat shows beside each message whether the model saw it, its pin or exclusion, and why."""

import re

import pytest
from playwright.sync_api import expect

from history.core.projection import opening
from history.core.settings.spec import LayerName
from tests.browser.tab import Tab
from tests.browser.talks import open_talk
from tests.browser.test_accessibility import LOOKS, violations
from tests.browser.test_phone import begin, is_too_wide
from tests.provider import Call, Reply
from tests.told import last_turns

ONE_TURN = "historyPolicy=lastN&historyLength=1"
LAST_ONE = f"/chat?agent=demo&{ONE_TURN}"
CALL = Reply(calls=[Call("calculator", '{"expression": "6*7"}')], finish="tool_calls")


@pytest.fixture
def chat(tab):
    """Open a chat of three turns, of which only the newest was sent."""
    open_talk(tab, "question 1", "question 2", "question 3", query=ONE_TURN)
    return tab


def message(tab, position):
    return tab.page.locator(f'.message[data-position="{position}"]')


def actions(tab, position):
    """Find the actions of a message."""
    return message(tab, position).locator("> .message-actions")


def opener(tab, position):
    return actions(tab, position).get_by_label(re.compile("^Actions for this"))


def open_menu(tab, position):
    message(tab, position).hover()
    opener(tab, position).click()


def ask_verdict(tab, position):
    """Open the card that explains a message's verdict, and return it."""
    open_menu(tab, position)
    actions(tab, position).get_by_role("button", name="Seen by the model?").click()
    return message(tab, position).locator("> .verdict-slot").get_by_role("group")


def choose(tab, position, entry):
    """Choose an entry from a message's menu."""
    open_menu(tab, position)
    actions(tab, position).get_by_role("button", name=entry).click()


def state(tab, position):
    """Return the visible words about a message's mark."""
    shown = actions(tab, position).locator(".mark-state:visible")
    return [text.strip() for text in shown.all_inner_texts()]


def toast(tab):
    return tab.page.locator("#toasts")


def marks(tab):
    return [message["mark"] for message in tab.api("/messages")["messages"]]


# Did the model see this?


def test_a_message_that_was_not_sent_says_why_with_its_arithmetic(chat):
    card = ask_verdict(chat, 0)

    expect(card).to_contain_text("In the latest request (turn 3)")
    expect(card.locator(".verdict")).to_have_text("T")
    expect(card).to_contain_text("trimmed")
    expect(card).to_contain_text("Turn 1 of 3; “History length” 1 keeps turn 3")
    expect(card).to_contain_text("none sent")


def test_the_current_message_was_sent_and_its_answer_came_later(chat):
    expect(ask_verdict(chat, 4)).to_contain_text("kept")

    expect(ask_verdict(chat, 5)).to_contain_text("Written after the latest request.")


def test_the_card_closes_with_escape_and_gives_the_focus_back(chat):
    card = ask_verdict(chat, 0)
    expect(card.get_by_role("heading")).to_be_focused()

    chat.page.keyboard.press("Escape")

    expect(card).to_have_count(0)
    expect(opener(chat, 0)).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(opener(chat, 0)).to_have_attribute("aria-expanded", "true")
    chat.page.keyboard.press("Escape")
    expect(opener(chat, 0)).to_be_focused()
    expect(opener(chat, 0)).to_have_attribute("aria-expanded", "false")
    expect(chat.page.locator("[data-more-menu]")).to_have_count(0)


def test_an_open_card_follows_the_newest_request(chat):
    card = ask_verdict(chat, 4)
    expect(card.locator(".verdict")).to_have_text("K")
    chat.field.focus()

    chat.ask("question 4")

    expect(card.locator(".verdict")).to_have_text("T")
    expect(chat.field).to_be_focused()


def test_a_tool_card_has_a_verdict_of_its_own(tab, provider):
    provider.script(CALL, Reply(text=["It is 42."]))
    tab.open(LAST_ONE)
    tab.ask("6*7?")
    card = tab.page.locator("details.tool")
    card.locator("summary").click()
    card.get_by_label("Actions for this tool call").click()
    card.get_by_role("button", name="Seen by the model?").click()

    expect(card.get_by_role("group", name="Seen by the model?")).to_contain_text("kept")
    expect(ask_verdict(tab, 1)).to_contain_text("calculator")


def test_the_card_leads_to_the_row_of_the_inspector(chat):
    ask_verdict(chat, 4).get_by_role("button", name="Show in the inspector").click()

    expect(chat.panel.locator('.row[data-position="4"]')).to_be_focused()
    assert "debug=true" in chat.path


# Pins and exclusions


@pytest.mark.daily
def test_a_pin_is_shown_survives_a_reload_and_is_obeyed(chat, provider):
    choose(chat, 0, "Pin")

    expect(toast(chat)).to_contain_text(
        "Pinned. It will always be sent, starting with your next message."
    )
    assert state(chat, 0) == ["Pinned"]
    chat.page.reload()
    expect(chat.field).to_be_focused()
    assert state(chat, 0) == ["Pinned"]
    chat.ask("question 4")
    sent = [message["content"] for message in provider.requests[-1]["messages"][1:]]
    assert sent == ["question 1", "question 4"]
    expect(chat.page.locator(".cut")).to_contain_text(
        "5 earlier messages are left out (the address asks for the last turn). "
        "1 pinned message is sent anyway."
    )
    fates = chat.page.locator(".message").evaluate_all("all => all.map(m => m.dataset.fate)")
    assert fates == ["pinned", *["out"] * 5, "sent", ""]
    expect(message(chat, 0)).to_have_accessible_description("Pinned: the model saw this.")
    expect(ask_verdict(chat, 0)).to_contain_text("Pinned")


def test_an_exclusion_says_what_it_means_and_is_obeyed(tab, provider):
    tab.open()
    tab.ask("a secret")
    open_menu(tab, 0)
    meant = "Left out, starting with your next message. Nothing is deleted."
    expect(message(tab, 0)).to_contain_text(meant)
    message(tab, 0).get_by_role("button", name="Exclude").click()

    expect(toast(tab)).to_contain_text("Nothing is deleted.")
    assert state(tab, 0) == ["Excluded"]
    tab.field.focus()
    tab.ask("go on")
    sent = [message["content"] for message in provider.requests[-1]["messages"][1:]]
    assert sent == [opening.TEXT, "reply 1", "go on"]
    assert tab.said()[0] == "a secret"


def test_undo_takes_a_mark_back(chat):
    choose(chat, 0, "Pin")
    toast(chat).get_by_role("button", name="Dismiss").click()
    choose(chat, 0, "Exclude")
    expect(toast(chat)).to_contain_text("Excluded")

    toast(chat).get_by_role("button", name="Undo").click()

    expect(actions(chat, 0)).to_contain_text("Pinned")
    assert marks(chat)[:2] == ["pin", None]
    toast(chat).get_by_role("button", name="Dismiss").click()
    choose(chat, 0, "Unpin")
    expect(toast(chat)).to_contain_text("Back to what the settings decide")
    assert (state(chat, 0), marks(chat)[0]) == ([], None)


def test_another_tab_sees_it(chat):
    other = chat.another(chat.path)

    choose(chat, 2, "Exclude")

    expect(actions(other, 2)).to_contain_text("Excluded")


def test_an_answer_is_marked_whole_and_its_tool_call_by_itself(tab, provider):
    provider.script(CALL, Reply(text=["It is 42."]))
    tab.open()
    tab.ask("6*7?")
    card = tab.page.locator("details.tool")

    choose(tab, 1, "Pin")
    expect(toast(tab)).to_contain_text("Pinned")
    assert marks(tab) == [None, "pin", "pin", "pin"]
    expect(card.locator("summary")).to_contain_text("Pinned")
    card.locator("summary").click()
    card.get_by_label("Actions for this tool call").click()
    card.get_by_role("button", name="Exclude").click()

    expect(toast(tab)).to_contain_text("Excluded")
    expect(card.locator("summary")).to_contain_text("Excluded")
    assert marks(tab) == [None, "exclusion", "exclusion", "pin"]
    assert state(tab, 1) == ["Partly pinned or excluded"]


def test_a_pin_too_many_is_refused_with_the_sentence(tab):
    tab.open("/chat?agent=demo&historyPolicy=none")
    for number in range(11):
        tab.ask(f"question {number}")
    for position in range(20):
        choose(tab, position, "Pin")
        expect(actions(tab, position)).to_contain_text("Pinned")

    choose(tab, 20, "Pin")

    expect(toast(tab)).to_contain_text("You can pin at most 20 messages. Unpin one first.")
    assert state(tab, 20) == []


def test_everything_by_keyboard(chat):
    chat.press_until_focused("Shift+Tab", '[data-position="4"] [data-more]')
    chat.page.keyboard.press("Enter")
    chat.press_until_focused("Tab", '[data-position="4"] [data-mark-as="exclusion"]')
    chat.page.keyboard.press("Enter")

    expect(actions(chat, 4)).to_contain_text("Excluded")
    assert chat.has_focus('[data-position="4"] [data-more]')


# Cut line and gauge


def test_the_cut_line_names_number_policy_and_source_and_leads_to_the_reason(chat):
    cut = chat.page.locator(".cut")
    expect(cut).to_contain_text(last_turns(1, left_out=4, by=LayerName.URL))
    why = cut.get_by_role("link", name="Why?")
    expect(why).to_have_attribute("title", re.compile("^Set by historyPolicy in the address"))

    why.click()

    expect(chat.panel.locator(".map .row:focus")).to_contain_text("“History length” 1 keeps turn 3")


def test_the_gauge_is_labelled_follows_each_answer_and_leads_to_the_reason(chat):
    gauge = chat.page.locator("#gauge")
    expect(gauge).to_contain_text("Context: ")
    expect(gauge.get_by_role("img")).to_have_accessible_name(re.compile("used \\(estimate\\)$"))
    expect(gauge.get_by_title("Estimated before sending")).to_contain_text("tokens")
    expect(gauge).to_contain_text("4 messages left out")
    chat.ask("question 4")
    expect(gauge).to_contain_text("6 messages left out")

    gauge.get_by_role("link", name="Why?").click()

    reason = chat.panel.locator(".map .row:focus")
    expect(reason).to_contain_text("“History length” 1 keeps turn 4")
    expect(reason).to_be_in_viewport()


# Appearance


def test_on_a_phone_menu_and_card_fit(phone):
    begin(phone, LAST_ONE)
    phone.ask("Hello")
    for position in (0, 1):
        opener(phone, position).tap()
        box = actions(phone, position).locator(".sheet").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        expect(message(phone, position).get_by_role("button", name="Exclude")).to_be_in_viewport()
        phone.page.keyboard.press("Escape")
    opener(phone, 0).tap()
    actions(phone, 0).get_by_role("button", name="Seen by the model?").tap()

    expect(message(phone, 0).get_by_role("group", name="Seen by the model?")).to_be_in_viewport()
    assert not is_too_wide(phone)


@pytest.mark.parametrize("look", LOOKS)
def test_nobody_is_kept_out(somebody, served, provider, look):
    tab = Tab(somebody(**look, reduced_motion="reduce").new_page(), served)
    provider.script(CALL, Reply(text=["It is 42."]))
    tab.page.goto(tab.server.url + LAST_ONE)
    tab.field.focus()
    tab.ask("6*7?")
    tab.field.focus()
    tab.ask("And 7*8?")
    choose(tab, 0, "Exclude")
    expect(toast(tab)).to_contain_text("Excluded")
    choose(tab, 4, "Pin")
    expect(toast(tab)).to_contain_text("Pinned")
    expect(ask_verdict(tab, 1)).to_contain_text("trimmed")
    open_menu(tab, 5)

    assert violations(tab) == []


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_the_rail_says_what_it_means_to_a_pointer_and_to_a_finger(chat, direction):
    chat.page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
    first = message(chat, 0)
    first.scroll_into_view_if_needed()
    box = first.bounding_box()
    x = box["x"] + (4 if direction == "ltr" else box["width"] - 4)
    y = box["y"] + box["height"] / 2

    chat.page.mouse.move(x, y)
    expect(first).to_have_attribute("title", "Left out: the model didn't see this.")
    chat.page.mouse.click(x, y)
    expect(toast(chat)).to_contain_text("Left out: the model didn't see this.")

    chat.page.mouse.move(box["x"] + box["width"] / 3, y)
    expect(first).not_to_have_attribute("title", re.compile("."))


def test_arrow_keys_walk_through_the_actions(phone):
    begin(phone, LAST_ONE)
    phone.ask("Hello")
    opener(phone, 1).press("Enter")
    entries = actions(phone, 1).locator(".entry:visible")
    expect(entries.first).to_be_visible()
    last = entries.count() - 1
    assert last > 1

    steps = {"ArrowDown": 0, "ArrowUp": last, "Home": 0, "End": last}
    for key, place in steps.items():
        phone.page.keyboard.press(key)
        expect(entries.nth(place)).to_be_focused()
    phone.page.keyboard.press("Escape")
    expect(opener(phone, 1)).to_be_focused()
