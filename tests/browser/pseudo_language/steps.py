"""Steps for tests of the pseudo-language: the texts that people write, and the pages they open."""

import json

from playwright.sync_api import expect

from tests.browser.tab import PASSWORD
from tests.provider import Call
from tests.servers import ROOT

DOCUMENTS = sorted(page.stem for page in (ROOT / "docs").glob("*.md"))
QUESTION, ANSWER = "今何時ですか", "八時です。"
USAGE = {"prompt_tokens": 900, "completion_tokens": 20}
CLOCK = Call("current_time", id="clock1")
NOTE = Call("send_note", json.dumps({"to": "花子", "text": "八時に"}), id="note1")
TRANSFER = Call("transfer_to_accountant1", '{"reason": "計算"}', id="t1")


def begin(tab, query="agent=demo1"):
    tab.page.goto(f"{tab.server.url}/chat?{query}")
    expect(tab.field).to_be_focused()


def sign_in(tab, name, path="/chat?agent=demo1"):
    tab.page.goto(f"{tab.server.url}/login?next={path}")
    tab.page.locator("[name=username]").fill(name)
    tab.page.locator("[name=password]").fill(PASSWORD)
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(lambda url: "/login" not in url)


def expect_end(tab, status):
    expect(tab.answers.last).to_have_attribute("data-status", status)


def settled(tab):
    """Wait until the open page has loaded completely, and return it."""
    tab.page.wait_for_load_state("networkidle")
    return tab.page


def entered(tab):
    """Submit the form with Enter; return the page that follows, once it has loaded."""
    with tab.page.expect_navigation():
        tab.page.keyboard.press("Enter")
    return settled(tab)


def command(tab, text, answer):
    """Enter a command, wait until older answers disappear, and then until its answer is shown."""
    tab.field.fill(text)
    expect(tab.page.locator(answer)).to_be_hidden()
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(answer)).to_be_visible()
