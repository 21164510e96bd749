"""Until they send a message, people without an account leave no trace in the database."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD
from tests.provider import Reply
from tests.servers import manage

MAKE = f"""from django.contrib.auth.models import User
User.objects.create_user("returner", password="{PASSWORD}")"""


def sessions(served) -> set[str]:
    return {key for (key,) in served.rows("SELECT session_key FROM django_session")}


@pytest.mark.daily
def test_the_first_message_makes_the_session(tab, served, provider):
    before = sessions(served)
    tab.open()
    second = tab.another("/chat?agent=demo")
    assert sessions(served) <= before
    tab.page.bring_to_front()

    provider.script(Reply(text=["Good ", "day"]))
    tab.ask("Hello")
    assert len(sessions(served) - before) == 1
    expect(tab.page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}"))
    tab.page.reload()
    expect(tab.answers).to_contain_text("Good day")

    second.page.bring_to_front()
    second.ask("And from here")
    assert len(sessions(served) - before) == 1
    expect(second.entry("Hello")).to_be_visible()


def test_signing_in_leads_back_to_the_chat_that_has_just_begun(tab, served):
    manage(served.folder, "shell", "-c", MAKE)
    tab.open("/chat?agent=demo")
    tab.ask("Hello")
    expect(tab.page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}"))
    address = tab.page.url

    tab.page.get_by_role("link", name="Sign in").first.click()
    expect(tab.page).to_have_url(re.compile("/login"))
    tab.page.locator("[name=username]").fill("returner")
    tab.page.locator("[name=password]").fill(PASSWORD)
    tab.page.keyboard.press("Enter")

    expect(tab.page).to_have_url(address)
    expect(tab.answers.last).to_have_attribute("data-status", "done")
