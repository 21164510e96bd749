"""An agent's form marks the faults of its fields, and always keeps its save button in view."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, PHONE
from tests.patience import eventually

COVERED = """field => {
  const at = field.getBoundingClientRect();
  return !field.contains(document.elementFromPoint(at.x + 8, at.bottom - 4));
}"""
FAINT = "element => getComputedStyle(element).color"


@pytest.fixture
def form(somebody, served, boss):
    """Return a function that opens the agent Goldfish's form on a screen of the given size."""

    def opened(**size):
        page = somebody(**size, reduced_motion="reduce").new_page()
        page.goto(f"{served.url}/login?next=/admin/agents/agenttemplate/")
        page.get_by_label("Name").fill(boss)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("link", name="Goldfish", exact=True).click()
        expect(page.locator(".preview-state")).to_have_text("As saved")
        return page

    return opened


def test_what_cannot_be_saved_is_marked_and_the_figures_without_it_are_dimmed(form):
    page = form()
    turns, memory = page.get_by_label("History length", exact=True), page.locator(".preview-memory")
    plain = memory.evaluate(FAINT)

    turns.fill("-5")
    expect(turns).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".preview-stale")).to_contain_text("counts as it was saved")
    expect(page.locator(".one-field.errors label")).to_have_text("History length")
    dimmed = memory.evaluate(FAINT)
    turns.fill("5")
    expect(page.locator(".preview-state")).to_have_text("As typed, not saved yet")

    expect(turns).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator(".one-field.errors")).to_have_count(0)
    assert plain != dimmed
    assert memory.evaluate(FAINT) == plain


@pytest.mark.parametrize(
    "size",
    [
        pytest.param({"viewport": {"width": 1440, "height": 700}}, id="wide"),
        pytest.param(PHONE, id="phone"),
    ],
)
def test_saving_stays_in_reach_and_covers_no_field_that_has_the_focus(form, size):
    page = form(**size)
    for fold in page.locator("form fieldset details.fold > summary").all():
        fold.evaluate("summary => summary.parentElement.open = true")
    save = page.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_in_viewport(ratio=1)
    fields = page.locator("fieldset").locator("input:visible, select:visible, textarea:visible")

    page.get_by_label("Name", exact=True).focus()
    for _field in range(fields.count()):
        page.keyboard.press("Tab")
        focused = page.locator("fieldset :is(input, select, textarea):focus")
        if focused.count():
            assert not focused.evaluate(COVERED), focused.get_attribute("name")

    expect(save).to_be_in_viewport(ratio=1)


def test_chats_to_choose_from_tell_the_time_of_their_last_message(form, tab):
    for _chat in range(2):
        tab.open("/chat?agent=goldfish")
        tab.ask("Good morning")

    page = form()
    page.get_by_label("Find a chat").fill("Good morning")

    time = re.compile(r"Good morning[^·]*· a visitor\s+· \d+:\d\d.[AP]M")
    expect(page.locator("#preview-chat option", has_text=time)).to_have_count(2)


def test_whoever_is_signed_out_meanwhile_is_told_so_and_gets_no_page_as_chats(form):
    page = form()
    page.context.clear_cookies(name="sessionid")

    page.get_by_label("Find a chat").fill("x")

    expect(page.locator('[data-part="said"]')).to_contain_text("You're signed out.")
    expect(page.locator("#preview-chat option")).not_to_have_count(0)


HALF_COVERED = """field => {
  const save = document.querySelector(".submit-row .default").getBoundingClientRect();
  scrollBy(0, field.getBoundingClientRect().top - save.top + 30);
}"""
TOUCHING = """field => {
  const [at, save] = [field, document.querySelector(".submit-row .default")]
    .map((element) => element.getBoundingClientRect());
  return at.bottom > save.top && at.top < save.bottom;
}"""


def test_a_field_that_the_floating_save_button_half_covers_comes_clear_of_it_when_tapped(form):
    page = form(**PHONE)
    field = page.get_by_label("History length", exact=True)
    field.evaluate(HALF_COVERED)
    assert field.evaluate(TOUCHING)
    box = field.bounding_box()

    page.touchscreen.tap(box["x"] + box["width"] - 20, box["y"] + 10)

    expect(field).to_be_focused()
    assert eventually(lambda: not field.evaluate(TOUCHING))


def test_a_number_of_turns_chooses_the_last_turns_and_its_removal_the_default(form):
    page = form()
    page.goto(re.sub(r"\d+/change/.*", "add/", page.url))
    turns = page.get_by_label("History length", exact=True)
    usual, last = page.get_by_label("Default: Remembers"), page.get_by_label("The last turns")
    expect(usual).to_be_checked()

    turns.fill("5")
    expect(last).to_be_checked()
    expect(page.locator(".preview-memory")).to_have_text("Remembers the last 5 turns.")
    turns.fill("")
    expect(usual).to_be_checked()

    last.check()
    turns.fill("5")
    turns.fill("")
    expect(last).to_be_checked()


def test_a_preview_that_takes_long_says_so_and_moves_nothing(form):
    page, held = form(), []
    said = page.get_by_role("complementary").get_by_role("status").first
    memory = page.locator(".preview-memory")

    def hold(route):
        held.append(route)

    page.route("**/preview/", hold)

    turns = page.get_by_label("History length", exact=True)
    turns.focus()  # This may scroll the page.
    place = memory.bounding_box()
    turns.fill("5")
    expect(said).to_have_text("Calculating…")
    assert memory.bounding_box() == place
    held.pop().continue_()
    expect(memory).to_have_text("Remembers the last 5 turns.")
    expect(said).to_be_empty()


def test_nothing_is_said_of_a_model_that_is_no_longer_in_the_field(form, complaints):
    page = form()
    told, model = page.locator("[data-part=model]"), page.get_by_label("Model", exact=True)
    expect(told).to_contain_text("openai/fake: ")

    model.fill("openai/gpt-4o")
    expect(told).to_contain_text("openai/gpt-4o: ")
    model.fill("nonsense")
    expect(told).to_be_empty()
    model.fill("openai/gpt-4o")
    expect(told).to_contain_text("openai/gpt-4o: ")
    page.route("**/preview/", lambda route: route.abort())
    model.fill("demo/mirror")
    expect(told).to_be_empty()
    complaints.clear()  # The browser logs the lost request as an error.
