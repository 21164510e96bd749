"""An administrator changes a template while somebody chats with it."""

import json
import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, squeezed
from tests.browser.test_accessibility import violations
from tests.patience import PATIENCE, eventually
from tests.provider import Reply

MODELS = json.dumps({"data": [{"id": f"model-{number}"} for number in range(90)]})


@pytest.fixture
def administration(somebody, served, boss):
    """Sign in with the form, and open the admin's list of templates."""
    page = somebody().new_page()
    page.goto(f"{served.url}/login?next=/admin/agents/agenttemplate/")
    page.get_by_label("Name").fill(boss)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Agent templates", exact=True)).to_be_visible()
    return page


def set_length(page, agent, length):
    page.get_by_role("link", name=agent, exact=True).click()
    page.get_by_label("History length", exact=True).fill(length)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist .success")).to_contain_text(agent)


def user_texts(request):
    return [m["content"] for m in request["messages"] if m["role"] == "user"]


@pytest.mark.daily
def test_the_next_turn_of_an_open_chat_uses_the_new_length(tab, administration, provider):
    tab.open("/chat?agent=goldfish&debug=true")
    tab.ask("one")
    tab.ask("two")
    expect(tab.panel).to_contain_text("agent goldfish v1")

    set_length(administration, "Goldfish", "1")
    tab.ask("three")

    assert user_texts(provider.requests[1]) == ["one", "two"]
    assert user_texts(provider.requests[2]) == ["three"]
    expect(tab.panel.locator(".inspector-who")).to_contain_text("agent goldfish v2")
    length = tab.panel.locator(".cascade .winner").nth(1)
    assert squeezed(length.inner_text()) == "History length 1 ◀ agent goldfish v2"
    assert len(tab.said()) == 6


@pytest.fixture
def goldfish(administration):
    """Open an agent's form on a large screen."""
    administration.set_viewport_size({"width": 1440, "height": 900})
    administration.get_by_role("link", name="Goldfish", exact=True).click()
    expect(administration.locator(".preview-state")).to_have_text("As saved")
    return administration


