"""Two tabs of one person always show the same content."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import words
from tests.browser.test_accessibility import violations
from tests.patience import PATIENCE
from tests.provider import Reply
from tests.servers import manage


@pytest.mark.daily
def test_a_message_typed_in_one_tab_streams_in_the_other(tab, provider):
    tab.open()
    tab.ask("Hello")
    other = tab.another(tab.path)
    provider.script(Reply(text=words(0, 40), hang_after=20))

    tab.page.bring_to_front()
    tab.say("Count")

    expect(other.answers.nth(1)).to_contain_text("w19")
    assert other.said()[:3] == ["Hello", "reply 1", "Count"]
    provider.release()
    for one in (tab, other):
        expect(one.answers.nth(1)).to_have_attribute("data-status", "done")
        assert one.said()[3] == "".join(words(0, 40)).strip()
    assert len(provider.requests) == 2


def test_each_tab_goes_on_from_what_the_other_said(tab, provider):
    tab.open()
    tab.ask("one")
    other = tab.another(tab.path)
    other.ask("two")
    expect(tab.answers).to_have_count(2)
    expect(tab.answers.nth(1)).to_have_attribute("data-status", "done")

    tab.page.bring_to_front()
    tab.ask("three")

    expect(other.answers).to_have_count(3)
    assert tab.said() == ["one", "reply 1", "two", "reply 2", "three", "reply 3"]


def test_a_chat_begun_in_one_tab_is_listed_in_the_other(tab):
    tab.open()
    other = tab.another("/chat?agent=demo")

    tab.page.bring_to_front()
    tab.ask("A chat about lighthouses")

    expect(other.entry("A chat about lighthouses")).to_be_visible()


def test_a_chat_deleted_in_one_tab_is_left_in_the_other(tab, provider):
    tab.open()
    title = "Count " + "slowly " * 12
    provider.script(Reply(text=words(0, 40), hang_after=20))
    tab.say(title)
    expect(tab.answers.nth(0)).to_contain_text("w19")
    other = tab.another(tab.path)
    expect(other.answers.nth(0)).to_contain_text("w19")

    tab.page.bring_to_front()
    tab.entry("Count").hover()
    tab.entry("Count").locator("summary").click()
    tab.entry("Count").locator("[data-shelve=delete]").click()

    for one in (tab, other):
        expect(one.page).to_have_url(f"{one.server.url}/chat")
        expect(one.answers).to_have_count(0)
        expect(one.page.locator("#text")).to_be_editable()
    short = f"“{title[:48].strip()}…”"
    expect(tab.page.locator(".toast .sentence")).to_have_text(f"Deleted {short}.")
    expect(other.page.locator(".toast .sentence")).to_have_text(
        f"{short} was deleted in another tab or on another device. This is a new chat."
    )
    assert provider.closed.wait(PATIENCE)


@pytest.fixture(scope="module")
def ada(served):
    password = "correct horse"
    manage(
        served.folder,
        *("createsuperuser", "--no-input", "--username", "ada", "--email", "ada@example.org"),
        DJANGO_SUPERUSER_PASSWORD=password,
    )
    return "ada", password


def test_a_tab_goes_on_after_signing_in_in_another_one(tab, ada):
    tab.open()
    tab.ask("one")
    other = tab.page.context.new_page()
    other.goto(f"{tab.server.url}/login")
    for field, value in zip(("username", "password"), ada, strict=True):
        other.locator(f"[name={field}]").fill(value)
    other.keyboard.press("Enter")
    expect(other.locator("#text")).to_be_focused()

    tab.page.bring_to_front()
    tab.ask("two")

    assert tab.said() == ["one", "reply 1", "two", "reply 2"]
    expect(tab.page.locator("#connection")).to_be_hidden()
    expect(tab.entry("one")).to_be_visible()


def test_a_tab_without_a_session_says_so_and_keeps_the_draft(tab):
    tab.page.route("**/chats*", lambda route: route.fulfill(status=204))  # This begins a session.
    tab.open()
    tab.ask("one")
    tab.page.context.clear_cookies()
    tab.server.write("DELETE FROM django_session")

    tab.say("two")

    expect(tab.page.locator("#connection")).to_have_text(
        "You're signed out. Reload the page to continue. Reload", use_inner_text=True
    )
    expect(tab.page.locator(".send-state")).to_have_text("Not sent.")


@pytest.fixture
def counting(tab, provider):
    """Open a tab whose answer stays unfinished until the provider is released."""
    tab.open()
    provider.script(*[Reply(text=words(0, 40), hang_after=20)] * 2)
    tab.say("Count")
    expect(tab.answers.first).to_contain_text("w19")
    return tab


def waiting_in(tab):
    return tab.page.get_by_role("group", name="Waiting message")


def test_a_message_sent_while_an_answer_is_written_waits_and_can_be_edited(counting):
    waiting = waiting_in(counting)
    counting.say("First draft")
    expect(waiting).to_contain_text("Sent when this answer is done")
    expect(counting.field).to_have_value("")
    counting.answers.first.click()
    expect(waiting).to_contain_text("First draft")

    waiting.get_by_role("button", name="Edit").click()
    expect(counting.field).to_have_value("First draft")
    expect(waiting).to_be_hidden()


def test_a_message_that_waited_for_an_answer_that_was_stopped_is_sent_when_asked(counting):
    waiting = waiting_in(counting)
    counting.say("Count again")
    expect(waiting).to_contain_text("Count again")
    counting.page.keyboard.press("Escape")
    expect(waiting).to_contain_text("The answer didn't finish, so this is still waiting")
    assert violations(counting) == []

    waiting.get_by_role("button", name="Send now").click()
    expect(waiting).to_be_hidden()
    expect(counting.answers.nth(1)).to_contain_text("w19")


def test_a_message_waits_in_every_tab_and_is_sent_without_the_one_it_is_from(counting, provider):
    counting.say("And then?")
    expect(waiting_in(counting)).to_contain_text("And then?")
    counting.page.reload()
    expect(waiting_in(counting)).to_contain_text("And then?")
    other = counting.another(counting.path)
    elsewhere = waiting_in(other)
    expect(elsewhere).to_contain_text("And then?")
    counting.page.close()
    provider.release()

    expect(other.answers.nth(1)).to_have_attribute("data-status", "done")

    assert other.said()[::2] == ["Count", "And then?"]
    expect(elsewhere).to_be_hidden()


def test_each_tab_has_its_draft_and_a_closed_one_leaves_it_to_the_next(tab):
    tab.open()
    tab.ask("Hello")
    path = tab.path
    tab.page.keyboard.type("From one")
    other = tab.another(path)
    expect(other.field).to_have_value("")
    other.page.keyboard.type("From another")
    tab.page.bring_to_front()
    tab.page.reload()
    expect(tab.field).to_have_value("From one")
    other.page.reload()
    expect(other.field).to_have_value("From another")

    tab.page.goto("about:blank")
    third = other.another(path)
    expect(third.field).to_have_value("From one")
    expect(other.field).to_have_value("From another")
    third.field.fill("")
    third.page.goto("about:blank")
    other.page.goto("about:blank")
    fourth = tab.another(path)
    expect(fourth.field).to_have_value("From another")
    fourth.ask("")
    fourth.page.goto("about:blank")
    expect(tab.another(path).field).to_have_value("")
