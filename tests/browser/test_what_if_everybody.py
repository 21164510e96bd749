"""An administrator applies tried settings for everybody by keyboard, confirms and undoes it."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, Tab
from tests.browser.test_accessibility import violations
from tests.provider import Reply

OPENER = "[data-everybody]"
LINES = """button => {
    const words = document.createRange();
    words.selectNodeContents(button);
    return words.getClientRects().length;
}"""


@pytest.fixture
def tab(somebody, served, boss, provider):
    """Open an administrator's tab, in whose panel 7 turns are being tried."""
    tab = Tab(somebody(reduced_motion="reduce").new_page(), served)
    tab.page.goto(f"{served.url}/login?next=/chat%3Fagent=demo%26debug=true")
    tab.page.get_by_label("Name").fill(boss)
    tab.page.get_by_label("Password", exact=True).fill(PASSWORD)
    tab.page.keyboard.press("Enter")
    expect(tab.field).to_be_focused()
    provider.script(Reply(text=["Yes."]), Reply(text=["No."]))
    tab.ask("One?")
    tab.page.reload()
    length = tab.panel.locator("[name='set.length']")
    length.fill("7")
    expect(tab.panel.locator(OPENER)).to_be_visible()
    before = settings(tab)
    yield tab
    restore = "UPDATE agents_agenttemplate SET history_settings = ? WHERE slug = 'demo'"
    served.write(restore, json.dumps(before))


@pytest.fixture
def dialog(tab):
    return tab.page.locator("#everybody-dialog")


def settings(tab):
    query = "SELECT CAST(history_settings AS text) FROM agents_agenttemplate WHERE slug = 'demo'"
    return json.loads(tab.server.rows(query)[0][0])


def test_one_is_asked_first_and_may_leave_it(tab, dialog):
    before = settings(tab)
    tab.panel.locator(OPENER).press("Enter")
    expect(dialog).to_contain_text("Change Demo for everyone?")
    expect(dialog).to_contain_text("Applies to chats with Demo:")
    expect(dialog.locator("dd")).to_have_text(["20 →becomes 7", "10 →becomes 1"])
    assert tab.page.evaluate("document.activeElement.textContent") == "Cancel"

    tab.page.keyboard.press("Escape")

    expect(dialog).to_be_hidden()
    assert tab.has_focus(OPENER)
    assert settings(tab) == before


def test_a_try_for_everybody_is_applied_and_undone_by_keyboard(tab, dialog):
    before = settings(tab)
    tab.panel.locator(OPENER).press("Enter")
    expect(dialog).to_be_visible()
    tab.page.keyboard.press("Tab")
    tab.page.keyboard.press("Enter")
    undo = tab.panel.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    expect(dialog).to_be_hidden()
    assert settings(tab) != before
    assert undo.evaluate(LINES) == 1

    tab.page.keyboard.press("Enter")

    done = tab.panel.locator(".whatif-done")
    expect(done).to_contain_text("Undone. Demo is back to its previous settings.")
    expect(done).to_be_focused()
    assert settings(tab) == before


def test_undo_is_refused_where_somebody_else_was_quicker(tab, dialog):
    tab.panel.locator(OPENER).press("Enter")
    dialog.get_by_role("button", name="Apply to every chat").click()
    undo = tab.panel.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    after = settings(tab)
    tab.server.write("UPDATE agents_agenttemplate SET version = version + 1 WHERE slug = 'demo'")

    undo.press("Enter")

    expect(tab.panel).to_contain_text("Demo was changed in the meantime. Nothing was saved.")
    assert settings(tab) == after


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_axe_finds_nothing(tab, dialog, width, scheme):
    tab.page.emulate_media(color_scheme=scheme)
    tab.page.set_viewport_size({"width": width, "height": 900})
    tab.panel.locator(OPENER).click()
    expect(dialog).to_be_visible()

    assert violations(tab) == []
