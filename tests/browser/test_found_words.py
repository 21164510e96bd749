"""A message opened from a search result has the searched words marked."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD
from tests.browser.test_search import lit, search
from tests.browser.test_search_leads import expect_marks
from tests.servers import manage

PLACES = (2, 62, 122, 182)  # Positions; a page first loads 80 messages.
MAKE = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from agents.models import AgentTemplate
from history.models import Branch, Conversation
from history.services.path.appending import append, assistant_message, user_message
owner = User.objects.create_user("grower", password="{PASSWORD}")
agent = AgentTemplate.objects.get(slug="demo")
chat = Conversation.objects.create(agent=agent, owner=owner, title="Trees", active=timezone.now())
chat.branch = Branch.objects.create(conversation=chat)
chat.save()
said = ["Go on."] * 120
for place in {PLACES}:
    said[place // 2] = f"Medlar {{place}} is ripe."
append(chat.branch, [m for text in said for m in (user_message(text), assistant_message("Next."))])
"""
# The contrast of the mark with the bubble around it, and of the word with its mark.
CONTRASTS = """(bubble) => {
  const luminance = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map((part) => Number(part) / 255);
    const linear = parts.map((p) => (p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (...colours) => {
    const [dark, light] = colours.map(luminance).sort((one, other) => one - other);
    return (light + 0.05) / (dark + 0.05);
  };
  const mark = getComputedStyle(bubble, "::highlight(found-words)");
  const { backgroundColor } = getComputedStyle(bubble);
  const around = contrast(mark.backgroundColor, backgroundColor);
  return [around, contrast(mark.color, mark.backgroundColor)];
}"""


@pytest.fixture(scope="module")
def orchard(served):
    manage(served.folder, "shell", "-c", MAKE)


@pytest.fixture
def grower(tab, orchard):
    """Sign in and search for a word that is in four messages of one chat."""
    tab.page.goto(f"{tab.server.url}/login?next=/chat%3Fagent=demo")
    tab.page.locator("[name=username]").fill("grower")
    tab.page.locator("[name=password]").fill(PASSWORD)
    tab.page.keyboard.press("Enter")
    expect(tab.field).to_be_focused()
    search(tab, "medlar")
    tab.page.locator(".found-more").click()
    expect(tab.page.locator("a.found-text")).to_have_count(len(PLACES))
    return tab


def result(tab, place):
    return tab.page.locator("a.found-text", has_text=f"Medlar {place} ")


def test_each_of_several_results_in_the_chat_that_is_open_is_marked(grower):
    for place in (*PLACES, *PLACES):
        result(grower, place).click()

        expect(lit(grower)).to_contain_text(f"Medlar {place} ")
        expect_marks(grower, "Medlar")


def test_a_result_is_marked_though_the_one_before_it_is_reached_after_it_was_opened(grower):
    held = []

    def hold(route):
        held.append(route)

    far, near = PLACES[0], PLACES[-1]
    grower.page.route("**/around?*", hold)
    with grower.page.expect_request("**/around?*"):
        result(grower, far).click()
    grower.page.route("**/chat/*", hold)
    with grower.page.expect_request("**/chat/*"):
        result(grower, near).click()
    held[0].continue_()
    expect(lit(grower)).to_contain_text(f"Medlar {far} ")
    held[1].continue_()

    expect(lit(grower)).to_contain_text(f"Medlar {near} ")
    expect_marks(grower, "Medlar")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_mark_is_seen_in_the_bubble_of_ones_own_message(grower, scheme):
    grower.page.emulate_media(color_scheme=scheme)
    result(grower, PLACES[0]).click()
    expect_marks(grower, "Medlar")

    around, within = lit(grower).locator(".bubble").evaluate(CONTRASTS)

    assert around >= 3
    assert within >= 4.5
