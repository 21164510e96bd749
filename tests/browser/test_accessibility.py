"""The tool axe-core finds no fault on any page."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.provider import Call, Reply

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
RUN = """async () => {
  const { passes, violations } = await axe.run({ preload: false });
  const told = ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`;
  return { passed: passes.length, found: violations.map(told) };
}"""
SETTLED = """async () => {
  const ends = ({ effect }) =>
    effect.getComputedTiming().endTime < Infinity &&
    effect.target.checkVisibility({ contentVisibilityAuto: true });
  const moving = document.getAnimations().filter(ends);
  await Promise.allSettled(moving.map(({ finished }) => finished));
}"""  # Animations out of view are paused and never end.
CODE = (
    "# Heading\n\n```python\nprint('hello')  # a comment\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
)
LOOKS = [
    pytest.param({"color_scheme": "light"}, id="light"),
    pytest.param({"color_scheme": "dark"}, id="dark"),
    pytest.param({**PHONE, "color_scheme": "light"}, id="phone"),
    pytest.param({**PHONE, "color_scheme": "dark"}, id="dark phone"),
]


@pytest.fixture(params=LOOKS)
def reader(request, somebody, served, provider):
    return Tab(somebody(**request.param, reduced_motion="reduce").new_page(), served)


def violations(tab):
    """Return axe-core's findings. The page's policy would block axe-core as a script tag."""
    tab.page.evaluate(AXE.read_text())
    outcome = tab.page.evaluate(RUN)
    assert outcome["passed"] >= 10
    return outcome["found"]


def settled(tab, scheme):
    """Show the page in a colour scheme, and wait until its colours have changed."""
    tab.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    tab.page.evaluate(SETTLED)


def begin(reader, path):
    reader.page.goto(reader.server.url + path)
    reader.field.focus()


@pytest.mark.daily("dark")
def test_a_new_chat(reader):
    begin(reader, "/chat?agent=demo")

    assert violations(reader) == []


@pytest.mark.daily("light", "dark phone")
def test_a_chat_with_code_a_tool_an_error_and_the_panel(reader, provider):
    call = Call("calculator", '{"expression": "6*7"}')
    provider.script(Reply(calls=[call], finish="tool_calls"), Reply(text=[CODE]), Reply(status=401))
    begin(reader, "/chat?agent=demo&historyPolicy=none&historyLength=many")
    reader.ask("6*7?")
    reader.page.locator("details.tool summary").click()
    reader.field.focus()
    reader.say("Again")
    expect(reader.page.locator(".ending.failed")).to_be_visible()
    expect(reader.page.locator(".cut")).to_be_visible()
    reader.page.get_by_role("button", name="Inspector", exact=True).click()
    expect(reader.panel).to_contain_text("Turn 2 of 2")

    assert violations(reader) == []


@pytest.mark.daily("light")
def test_signing_in(reader):
    reader.page.goto(f"{reader.server.url}/login")

    assert violations(reader) == []


def test_another_theme_is_there_at_once_where_motion_is_reduced(somebody, served):
    """Fading colours would be inherited level by level, with a different contrast on each level."""
    page = somebody(reduced_motion="reduce", color_scheme="light").new_page()
    begin(Tab(page, served), "/chat?agent=demo")
    expect(page.locator(".starters")).to_be_visible()

    page.emulate_media(color_scheme="dark", reduced_motion="reduce")

    assert page.evaluate("document.getAnimations().length") == 0
