"""axe-core finds nothing to complain about on any page."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PHONE, Tab
from tests.provider import Call, Reply

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
RUN = """async () => {
  const { passes, violations } = await axe.run();
  const told = ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`;
  return { passed: passes.length, found: violations.map(told) };
}"""
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
    """Evaluate outside the page's policy, which would refuse a foreign script."""
    tab.page.evaluate(AXE.read_text())
    outcome = tab.page.evaluate(RUN)
    assert outcome["passed"] >= 10
    return outcome["found"]


def begin(reader, path):
    reader.page.goto(reader.server.url + path)
    reader.field.focus()


def test_a_new_chat(reader):
    begin(reader, "/chat?agent=demo")

    assert violations(reader) == []


def test_a_chat_with_code_a_tool_an_error_and_the_panel(reader, provider):
    call = Call("calculator", '{"expression": "6*7"}')
    provider.script(Reply(calls=[call], finish="tool_calls"), Reply(text=[CODE]), Reply(status=401))
    begin(reader, "/chat?agent=demo&historyPolicy=none&historyLength=many&debug=true")
    reader.ask("6*7?")
    reader.page.locator("details.tool summary").click()
    reader.field.focus()
    reader.say("Again")
    expect(reader.page.locator(".ending.failed")).to_be_visible()
    expect(reader.page.locator(".cut")).to_be_visible()
    expect(reader.panel).to_contain_text("Turn 2 of 2")

    assert violations(reader) == []


def test_signing_in(reader):
    reader.page.goto(f"{reader.server.url}/login")

    assert violations(reader) == []
