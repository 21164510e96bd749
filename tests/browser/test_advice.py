"""The inspector of a long chat gives advice: one click tries it out, and another applies it."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.browser.talks import open_talk
from tests.browser.test_accessibility import violations
from tests.patience import eventually
from tests.people import Person
from tests.running.raw_connections import warm
from tests.servers import running

SETTINGS = "UPDATE agents_agenttemplate SET history_settings = ? WHERE slug = 'demo'"
FEW_RESULTS = {"policy": "all", "tool_results_keep": 8}
TURNS = 20


@pytest.fixture(scope="module")
def offline(migrated, tmp_path_factory):
    """Run the app with the free demo model; its agent keeps few tool results, in steps of one."""
    with running(migrated, tmp_path_factory.mktemp("advised") / "data") as server:
        server.write(SETTINGS, json.dumps(FEW_RESULTS))
        warm(Person(server))
        yield server


@pytest.fixture
def advised(request, somebody, offline):
    """Open a chat with stored advice on what other settings would have cost."""
    look = getattr(request, "param", {})
    tab = Tab(somebody(**look, reduced_motion="reduce").new_page(), offline)
    questions = [f"What is {n} * 7? {'Please. ' * 40}" for n in range(TURNS)]
    open_talk(tab, *questions, query="debug=true")
    assert eventually(lambda: tab.api("/advice")["advice"]), "nothing was compared"
    tab.page.reload()
    expect(tab.panel.locator(".advice")).to_be_visible()
    return tab


@pytest.mark.daily
def test_it_is_tried_applied_and_seen_in_the_next_turn(advised):
    advice = advised.panel.get_by_role("region", name="Advice")
    expect(advice).to_contain_text("Keeping every tool result would have cost $")
    expect(advice).to_contain_text("an example, at the prices of gpt-4o")

    advice.get_by_role("button", name="Try it").click()
    rows = advice.locator(".whatif-totals").first.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_be_in_viewport()
    expect(rows.nth(1)).to_contain_text("as advised")
    for row, figure in zip(rows.all(), ("as_it_is", "variant"), strict=True):
        expect(row).to_contain_text(money(advised)[figure])

    assert violations(advised) == []

    advice.get_by_role("button", name="Apply to this chat").click()
    expect(advice).to_contain_text("Applied to this chat, starting with your next message")
    advised.page.reload()
    taken = advised.panel.locator(".taken")
    expect(taken).to_contain_text("Applied to this chat: Tool results kept in full 0 (all).")
    expect(taken.get_by_role("button", name="Undo")).to_be_in_viewport()
    expect(advised.panel.locator(".upcoming").first).to_be_visible()
    taken.get_by_role("button", name="Undo").click()
    expect(advised.panel.locator(".taken, .upcoming")).to_have_count(0)
    assert advised.api("")["history_settings"] == {}

    advice.get_by_role("button", name="Apply to this chat").click()
    expect(advice).to_contain_text("Applied to this chat, starting with your next message")
    advised.field.focus()
    advised.ask("What is 9 * 9?")

    expect(advice).to_have_count(0)  # The advice has been followed.
    expect(advised.panel.locator(".headline")).to_have_text(
        f"The model saw the whole chat: {4 * TURNS + 3} messages."
    )
    assert advised.api("")["history_settings"] == {"tool_results_keep": 0}


def test_it_is_filled_in_under_what_if(advised):
    advised.panel.get_by_role("link", name="Fill it in under What-if").click()

    what_if = advised.panel.get_by_role("region", name="What-if")
    expect(what_if).to_be_focused()
    expect(what_if.locator("[name='set.tool_results_keep']")).to_have_value("0")
    expect(what_if.locator("#what-if-result")).to_contain_text("Tokens sent")


def money(tab):
    """Return the two sums in the advice: what the chat cost, and what it would have cost."""
    now, was = (
        text.split()[0] for text in tab.panel.locator(".advice p").first.inner_text().split("$")[1:]
    )
    return {"as_it_is": f"${was}", "variant": f"${now}"}


@pytest.mark.parametrize("advised", [{**PHONE, "color_scheme": "dark"}], indirect=True)
def test_it_is_in_nobodys_way_and_what_the_environment_decides_is_not_offered(advised, offline):
    advised.panel.get_by_role("button", name="Try it").click()
    expect(advised.panel.locator(".whatif-totals").first).to_be_in_viewport()
    assert violations(advised) == []

    offline.terminate()
    offline.environment = {
        "HISTORY_TOOL_RESULTS_KEEP": "8",
        "HISTORY_RESULTS_STRIDE": "1",
        "HISTORY_PREFIX": "free",
    }
    offline.start()
    advised.page.reload()

    expect(advised.panel.locator(".headline")).to_be_visible()
    expect(advised.panel.locator(".advice")).to_have_count(0)
    assert advised.api("/advice")["advice"]["offer"] is None