def faults_of_access(page):
    """Return axe-core's findings in the light and in the dark scheme."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += violations(SimpleNamespace(page=page))
    return found


def turns(page):
    return page.get_by_label("History length", exact=True)


def press(page, button):
    page.get_by_role("button", name=button, exact=True).first.press("Enter")


def test_the_list_of_agents_can_be_read_by_everybody(administration):
    assert faults_of_access(administration) == []


def test_a_form_is_short_at_first_and_its_preview_follows_what_is_typed(goldfish):
    preview = goldfish.get_by_role("complementary", name="What this comes to")
    fields = goldfish.locator("form .form-row:visible :is(input, textarea, select):visible")

    assert goldfish.evaluate("document.documentElement.scrollHeight") < 1_200
    assert fields.count() <= 9
    turns(goldfish).fill("5")
    expect(preview).to_contain_text("Remembers the last 5 turns.")
    expect(preview.locator(".preview-state")).to_have_text("As typed, not saved yet")
    expect(preview.locator(".preview-saved")).to_have_text(re.compile(r"As saved:\s+Remembers"))
    turns(goldfish).fill("-5")
    expect(preview).to_contain_text("History length: Must be a whole number from 0 to 10,000.")
    goldfish.get_by_label("Only the new message").check()
    expect(turns(goldfish)).to_be_hidden()


def test_what_is_wrong_is_listed_and_leads_to_its_field(goldfish):
    turns(goldfish).fill("-5")
    press(goldfish, "Save")

    expect(goldfish.locator(".faults")).to_be_focused()
    goldfish.locator(".faults").get_by_role("link", name="History length").press("Enter")
    expect(turns(goldfish)).to_be_focused()
    expect(goldfish.locator("[data-part][aria-busy=true]")).to_have_count(0)  # None is pale.
    assert faults_of_access(goldfish) == []
    turns(goldfish).fill("4")
    press(goldfish, "Save")
    expect(goldfish.locator(".messagelist .success")).to_be_visible()


def test_processors_are_added_moved_and_removed_by_keyboard_alone(goldfish):
    fold = goldfish.locator("summary", has_text="Memory: processors")
    expect(fold).to_contain_text("defaults")
    fold.press("Enter")
    for name, typed in (("Remove tool calls", "recall"), ("Limit the tokens", "900")):
        press(goldfish, name)
        goldfish.keyboard.type(typed)  # The new row has focus.
    goldfish.get_by_role("button", name="Move up").last.press("Enter")
    rows = goldfish.locator("[data-row] strong")
    expect(rows).to_have_text(["Limit the tokens", "Remove tool calls"])
    expect(fold).to_contain_text("Set: Processors")

    press(goldfish, "Save and continue editing")
    expect(goldfish.locator(".messagelist .success")).to_be_visible()
    fold.press("Enter")
    assert goldfish.get_by_label("Tokens", exact=True).input_value() == "900"
    assert goldfish.get_by_label("Only calls of these tools").input_value() == "recall"
    press(goldfish, "Remove")
    press(goldfish, "Remove")
    press(goldfish, "Save")
    expect(goldfish.locator(".messagelist .success")).to_be_visible()


def test_changes_are_not_left_behind_unnoticed_and_the_theme_is_chosen_here_too(administration):
    page, asked = administration, []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("button", name="System", pressed=True)).to_be_visible()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("link", name="Courier", exact=True).click()
    expect(page.locator(".preview-state")).to_have_text("As saved")
    address = page.url
    page.get_by_label("Name", exact=True).press("End")
    page.keyboard.type("!")

    page.get_by_role("link", name="Chat", exact=True).click(no_wait_after=True)
    expect(page.locator(".preview-state")).to_have_text("As typed, not saved yet")
    assert (asked, page.url) == (["beforeunload"], address)
    page.get_by_label("Name", exact=True).fill("Courier")
    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.locator(".messagelist .success")).to_contain_text("Courier")
    assert asked == ["beforeunload"]
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_sites_defaults_are_previewed_as_they_are_typed(administration):
    page = administration
    page.goto(page.url.replace("agenttemplate/", "sitedefaults/"))
    preview = page.get_by_role("complementary", name="What this comes to")

    expect(preview.locator(".preview-state")).to_have_text("As typed, not saved yet")
    page.get_by_label("The last turns").check()
    turns(page).fill("7")

    expect(preview).to_contain_text("Remembers the last 7 turns.")
    preview.get_by_text("Effective settings").click()
    expect(preview.locator("dl")).to_contain_text("History length")
    expect(page.get_by_text("The preview couldn't be updated")).to_be_hidden()


def test_a_providers_connection_is_tested_as_it_is_typed(administration):
    page = administration
    page.set_viewport_size({"width": 1440, "height": 760})
    page.goto(page.url.replace("agenttemplate/", "provider/add/"))
    page.get_by_label("Name", exact=True).fill("work")
    page.get_by_label("Address").fill("http://10.0.0.1/v1")
    button = page.get_by_role("button", name="Test the connection")
    button.evaluate("button => button.focus({ preventScroll: true })")
    page.keyboard.press("Enter")

    found = page.locator(".provider-test").get_by_role("status")
    expect(found).to_contain_text("add 10.0.0.1 to PROVIDER_HOSTS")
    expect(button).to_be_focused()
    bar = page.locator(".submit-row").bounding_box()["y"]
    assert eventually(lambda: found.bounding_box()["y"] + found.bounding_box()["height"] <= bar)
    assert faults_of_access(page) == []


def test_the_error_of_a_field_is_gone_once_it_is_changed_and_others_stay(administration):
    page = administration
    page.goto(page.url.replace("agenttemplate/", "provider/add/"))
    page.get_by_label("Name", exact=True).fill("My Work")
    page.get_by_label("Address").fill("nonsense")
    press(page, "Save")
    expect(page.locator(".one-field.errors")).to_have_count(2)

    page.get_by_label("Address").fill("https://llm.example.org/v1")

    expect(page.locator(".one-field.errors label")).to_have_text("Name")
    expect(page.locator(".one-field .errorlist")).to_have_count(1)
    expect(page.get_by_label("Address")).not_to_have_attribute("aria-invalid", "true")
    assert faults_of_access(page) == []


def test_a_connections_models_are_listed_unannounced_while_somebody_types_elsewhere(
    administration, provider
):
    page = administration
    provider.script(Reply(body=MODELS, hang_after=0))
    page.goto(page.url.replace("agenttemplate/", "provider/add/"))
    page.get_by_label("Name", exact=True).fill("work")
    page.get_by_label("Address").fill(provider.url)
    press(page, "Test the connection")
    assert provider.asked.wait(PATIENCE)
    page.get_by_label("Key", exact=True).fill("sk-")
    provider.release()

    found = page.locator(".provider-test").get_by_role("status")
    expect(found).to_contain_text("offers 90 models.")
    expect(found).not_to_contain_text("model-1")
    expect(page.get_by_label("Key", exact=True)).to_be_focused()
    models = page.get_by_role("list", name="Its models, as agents name them")
    expect(models).to_contain_text("work/model-7")
    models.focus()  # The arrows scroll it then.
    expect(models).to_be_focused()
    assert faults_of_access(page) == []


def test_a_test_of_somebody_who_is_signed_out_says_that_it_failed(administration):
    page = administration
    page.goto(page.url.replace("agenttemplate/", "provider/add/"))
    page.get_by_label("Address").fill("http://10.0.0.1/v1")
    page.context.clear_cookies(name="sessionid")
    press(page, "Test the connection")

    found = page.locator(".provider-test").get_by_role("status")
    expect(found).to_have_text(found.get_attribute("data-failed"))
