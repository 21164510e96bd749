"""The list shows which chats have a new answer, until somebody looks, or wait for a person."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import words
from tests.browser.test_accessibility import settled, violations
from tests.browser.test_approvals import ask, note
from tests.browser.test_moves import new_chat, show
from tests.provider import Reply

TITLE = "Count slowly"


def sign(tab, title=TITLE):
    return tab.entry(title).get_by_role("img", name="New answer")


@pytest.fixture
def counting(provider):
    """Make the next answer stop in the middle, until it is released."""
    provider.script(Reply(text=words(0, 40), hang_after=20))


def begin(tab):
    tab.open()
    tab.say(TITLE)
    expect(tab.answers).to_contain_text("w19")


@pytest.mark.daily
def test_an_answer_that_ended_behind_ones_back_has_a_sign_until_its_chat_is_opened(
    tab, provider, counting
):
    other = tab.another("/chat?agent=demo")
    tab.page.bring_to_front()
    begin(tab)
    new_chat(tab)
    provider.release()
    for one in (tab, other):
        expect(sign(one)).to_be_visible()
        link = one.entry(TITLE).get_by_role("link")
        expect(link).to_have_accessible_description("New answer")
    for scheme in ("light", "dark"):
        settled(tab, scheme)
        assert violations(tab) == []
    tab.page.reload()
    expect(sign(tab)).to_be_visible()

    show(tab, TITLE)

    for one in (tab, other):
        expect(sign(one)).to_have_count(0)
    tab.page.reload()
    expect(tab.entry(TITLE)).to_be_visible()
    expect(sign(tab)).to_have_count(0)


def test_an_answer_that_ends_before_ones_eyes_is_no_news(tab, provider, counting):
    begin(tab)
    provider.release()
    expect(tab.answers).to_contain_text("w39")
    new_chat(tab)
    tab.page.reload()

    expect(tab.entry(TITLE)).to_be_visible()
    expect(sign(tab)).to_have_count(0)


def test_on_a_phone_the_button_of_the_list_has_the_sign_of_other_chats(tab, provider, counting):
    dot = "e => getComputedStyle(e, '::after').content !== 'none'"
    tab.page.set_viewport_size({"width": 390, "height": 700})
    begin(tab)
    button = tab.page.get_by_role("button", name="Open the sidebar")
    other = tab.another("/chat?agent=demo")
    turn(tab, "hidden")
    provider.release()
    for one in (tab, other):
        expect(one.page.locator(".chat-entry .new-answer")).to_be_attached()

    assert not button.evaluate(dot)  # It is the open chat.
    assert other.page.locator(".open-sidebar").evaluate(dot)
    turn(tab, "visible")
    expect(sign(other)).to_have_count(0)
    assert not other.page.locator(".open-sidebar").evaluate(dot)


def test_a_chat_that_waits_for_approval_says_so_while_another_one_is_shown(tab, provider):
    ask(tab, provider, note("Ada", "a"))
    new_chat(tab)
    waits = tab.entry("Go").get_by_text("Waits for you")

    expect(waits).to_be_visible()
    link = tab.entry("Go").get_by_role("link")
    expect(link).to_have_accessible_description("Waits for you")
    for scheme in ("light", "dark"):
        settled(tab, scheme)
        assert violations(tab) == []
    tab.page.reload()
    expect(waits).to_be_visible()
    show(tab, "Go")
    tab.page.locator("[data-decide=refuse]").click()

    expect(waits).to_have_count(0)


def turn(tab, state):
    """Put the tab at the back or to the front, as its page is told."""
    define = (
        "Object.defineProperty(document, 'visibilityState', {value: state, configurable: true})"
    )
    tell = "document.dispatchEvent(new Event('visibilitychange'))"
    tab.page.evaluate(f"state => {{ {define}; {tell}; }}", state)


def test_a_tab_at_the_back_has_seen_nothing_until_it_is_looked_at(tab, provider, counting):
    begin(tab)
    other = tab.another("/chat?agent=demo")
    turn(tab, "hidden")
    provider.release()
    expect(tab.answers).to_contain_text("w39")
    for one in (tab, other):
        expect(sign(one)).to_be_visible()

    turn(tab, "visible")

    for one in (tab, other):
        expect(sign(one)).to_have_count(0)
