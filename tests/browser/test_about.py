"""The list of keyboard shortcuts, the pages about Vitrine, and a person's own page."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import settled, violations
from tests.browser.test_phone import is_too_wide

SCHEMES = ("light", "dark")


def accessible(tab):
    for scheme in SCHEMES:
        settled(tab, scheme)
        assert violations(tab) == []


LOOK = """element => {
  const {left, top, width, height} = element.getBoundingClientRect();
  return [left, top, width, height, getComputedStyle(element).display];
}"""


def test_a_question_mark_outside_a_field_shows_the_shortcuts(tab):
    """The list of shortcuts leaves the look of the page below unchanged."""
    tab.open()
    look = tab.page.locator(".welcome .about").first.evaluate(LOOK)
    tab.page.keyboard.type("?")
    expect(tab.field).to_have_value("?")
    tab.page.locator("#scroller").focus()

    tab.page.keyboard.type("?")

    sheet = tab.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_contain_text("Search your chats")
    accessible(tab)
    tab.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    assert tab.page.locator(".welcome .about").first.evaluate(LOOK) == look
    tab.page.get_by_label("Chat menu").click()
    tab.page.get_by_role("button", name="Keyboard shortcuts").click()
    expect(sheet).to_be_visible()


def test_ctrl_z_undoes_what_was_just_done(tab):
    tab.open()
    tab.ask("Apples")
    tab.entry("Apples").hover()
    tab.entry("Apples").locator("summary").click()
    tab.entry("Apples").get_by_role("button", name="Delete").click()
    expect(tab.page.locator(".welcome")).to_be_visible()
    expect(tab.field).to_be_focused()
    tab.page.keyboard.press("Control+Shift+z")  # Redo, which must not undo the deletion.
    expect(tab.page.locator("#toasts [data-undo]")).to_be_visible()

    tab.page.keyboard.press("Control+z")

    expect(tab.page.locator("#title")).to_have_text("Apples")


@pytest.mark.parametrize(
    ("name", "text"),
    [pytest.param("About", "litellm", id="about"), pytest.param("Your data", "0 chats", id="own")],
)
def test_the_pages_below_the_account_are_for_everybody(tab, name, text):
    tab.open()
    tab.page.locator(".account").click()
    tab.page.get_by_role("link", name=name).click()

    expect(tab.page.locator(".plain-card")).to_contain_text(text)
    accessible(tab)


def test_a_guest_chooses_a_theme_and_deletes_everything(tab):
    tab.open()
    tab.ask("Apples")
    page = tab.page.context.new_page()
    page.goto(f"{tab.server.url}/account")

    page.get_by_role("button", name="Dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.get_by_label("Yes, delete all of it").check()
    page.get_by_role("button", name="Delete everything").click()

    expect(page.get_by_role("heading")).to_have_text("Everything is deleted")
    tab.page.goto(f"{tab.server.url}/chat")
    expect(tab.page.locator(".chats-none")).to_be_visible()


@pytest.mark.daily
@pytest.mark.parametrize("width", [390, 1440])
def test_the_documents_are_searched_and_walked_through_by_keyboard(tab, width):
    page = tab.page
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{tab.server.url}/about/docs/import")
    accessible(tab)
    assert not is_too_wide(tab)
    page.get_by_role("searchbox", name="Search the documents").focus()
    page.keyboard.type("what becomes of it")
    page.keyboard.press("Enter")
    hit = page.get_by_role("link", name="Importing chats · What becomes of it")
    expect(hit).to_be_visible()
    field = page.get_by_role("searchbox", name="Search the documents")
    expect(field).to_be_focused()
    expect(field).to_have_accessible_description(re.compile("sections found for"))
    accessible(tab)
    assert not is_too_wide(tab)
    hit.focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="What becomes of it")).to_be_in_viewport()
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Limits").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Limits")).to_be_in_viewport()


@pytest.mark.parametrize(("width", "is_open"), [(390, False), (1440, True)])
def test_lists_beside_a_document_are_unfolded_where_there_is_room(tab, width, is_open):
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.page.goto(f"{tab.server.url}/about/docs/history")

    expect(tab.page.locator(".contents")).to_have_count(2)
    for each in tab.page.locator(".contents").all():
        expect(each).to_have_js_property("open", is_open)


@pytest.mark.parametrize("width", [390, 1280])
def test_from_document_to_document_by_keyboard(tab, width):
    page = tab.page
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{tab.server.url}/about/docs/chats")
    page.get_by_role("link", name="Next").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("The context inspector")

    every = page.get_by_role("navigation", name="All documents")
    if width < 960:
        page.locator("summary", has_text="All documents").focus()
        page.keyboard.press("Enter")
    expect(every.locator("[aria-current=page]")).to_have_text("The context inspector")
    accessible(tab)
    assert not is_too_wide(tab)
    every.get_by_role("link", name="Running Vitrine").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text("Running Vitrine")


def test_code_of_a_document_is_copied_by_keyboard(tab):
    page = tab.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{tab.server.url}/about/docs/operations")
    button = page.locator("figure.code", has_text="manage.py restore").get_by_role("button")
    expect(button).to_have_text("Copy")
    button.focus()
    page.keyboard.press("Enter")

    expect(button).to_have_text("Copied")
    expect(page.get_by_role("status")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == ".venv/bin/python manage.py restore vitrine-monday.tar.gz"


def test_code_that_the_browser_does_not_copy_is_said_in_sight(tab):
    page = tab.page
    page.goto(f"{tab.server.url}/about/docs/operations")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    page.locator("figure.code").first.get_by_role("button").click()

    status = page.get_by_role("status")
    expect(status).to_have_text("The browser didn't allow copying.")
    expect(status).to_be_in_viewport()


def test_a_search_for_the_shortcuts_leads_to_their_page(tab):
    tab.page.goto(f"{tab.server.url}/about?q=keyboard+shortcuts")
    accessible(tab)

    tab.page.get_by_role("link", name="Keyboard shortcuts · Anywhere").click()

    expect(tab.page.get_by_role("heading", name="Anywhere")).to_be_in_viewport()
    accessible(tab)
    assert not is_too_wide(tab)
