"""Every “why?” leads to the one place in the inspector that holds the reason, in sight."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.browser.talks import open_talk
from tests.provider import Reply

ONE_TURN = "agent=demo&historyPolicy=lastN&historyLength=1"
REASON = "“History length” 1 keeps turn"
UNCOVERED = """element => {
  const { left, top, bottom } = element.getBoundingClientRect();
  const at = (y) => element.contains(document.elementFromPoint(left + 8, y));
  return at(top + 4) && at(bottom - 4);
}"""  # False if the panel's head covers the element.
LOOKS = {"a desktop": {"viewport": {"width": 1440, "height": 900}}, "a phone": PHONE}


@pytest.fixture(params=list(LOOKS.values()), ids=list(LOOKS))
def look(request):
    return request.param


def opened(somebody, served, provider, look, query):
    tab = Tab(somebody(**look).new_page(), served, folded=True)
    provider.script(*[Reply(text=[f"Answer {n}."]) for n in range(9)])
    open_talk(tab, *[f"Question {n}?" for n in range(9)], query=query)
    return tab


@pytest.mark.parametrize("way", ["gauge", "cut", "button"])
def test_it_is_the_row_that_says_why_messages_were_left_out(somebody, served, provider, look, way):
    is_button = way == "button"
    query = f"{ONE_TURN}&debug=true" if is_button else ONE_TURN
    tab = opened(somebody, served, provider, look, query)
    ways = {
        "gauge": "#gauge [data-why]",
        "cut": ".cut [data-why]",
        "button": "#panel [data-reason]",
    }

    tab.page.locator(ways[way]).click()

    row = tab.panel.locator(".map .row:focus")
    expect(row).to_contain_text(REASON)
    expect(row.locator("xpath=following-sibling::tr[1]")).to_contain_text("view starts here")
    assert row.locator(".reason").evaluate(UNCOVERED)
    assert row.locator(".text").evaluate(UNCOVERED)


@pytest.mark.daily
def test_if_nothing_was_left_out_the_map_says_so(somebody, served, provider):
    tab = opened(somebody, served, provider, LOOKS["a desktop"], "agent=demo")

    tab.page.locator("#gauge [data-why]").click()

    expect(tab.panel.get_by_role("region", name="Map")).to_be_focused()
    said = tab.panel.locator(".nothing-cut")
    expect(said).to_contain_text("Nothing was left out. Remembers")
    assert said.evaluate(UNCOVERED)
