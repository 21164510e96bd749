"""A tab whose person signed out in another tab sends nothing under another name, and says so."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, words
from tests.provider import Reply
from tests.servers import manage

MAKE = f"""from django.contrib.auth.models import User
for name in ("bob", "stan"): User.objects.create_user(name, password="{PASSWORD}")"""
WAKE = "document.dispatchEvent(new Event('visibilitychange'))"


@pytest.fixture(scope="module")
def people(served):
    manage(served.folder, "shell", "-c", MAKE)


def sign_in(page, server, name):
    page.goto(f"{server.url}/login?next=/chat%3Fagent=demo")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".account .name")).to_have_text(name)


def sign_out(page):
    page.locator("summary.account").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("form[action='/logout']")).to_have_count(0)


@pytest.fixture
def hidden_chats(complaints):
    """Ignore logged 404 errors: after signing out, a person's own chat is not found."""
    yield
    complaints[:] = [text for text in complaints if "404 (Not Found)" not in text]


@pytest.fixture
def bob(tab, people):
    """Sign bob in, and return his tab."""
    sign_in(tab.page, tab.server, "bob")
    expect(tab.field).to_be_focused()
    return tab


@pytest.fixture
def signed_out(bob):
    """Return a function that signs bob out in another tab, and returns the other tab."""

    def signed_out():
        other = bob.another("/chat?agent=demo")
        sign_out(other.page)
        bob.page.bring_to_front()
        expect(notice(bob)).to_contain_text("You're signed out.")
        return other

    return signed_out


def notice(tab):
    return tab.page.locator("#connection")


@pytest.mark.usefixtures("hidden_chats")
def test_a_tab_never_speaks_for_who_signs_in_next(bob, signed_out, served):
    bob.ask("The secret of bob")
    other = signed_out()
    bob.say("Sent by bob to nobody")
    expect(bob.page.locator(".send-state")).to_have_text("Not sent.")
    bob.page.evaluate(WAKE)
    expect(notice(bob)).to_contain_text("You're signed out.")
    expect(bob.page.locator(".send-state")).to_have_text("Not sent.")

    sign_in(other.page, served, "stan")
    bob.page.bring_to_front()
    bob.page.evaluate(WAKE)

    expect(bob.page.get_by_text("The secret of bob")).to_have_count(0)
    bob.open()
    expect(bob.page.locator(".account .name")).to_have_text("stan")
    expect(bob.field).to_have_value("")
    assert "Sent by bob to nobody" not in str(served.rows("SELECT * FROM history_message"))


def test_drafts_are_kept_for_each_person(bob, served):
    bob.page.keyboard.type("A draft of bob")
    sign_out(bob.page)
    sign_in(bob.page, served, "stan")
    expect(bob.field).to_have_value("")
    bob.page.keyboard.type("A draft of stan")

    sign_out(bob.page)
    sign_in(bob.page, served, "bob")

    expect(bob.field).to_have_value("A draft of bob")


@pytest.mark.daily
def test_what_was_written_before_signing_in_is_still_there(tab, people, served):
    tab.open()
    tab.ask("one")
    tab.open()
    tab.page.keyboard.type("Begun without an account")

    sign_in(tab.page, served, "bob")

    expect(tab.field).to_have_value("Begun without an account")


def test_what_a_visitor_wrote_is_not_shown_to_who_signs_in_next(tab, people, served):
    tab.open()
    tab.ask("one")
    tab.open()
    tab.page.keyboard.type("Begun by bob without an account")
    tab.page.goto(f"{served.url}/login")  # This page has no socket, so it gets no news.
    other = tab.page.context.new_page()
    sign_in(other, served, "bob")
    sign_out(other)
    sign_in(other, served, "stan")

    tab.page.bring_to_front()
    tab.open()

    expect(tab.field).to_have_value("")


@pytest.mark.usefixtures("hidden_chats")
def test_a_tab_signed_out_during_an_answer_waits_for_nothing(bob, signed_out, provider):
    provider.script(Reply(text=words(0, 40), hang_after=20))
    bob.say("Count")
    expect(bob.answers).to_contain_text("w19")

    signed_out()

    expect(bob.page.locator(".stop")).to_be_hidden()
    expect(bob.page.locator("#status")).to_have_text("")
    expect(bob.page.locator(".answer .tail")).to_have_count(0)
    expect(bob.answers).to_contain_text("w19")
    bob.say("And then?")
    expect(bob.page.locator(".send-state")).to_have_text("Not sent.")
    with bob.page.expect_navigation():
        notice(bob).get_by_role("button", name="Reload").click()


def test_a_tab_that_is_signed_out_says_so_in_its_next_chat_too(bob, signed_out):
    bob.ask("one")
    signed_out()

    bob.page.get_by_role("link", name="New chat").first.click()
    expect(bob.page.locator(".message")).to_have_count(0)

    expect(notice(bob)).to_contain_text("You're signed out.")
    bob.say("two")
    expect(bob.page.locator(".send-state")).to_have_text("Not sent.")


def test_a_tab_goes_on_when_the_same_person_is_back(bob, signed_out, served):
    bob.ask("one")
    other = signed_out()
    bob.say("two")
    expect(bob.page.locator(".send-state")).to_have_text("Not sent.")

    sign_in(other.page, served, "bob")
    bob.page.bring_to_front()
    bob.page.evaluate(WAKE)

    expect(notice(bob)).to_be_hidden()
    expect(bob.field).to_have_value("two")
    bob.page.keyboard.press("End")
    bob.ask("!")
    assert bob.said() == ["one", "reply 1", "two!", "reply 2"]
