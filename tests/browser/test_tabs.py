"""Two tabs of one person show the same."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import words
from tests.provider import Reply
from tests.servers import manage


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
    provider.script(Reply(text=words(0, 40), hang_after=20))
    tab.say("Count")
    expect(tab.answers.nth(0)).to_contain_text("w19")
    other = tab.another(tab.path)
    expect(other.answers.nth(0)).to_contain_text("w19")

    tab.page.bring_to_front()
    tab.entry("Count").hover()
    tab.entry("Count").locator("summary").click()
    tab.entry("Count").locator("[data-delete]").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Delete").click()

    for one in (tab, other):
        expect(one.page).to_have_url(f"{one.server.url}/chat")
        expect(one.answers).to_have_count(0)
        expect(one.page.locator("#text")).to_be_editable()
    assert provider.closed.wait(30)


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
    tab.page.route("**/chats*", lambda route: route.fulfill(status=204))  # It would begin another.
    tab.open()
    tab.ask("one")
    tab.page.context.clear_cookies()
    tab.server.write("DELETE FROM django_session")

    tab.say("two")

    expect(tab.page.locator("#connection")).to_have_text(
        "You're signed out. Reload the page to continue. Reload", use_inner_text=True
    )
    expect(tab.page.locator(".send-state")).to_have_text("Not sent.")
