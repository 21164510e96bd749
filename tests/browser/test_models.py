"""People choose a chat's model by keyboard, before and after its first message."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, WIDTH
from tests.browser.test_accessibility import violations

ALLOWED = "UPDATE agents_agenttemplate SET allowed_models = ? WHERE slug = 'demo'"
WIDE = {"width": 1280, "height": 720}
OWN, OTHER, THIRD = "openai/fake", "openai/other", "openai/third"


@pytest.fixture
def choice(served, tab):
    served.write(ALLOWED, json.dumps([OTHER, THIRD]))
    yield tab.page.locator("#composer").get_by_role("combobox", name="Model", exact=True)
    served.write(ALLOWED, "[]")


@pytest.mark.daily
def test_a_chat_uses_the_model_that_is_chosen_and_the_panel_says_why(tab, choice, provider):
    tab.open("/chat?agent=demo&debug=true")
    expect(choice).to_have_value(OWN)
    assert violations(tab) == []
    tab.page.set_viewport_size(PHONE["viewport"])
    assert tab.field.bounding_box()["width"] > 0.8 * WIDTH
    tab.page.set_viewport_size(WIDE)

    choice.select_option(OTHER)
    tab.field.focus()
    tab.ask("Hello")
    expect(tab.panel).to_contain_text(f"Model {OTHER}: chosen in this chat.")
    with tab.page.expect_response(lambda answer: answer.url.endswith("/model")):
        choice.focus()
        tab.page.keyboard.press("ArrowDown")
    with tab.another_answer():
        tab.page.get_by_role("button", name="Retry").click()

    expect(tab.panel).to_contain_text(f"Model {THIRD}: chosen in this chat.")
    assert [body["model"] for body in provider.requests] == ["other", "third"]
    assert tab.api("")["model"] == THIRD
    tab.page.reload()
    expect(choice).to_have_value(THIRD)


def test_an_agent_with_one_model_has_no_choice(tab):
    tab.open()

    expect(tab.page.locator(".model-choice")).to_have_count(0)
