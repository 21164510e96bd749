"""Each message's verdict is shown in the chat and in the panel by letter, word and sentence."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab, squeezed
from tests.browser.test_accessibility import LOOKS, violations
from tests.provider import Call, Reply

FOUND = "1234567 * 7654321"
PUT = """async ([path, kind]) => {
  const { "X-CSRFToken": token } = JSON.parse(
    document.body.getAttribute("hx-headers:inherited"));
  const headers = { "X-CSRFToken": token, "Content-Type": "application/json" };
  const options = { method: "PUT", headers, body: JSON.stringify({ kind }) };
  return (await fetch(path, options)).status;
}"""


def mark(tab, position, kind):
    (message,) = [m for m in tab.api("/messages")["messages"] if m["position"] == position]
    path = f"/api/conversations/{tab.conversation}/messages/{message['id']}/mark"
    assert tab.page.evaluate(PUT, [path, kind]) == 200


def configure(tab, **values):
    tab.say("/config")
    dialog = tab.page.locator("#config-dialog")
    dialog.locator(".memory-more > summary").first.click()
    for name, value in values.items():
        dialog.locator(f"[name={name}]").fill(value)
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()


def talk(tab, provider):
    """Hold five turns, two with a tool; then change settings, mark two messages, and ask again."""
    call = Reply(calls=[Call("calculator", f'{{"expression": "{FOUND}"}}')], finish="tool_calls")
    provider.script(Reply(text=["Yes."]), call, Reply(text=["One."]), call, Reply(text=["Two."]))
    for text in ("Ready?", f"{FOUND}?", f"And again {FOUND}?", "Thanks", "So far so good"):
        tab.ask(text)
    configure(tab, length="5", tool_results_keep="1")
    mark(tab, 0, "pin")
    mark(tab, 11, "exclusion")
    tab.ask("And now?")


def test_the_line_and_the_map_tell_of_every_change(tab, provider):
    tab.open("/chat?agent=demo&debug=true")
    talk(tab, provider)
    expect(tab.panel).to_contain_text("Turn 6 of 6")

    line = squeezed(tab.page.locator(".cut").inner_text())
    assert line == (
        "2 messages are left out: 1 earlier (this chat sends the last 5 turns) and 1 by hand. "
        "1 pinned message is sent anyway; "
        "1 message is replaced by a placeholder. "
        "· why? · summarise earlier messages"
    )
    rows = {
        row.get_attribute("data-position"): " ".join(row.locator("td span").all_inner_texts()[:2])
        for row in tab.panel.locator(".row[data-position]").all()
    }
    told = {place: rows[place] for place in ("0", "1", "4", "8", "11")}
    assert told == {
        "0": "K kept",
        "1": "T trimmed",
        "4": "P placeholder",
        "8": "K kept",
        "11": "X excluded",
    }
    assert "Pinned" in tab.panel.locator('.row[data-position="0"]').inner_text()
    expect(tab.panel.locator(".budget").first).to_have_text(
        re.compile(r"^History: [\d,]+ of [\d,]+ tokens, plus \d+ for pinned and system messages")
    )


def test_settings_that_nobody_set_open_on_request(tab):
    tab.open("/chat?agent=demo&debug=true&historyLength=5")
    tab.ask("Hello")
    fold = tab.panel.get_by_text("Settings left at their defaults")

    expect(tab.panel.get_by_role("rowheader", name="History length")).to_be_visible()
    expect(tab.panel.get_by_role("rowheader", name="Token budget step")).to_be_hidden()
    fold.click()

    expect(tab.panel.get_by_role("rowheader", name="Token budget step")).to_be_visible()
    expect(tab.panel.get_by_role("rowheader", name="Cache", exact=True)).to_have_count(2)


@pytest.mark.parametrize("look", LOOKS)
def test_nobody_is_kept_out_of_what_the_panel_shows(somebody, served, provider, look):
    tab = Tab(somebody(**look, reduced_motion="reduce").new_page(), served)
    tab.page.goto(tab.server.url + "/chat?agent=demo")
    tab.field.focus()
    talk(tab, provider)
    tab.page.get_by_role("button", name="Inspector", exact=True).click()
    expect(tab.panel).to_contain_text("Turn 6 of 6")

    assert violations(tab) == []
