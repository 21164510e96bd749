"""Experiments answer a turn again under other settings: their cost, both answers, and the new
branch.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.talks import open_talk
from tests.browser.test_accessibility import violations
from tests.browser.test_what_if import field
from tests.patience import eventually
from tests.provider import Reply

NOTHING_BEFORE = "agent=demo&debug=true&historyPolicy=lastN&historyLength=1"
STANDS = "I don't know what you are called."
TRIED = "Of course: you are called Mira."


def said_to(provider, number=-1):
    return [m["content"] for m in provider.requests[number]["messages"] if m["role"] == "user"]


@pytest.fixture
def zone(tab, provider):
    """Open the zone "What-if" after two turns; the second turn was answered without the first."""
    provider.script(Reply(text=["Hello, Mira."]), Reply(text=[STANDS]))
    open_talk(tab, "My name is Mira.", "What is my name?", query=NOTHING_BEFORE)
    expect(tab.panel).to_contain_text("Turn 2 of 2")
    return tab.panel.locator("#what-if")


def ask(zone, provider, **reply):
    """Ask again with the whole history."""
    provider.script(Reply(**{"text": [TRIED], **reply}))
    field(zone, "policy").select_option("all")
    zone.get_by_role("button", name="Ask the model").click()


@pytest.fixture
def answered(zone, provider):
    ask(zone, provider, usage={"prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49})
    experiment = zone.locator(".experiment")
    expect(experiment.locator("[role=status]")).to_have_text("Answered.")
    return experiment


def test_it_says_what_it_costs_before_anything_is_asked(zone, provider):
    asked = len(provider.requests)

    field(zone, "policy").select_option("all")

    line = zone.locator(".whatif-asking")
    expect(line).to_contain_text("tokens in")
    expect(line).to_contain_text("the price of openai/fake is not known")
    assert len(provider.requests) == asked


@pytest.mark.daily
def test_the_answer_with_the_first_message_stands_beside_the_one_without(answered, tab, provider):
    assert said_to(provider, 1) == ["What is my name?"]
    assert said_to(provider) == ["My name is Mira.", "What is my name?"]
    stands, tried = answered.locator(".experiment-text").all()
    expect(stands.locator("mark").first).to_contain_text("I don't know what")
    expect(tried.locator("mark").first).to_contain_text("Of course:")
    expect(answered.locator("tr", has_text="Tokens in")).to_contain_text("40")
    expect(answered.locator("summary")).to_contain_text("History policy all (what-if)")
    expect(tab.answers).to_have_count(2)
    expect(tab.answers.last).to_contain_text(STANDS)


def test_it_outlives_a_reload_and_leads_to_its_branch(answered, tab):
    tab.page.reload()
    expect(answered.locator("mark").first).to_be_visible()

    answered.get_by_role("button", name="Open this branch").click()

    expect(tab.answers.last).to_contain_text(TRIED)
    expect(tab.transcript).to_contain_text("2 / 2")


def test_from_a_turns_own_page_it_leads_to_the_chat(answered, zone, tab):
    link = zone.locator("[data-copy-link]").get_attribute("href")
    tab.page.goto(link)
    page = tab.page.locator(".inspector-page")
    expect(page.locator(".experiment")).to_contain_text(TRIED)

    page.get_by_role("button", name="Open this branch").click()

    expect(tab.answers.last).to_contain_text(TRIED)
    expect(tab.page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}(\?|$)"))


def test_its_own_record_says_that_a_what_if_set_it(answered, tab):
    answered.get_by_role("button", name="Open this branch").click()
    expect(tab.answers.last).to_contain_text(TRIED)
    tab.page.reload()

    row = tab.panel.locator(".cascade").first.locator("tr", has_text="History policy").first
    expect(row).to_contain_text("what-if")


def test_it_can_be_stopped_and_asked_again_and_the_page_goes_on(zone, tab, provider):
    ask(zone, provider, text=["Of ", "course"], hang_after=1)
    experiment = zone.locator(".experiment")
    expect(experiment).to_contain_text("Of")
    stop = experiment.get_by_role("button", name="Stop")
    tab.page.reload()
    expect(experiment.locator("[role=status]")).to_have_text("Asking…")
    stop.focus()

    stop.click()

    expect(experiment.locator("[role=status]")).to_have_text("Stopped.")
    expect(experiment).to_contain_text("The text above was kept.")
    provider.release()
    provider.script(Reply(text=[TRIED]))
    experiment.get_by_role("button", name="Ask again").click()
    expect(experiment).to_have_count(2)
    expect(experiment.first.locator("[role=status]")).to_have_text("Answered.")
    expect(experiment.first.get_by_role("button", name="Ask again")).to_have_count(0)
    assert said_to(provider) == ["My name is Mira.", "What is my name?"]
    provider.script(Reply(text=["Good."]))
    tab.field.focus()
    tab.ask("Fine.")
    expect(tab.answers).to_have_count(3)


def test_what_fails_is_said_as_for_any_answer(zone, provider):
    ask(zone, provider, status=401)

    experiment = zone.locator(".experiment")
    expect(experiment.locator(".whatif-fault")).to_contain_text("key")


WIDTHS = {"phone, dark": (390, "dark"), "wide, light": (1440, "light")}


@pytest.mark.parametrize(("width", "scheme"), WIDTHS.values(), ids=WIDTHS)
def test_nothing_is_in_the_way_of_anybody(answered, zone, tab, width, scheme):
    tab.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    tab.page.set_viewport_size({"width": width, "height": 900})
    field(zone, "policy").select_option("none")
    expect(zone.locator(".whatif-asking")).to_be_visible()

    assert violations(tab) == []


COVERED = """taken => {
  const { left, top } = taken.getBoundingClientRect();
  return !taken.contains(document.elementFromPoint(left + 8, top + 4));
}"""


def test_what_was_applied_is_said_in_sight_below_an_earlier_answer(tab, provider):
    tab.page.set_viewport_size({"width": 1440, "height": 700})
    provider.script(Reply(text=["Hello, Mira."]), Reply(text=[STANDS]))
    open_talk(tab, "My name is Mira.", "What is my name?", query="agent=demo&debug=true")
    zone = tab.panel.locator("#what-if")
    ask(zone, provider)
    expect(zone.locator(".experiment [role=status]")).to_have_text("Answered.")
    field(zone, "policy").select_option("lastN")
    field(zone, "length").fill("40")
    apply = zone.get_by_role("button", name="Apply to this chat")
    expect(apply).to_be_visible()
    apply.evaluate("button => button.scrollIntoView({ block: 'start' })")

    apply.evaluate("button => button.click()")

    taken = zone.locator("#what-if-result .taken")
    expect(taken).to_contain_text("Applied to this chat")
    expect(taken.get_by_role("button", name="Undo")).to_be_in_viewport()
    assert eventually(lambda: not taken.evaluate(COVERED)), "it is below the head"


@pytest.mark.daily
def test_its_branch_can_be_switched_to_at_once_in_every_tab(zone, tab, provider):
    other = tab.another(tab.path)

    ask(zone, provider)

    expect(zone.locator(".experiment [role=status]")).to_have_text("Answered.")
    for each in (tab, other):
        expect(each.answers.last).to_contain_text(STANDS)
        expect(each.answers.last.locator("[data-switcher]")).to_contain_text("1 / 2")
    other.answers.last.get_by_role("button", name="Next branch").click()
    expect(other.answers.last).to_contain_text(TRIED)
    expect(other.answers.last.locator("[data-switcher]")).to_contain_text("2 / 2")
