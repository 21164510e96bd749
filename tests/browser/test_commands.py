"""Commands are completed after a slash, sent like messages, and answered with a notice."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab, words
from tests.browser.test_accessibility import LOOKS, violations
from tests.browser.test_phone import begin, is_too_wide
from tests.provider import Reply

LONG = "It was said at length, and it was said again. " * 8


@pytest.fixture
def two_turns(tab, provider):
    """Open a chat of two long turns, with a model that summarises them."""
    provider.script(*[Reply(text=[LONG])] * 2, Reply(text=["They spoke at length."]))
    tab.open("/chat?agent=demo&debug=true")
    for number in range(2):
        tab.ask(f"question {number}")
    return tab


def completion(tab):
    return tab.page.get_by_role("listbox", name="Commands")


def offered(tab):
    return completion(tab).get_by_role("option").locator("b").all_inner_texts()


def help_of(tab):
    return tab.page.get_by_role("dialog", name="Commands")


def toast(tab):
    return tab.page.locator("#toasts")


# Completing commands


def test_a_slash_opens_the_list_and_letters_narrow_it(tab):
    tab.open()
    box = tab.page.get_by_role("combobox")
    expect(box).to_have_attribute("aria-expanded", "false")

    tab.page.keyboard.type("/")

    expect(box).to_have_attribute("aria-expanded", "true")
    assert offered(tab) == ["/context", "/config", "/help"]
    tab.page.keyboard.type("con")
    assert offered(tab) == ["/context", "/config"]
    tab.page.keyboard.type("x")
    expect(completion(tab)).to_be_hidden()
    expect(box).to_have_attribute("aria-expanded", "false")


def test_the_list_has_only_what_can_be_done_now(two_turns):
    two_turns.field.focus()
    two_turns.page.keyboard.type("/")
    expect(completion(two_turns)).to_be_visible()
    assert offered(two_turns) == ["/context", "/config", "/compact", "/help"]
    two_turns.page.keyboard.press("Backspace")
    two_turns.say("/compact")
    expect(toast(two_turns)).to_contain_text("Messages 1 to 2 summarised: ")

    two_turns.page.keyboard.type("/")
    expect(completion(two_turns).get_by_role("option", name="/undo")).to_be_visible()


def test_arrows_choose_and_tab_takes(tab):
    tab.open()
    tab.page.keyboard.type("/co")
    expect(tab.field).to_have_attribute("aria-activedescendant", "command-context")

    tab.page.keyboard.press("ArrowUp")
    expect(tab.field).to_have_attribute("aria-activedescendant", "command-config")
    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("ArrowDown")
    expect(completion(tab).get_by_role("option", selected=True)).to_contain_text("/config")
    tab.page.keyboard.press("Tab")

    expect(tab.field).to_have_value("/config")
    expect(tab.field).to_be_focused()
    expect(completion(tab)).to_be_hidden()


@pytest.mark.daily
def test_enter_runs_what_is_chosen(tab, provider):
    tab.open()
    tab.page.keyboard.type("/h")
    expect(completion(tab)).to_be_visible()

    tab.page.keyboard.press("Enter")

    expect(help_of(tab)).to_be_visible()
    expect(tab.field).to_have_value("")
    assert provider.requests == []


def test_escape_closes_the_list_and_stops_no_answer(tab, provider):
    provider.script(Reply(text=words(0, 40), hang_after=20))
    tab.open()
    tab.say("Count")
    expect(tab.answers).to_contain_text("w19")
    tab.page.keyboard.type("/")
    expect(completion(tab)).to_be_visible()

    tab.page.keyboard.press("Escape")

    expect(completion(tab)).to_be_hidden()
    expect(tab.field).to_have_value("/")
    provider.release()
    expect(tab.answers).to_have_attribute("data-status", "done")


def test_a_finger_runs_a_command(phone):
    begin(phone)
    phone.page.keyboard.type("/")
    assert not is_too_wide(phone)

    completion(phone).get_by_role("option", name="/help").tap()

    expect(help_of(phone)).to_be_visible()
    expect(phone.field).to_have_value("")


@pytest.mark.parametrize("look", LOOKS)
def test_nobody_is_kept_out_of_the_list(somebody, served, provider, look):
    tab = Tab(somebody(**look, reduced_motion="reduce").new_page(), served)
    tab.page.goto(tab.server.url + "/chat?agent=demo")
    tab.field.focus()
    tab.page.keyboard.type("/")
    expect(completion(tab)).to_be_visible()

    assert violations(tab) == []


# What commands do


def test_help_lists_the_commands_and_how_to_send_one_as_text(tab, provider):
    tab.open()
    tab.say("/help")

    expect(help_of(tab)).to_contain_text("/compact")
    expect(help_of(tab)).to_contain_text("//word is sent as /word")
    expect(tab.page.locator(".welcome")).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(help_of(tab)).to_be_hidden()
    assert provider.requests == []


def test_context_opens_the_inspector_while_an_answer_streams(tab, provider):
    provider.script(Reply(text=words(0, 40), hang_after=20))
    tab.open()
    tab.say("Count")
    expect(tab.answers).to_contain_text("w19")

    tab.say("/context")

    expect(tab.panel).to_contain_text("Turn 1 of 1")
    assert "debug=true" in tab.path
    expect(tab.field).to_have_value("")
    provider.release()
    expect(tab.answers).to_have_attribute("data-status", "done")
    expect(tab.answers).to_contain_text("w39")
    assert len(provider.requests) == 1


def test_an_unknown_command_is_answered_and_given_back(tab, provider):
    tab.open()
    tab.say("/sumarise")

    expect(tab.page.locator("#problem")).to_contain_text(
        "There is no command /sumarise, so nothing was sent. Type / to see the commands."
    )
    expect(tab.field).to_have_value("/sumarise")
    expect(tab.page.locator(".message")).to_have_count(0)
    assert provider.requests == []


@pytest.mark.parametrize("typed", ["/hlep", "/hlep me", "/ help"])
def test_a_misspelt_command_names_the_one_that_may_be_meant(tab, provider, typed):
    tab.open()
    tab.say(typed)

    expect(tab.page.locator("#problem")).to_contain_text("Did you mean /help?")
    expect(tab.field).to_have_value(typed)
    assert provider.requests == []


def test_capitals_make_no_other_command(tab):
    tab.open()
    tab.say("/Help")

    expect(help_of(tab)).to_be_visible()


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        pytest.param("//help", "/help", id="a doubled slash"),
        pytest.param("/etc/hosts", "/etc/hosts", id="a path"),
    ],
)
def test_a_text_that_begins_with_a_slash_can_be_sent(tab, provider, typed, sent):
    tab.open()
    tab.ask(typed)

    assert provider.requests[0]["messages"][-1]["content"] == sent
    assert tab.said()[0] == sent


@pytest.mark.parametrize("typed", ["/sumarise", "/sumarise all of this"])
def test_what_is_no_command_can_be_sent_all_the_same(tab, provider, typed):
    tab.open()
    tab.say(typed)
    told = tab.page.locator("#problem")
    expect(told).to_contain_text("command /sumarise")
    expect(told).to_have_role("alert")
    expect(tab.field).to_have_value(typed)
    assert provider.requests == []

    told.get_by_role("button", name="Send as a message").press("Enter")
    expect(tab.answers).to_have_attribute("data-status", "done")

    assert provider.requests[0]["messages"][-1]["content"] == typed
    assert tab.said()[0] == typed
    expect(told).to_be_hidden()
    expect(tab.field).to_be_focused()
    expect(tab.field).to_have_value("")
    tab.page.reload()
    expect(tab.field).to_have_value("")


def test_other_refusals_do_not_offer_to_send_the_text(tab):
    tab.open()
    tab.say("/sumarise")
    expect(tab.page.get_by_role("button", name="Send as a message")).to_be_visible()
    tab.field.fill("/compact")
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("Enter")

    expect(tab.page.locator("#problem")).to_contain_text("in a new chat")
    expect(tab.page.locator("[data-insist]")).to_be_hidden()


def test_a_refusal_gives_the_command_back(tab):
    tab.open()
    tab.say("/compact")

    expect(tab.page.locator("#problem")).to_contain_text("in a new chat")
    expect(tab.field).to_have_value("/compact")


def test_a_list_that_comes_late_leaves_a_refusal_in_sight(tab):
    late = []

    def hold(route):
        late.append(route)

    tab.open()
    tab.page.route("**/js/completion*.js", hold)
    with tab.page.expect_request("**/js/completion*.js"):
        tab.say("/compact")
    expect(tab.page.locator("#problem")).to_be_visible()

    late[0].continue_()
    tab.page.evaluate("async address => void (await import(address))", late[0].request.url)

    expect(tab.page.locator("#problem")).to_contain_text("in a new chat")


# Summaries


def test_compact_makes_a_summary_that_the_panel_lists(two_turns, provider):
    two_turns.say("/compact")

    expect(toast(two_turns)).to_contain_text("Messages 1 to 2 summarised: ")
    expect(two_turns.panel).to_contain_text("0 in this request, 1 starting with the next message")
    assert len(two_turns.said()) == 4
    assert two_turns.api("/checkpoints")[0]["summary"] == "They spoke at length."
    line = two_turns.page.locator('.message[data-position="1"] + .summary-line')
    expect(line).to_contain_text("Messages 1 to 2 will be sent as a summary from now on")
    two_turns.page.reload()
    line.get_by_text("show it").click()
    expect(line).to_contain_text("They spoke at length.")
    two_turns.field.focus()
    two_turns.ask("question 2")
    expect(line).to_have_count(0)
    assert "They spoke at length." in provider.requests[-1]["messages"][1]["content"]


def test_the_menu_of_the_chat_summarises_and_the_line_takes_it_back(two_turns):
    two_turns.page.get_by_label("Chat menu").click()
    two_turns.page.get_by_role("button", name="Summarise earlier messages").click()
    expect(toast(two_turns)).to_contain_text("Messages 1 to 2 summarised: ")

    line = two_turns.page.locator(".summary-line")
    line.get_by_role("button", name="undo").click()

    expect(line).to_have_count(0)
    expect(two_turns.field).to_be_focused()
    expect(toast(two_turns)).to_contain_text("Summary undone. Messages 1 to 2 are sent as usual.")
    assert [point["state"] for point in two_turns.api("/checkpoints")] == ["undone"]


def test_the_menu_of_the_chat_takes_the_newest_summary_back(two_turns):
    undo = two_turns.page.locator(".chat-menu").get_by_role("button", name="Undo last summary")
    with two_turns.page.expect_response(re.compile("/checkpoints$")):
        two_turns.page.get_by_label("Chat menu").click()
    expect(two_turns.page.get_by_role("button", name="Chat settings")).to_be_visible()
    expect(undo).to_be_hidden()
    two_turns.page.keyboard.press("Escape")
    two_turns.field.focus()
    two_turns.say("/compact")
    expect(toast(two_turns)).to_contain_text("Messages 1 to 2 summarised: ")

    two_turns.page.get_by_label("Chat menu").click()
    undo.click()

    expect(toast(two_turns)).to_contain_text("Summary undone")
    assert [point["state"] for point in two_turns.api("/checkpoints")] == ["undone"]


def test_the_cut_line_offers_a_summary(tab, provider):
    provider.script(*[Reply(text=[LONG])] * 3, Reply(text=["They spoke at length."]))
    tab.open("/chat?agent=demo&historyPolicy=lastN&historyLength=1")
    for number in range(3):
        tab.ask(f"question {number}")

    tab.page.locator(".cut").get_by_role("button", name="summarise earlier messages").click()

    expect(toast(tab)).to_contain_text("Messages 1 to 4 summarised: ")
    expect(tab.field).to_have_value("")


def test_a_new_chat_offers_no_summary_until_it_has_begun(tab):
    tab.open()
    entry = tab.page.locator("[data-command='/compact']")
    tab.page.get_by_label("Chat menu").click()
    expect(tab.page.get_by_role("button", name="Chat settings")).to_be_visible()
    expect(entry).to_be_hidden()
    tab.page.keyboard.press("Escape")
    tab.field.focus()
    tab.ask("Hello")

    tab.page.get_by_label("Chat menu").click()

    expect(entry).to_be_visible()


def test_a_refused_button_leaves_the_draft_alone(tab):
    tab.open()
    tab.ask("Hello")
    tab.page.keyboard.type("Half a thought")
    tab.page.get_by_label("Chat menu").click()
    tab.page.get_by_role("button", name="Summarise earlier messages").click()

    expect(tab.page.locator("#problem")).to_contain_text("nothing to summarise")
    expect(tab.field).to_have_value("Half a thought")
