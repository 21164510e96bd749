"""The inspector's frame says that it is on its way, unless it is there at once."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import violations

SAYS = "e => getComputedStyle(e, '::before')"
IS_SAID = f"() => ({SAYS})(document.getElementById('panel')).visibility === 'visible'"


@pytest.mark.parametrize("late", ["**/chat/panel?*", "**/inspector*.css"], ids=["text", "looks"])
def test_a_slow_inspector_says_that_it_is_loading(tab, late):
    held = []

    def hold(route):
        held.append(route)

    tab.page.route(late, hold)
    tab.open()

    tab.page.get_by_role("button", name="Inspector", exact=True).click()

    expect(tab.panel).to_have_attribute("aria-busy", "true")
    tab.page.wait_for_function(IS_SAID)
    assert tab.panel.evaluate(f"e => ({SAYS})(e).content") == '"Loading…"'
    assert tab.panel.evaluate(f"e => ({SAYS})(e).animation").startswith("0.2s")
    assert violations(tab) == []
    assert held
    for route in held:
        route.continue_()
    expect(tab.panel).to_have_attribute("aria-busy", "false")
    assert tab.panel.evaluate(f"e => ({SAYS})(e).content") == "none"
