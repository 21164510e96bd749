"""The inspector's first screen shows few figures and special words, and a way to every message."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from history.core.plan.verdict import Verdict
from tests.browser.tab import Tab
from tests.browser.talks import open_talk
from tests.browser.test_marks import choose
from tests.browser.test_networks import offline, talk
from tests.chatapp.uploads.making import image
from tests.provider import Reply

SMALL = {"viewport": {"width": 1280, "height": 800}}
ALSO = {"summaries": "summary", "summarised": "summary"}
MOST_FIGURES, MOST_TERMS = 10, 12
GLOSSARY, _, _ = (
    (Path(__file__).parents[2] / "CONTEXT.md")
    .read_text()
    .partition("## Words with a second meaning")
)
TERM = re.compile(r"^\| (?!term \||---)([^|]+?) \|", re.MULTILINE)
EVERYDAY = {"message", "place", "try", "cost", "file"}  # Words that newcomers know.
# The words that a newcomer has to learn: the glossary's terms, verdicts, and names in the panel.
TERMS = {
    *(re.sub(r" \(.*", "", term) for row in TERM.findall(GLOSSARY) for term in row.split(", ")),
    *(verdict.name.lower() for verdict in Verdict),
    *("inspector", "window", "summary", "summaries", "map", "what-if"),
    *("timeline", "raw", "lastN", "length", "built-in", "template", "overridden", "catalogue"),
    *("budget", "cache", "reserve", "planner", "hash", "calibration"),
    *("recency", "factor", "fate", "finder", "prefix", "cold", "outline", "stretch", "recall"),
} - EVERYDAY
__all__ = ["offline"]  # Keeps the imported fixture.
VISIBLE = """panel => {
  const words = [];
  const texts = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const { width, top, bottom } = range.getBoundingClientRect();
    const { parentElement } = texts.currentNode;
    const isSeen = parentElement.checkVisibility({ visibilityProperty: true });
    if (isSeen && !parentElement.closest("svg, .unseen") && width > 1
        && top < innerHeight && bottom > 0)
      words.push(texts.currentNode.textContent);
  }
  return words.join(" ");
}"""
LOADED = """() => performance.getEntriesByType("resource").map(({ name }) => name)
  .filter(name => /panel|inspector|whatif|finder|zones/.test(name))"""


@pytest.fixture
def first(somebody, served, provider):
    """Open a tab of a person who has not opened any zone of the inspector."""
    return Tab(somebody(**SMALL).new_page(), served, folded=True)


def seen_in(tab):
    """Return the visible figures of the panel, and its visible special words."""
    seen = tab.panel.evaluate(VISIBLE)
    of_ours = (t for t in TERMS if re.search(rf"(?<![\w/]){t}(s|ed)?\b", seen, re.IGNORECASE))
    figures = re.findall(r"(?<![\w-])\d[\d,.]*", seen)  # The 4 of gpt-4o is not one.
    return figures, {ALSO.get(term, term) for term in of_ours}


def expect_little(tab):
    figures, terms = seen_in(tab)
    assert len(figures) <= MOST_FIGURES, figures
    assert len(terms) <= MOST_TERMS, sorted(terms)


def headline(tab):
    return tab.panel.locator(".headline")


@pytest.mark.daily
def test_the_first_screen_says_little_and_finds_every_message(first):
    open_talk(first, *(f"question {n}" for n in range(1, 13)), query="historyLength=3")
    assert first.page.evaluate(LOADED) == []

    first.page.get_by_role("button", name="Inspector", exact=True).click()
    expect(headline(first)).to_have_text(
        "The model saw the last 3 turns; 18 earlier messages were left out."
    )
    expect(first.panel.locator(".drawn-by")).to_have_text(
        "Remembers the last 3 turns. Set in the address."
    )
    expect_little(first)
    assert [link.inner_text() for link in first.panel.locator(".actions a").all()] == [
        *("Why?", "Who set it?", "Try other settings")
    ]

    finder = first.panel.get_by_role("slider", name="Find a message")
    box = finder.bounding_box()
    finder.click(position={"x": box["width"] * 2.5 / 23, "y": 20})
    expect(first.page.locator('.message[data-position="2"]')).to_have_class(re.compile("found"))
    for _ in range(3):
        finder.press("ArrowRight")
    expect(finder).to_have_attribute(
        "aria-valuetext", "Message 6 \N{MIDDLE DOT} Messages 1\N{EN DASH}18: left out"
    )
    finder.press("Enter")
    expect(first.page.locator('.message[data-position="5"]')).to_be_in_viewport()


def test_the_chat_follows_to_another_turn_and_the_focus_stays(first):
    open_talk(first, *(f"question {n}" for n in range(1, 33)), query="debug=true")
    expect(first.panel).to_contain_text("Turn 32 of 32")
    first.panel.get_by_role("link", name="Previous turn").press("Enter")

    before = first.page.locator('.message[data-role="user"][data-turn="31"]')
    expect(before).to_have_class(re.compile("found"))
    expect(before).to_be_in_viewport()
    assert first.has_focus("#panel .moves *")
    first.panel.get_by_role("link", name="1", exact=True).click()
    expect(first.page.locator('.message[data-turn="1"]').first).to_be_in_viewport()


def test_while_another_turn_is_shown_the_chat_says_whose_bars_it_has(first):
    open_talk(first, "one", "two", query="debug=true")
    expect(first.panel).to_contain_text("Turn 2 of 2")
    said = first.page.locator("#gauge").get_by_text("The bars show turn 2")
    expect(said).to_be_hidden()
    first.panel.get_by_role("link", name="Previous turn").click()

    expect(said).to_be_visible()
    first.panel.get_by_role("link", name="Go to turn 2").click()
    expect(first.panel).to_contain_text("Turn 2 of 2")
    expect(said).to_be_hidden()


def test_it_says_little_before_the_first_request(first):
    first.open("/chat?agent=demo&debug=true")

    expect(headline(first)).to_contain_text("Nothing has been sent yet.")
    expect(first.panel).to_contain_text("Remembers the last 20 to 29 turns.")
    expect_little(first)
    first.panel.get_by_role("link", name="Who set it?").click()
    expect(first.panel.get_by_text("Settings left at their defaults")).to_be_visible()


def test_it_says_little_of_a_long_chat_with_pins_and_a_summary(first, provider):
    open_talk(first, *(f"question {n}" for n in range(1, 13)), query="historyLength=3&debug=true")
    for position in (0, 4):
        choose(first, position, "Pin")
        expect(first.page.locator("#toasts")).to_contain_text("Pinned")
    choose(first, 6, "Exclude")
    first.field.focus()
    first.say("/compact")
    expect(first.page.locator(".summary-line")).to_be_visible()
    first.ask("And now?")

    expect(headline(first)).to_contain_text(re.compile("summary of.*by hand"))
    expect_little(first)


def test_it_says_little_of_a_networks_chat(first, offline):
    talk(first)

    expect(headline(first)).to_contain_text(
        "left out of this agent's view (a call to report and its result)"
    )
    expect_little(first)


def test_it_says_little_of_reasoning_and_images(first, provider):
    provider.script(Reply(thinking=["Let me see."], text=["A dot."]), Reply(text=["Still a dot."]))
    first.open("/chat?agent=demo&debug=true")
    first.page.set_input_files(
        "#files", {"name": "a.png", "mimeType": "image/png", "buffer": image("PNG")}
    )
    expect(first.page.locator(".attachment[data-state=ready]")).to_be_visible()
    first.ask("What is this?")
    first.ask("Sure?")

    expect(headline(first)).to_contain_text("The model saw")
    expect_little(first)


def test_it_says_little_of_a_failed_answer(first, provider):
    provider.script(Reply(status=401))
    first.open("/chat?agent=demo&debug=true")
    first.say("Hello")
    expect(first.page.locator(".ending.failed")).to_be_visible()

    expect(headline(first)).to_be_visible()
    expect_little(first)


@pytest.mark.parametrize(("direction", "outwards"), [("ltr", -1), ("rtl", 1)])
def test_the_panels_width_is_dragged_moved_by_keys_and_kept(first, direction, outwards):
    open_talk(first, "Hello", query="debug=true")
    expect(first.panel.locator(".headline")).to_be_visible()
    first.page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
    edge = first.page.get_by_role("separator", name="Width of the inspector")
    before = first.panel.bounding_box()
    x, y = before["x"] + (before["width"] if outwards > 0 else 0), before["y"] + 300

    first.page.mouse.move(x, y)
    first.page.mouse.down()
    first.page.mouse.move(x + 100 * outwards, y)
    first.page.mouse.up()
    edge.press("ArrowRight" if outwards > 0 else "ArrowLeft")

    wide = before["width"] + 124
    assert first.panel.bounding_box()["width"] == pytest.approx(wide, abs=2)
    assert int(edge.get_attribute("aria-valuenow")) == pytest.approx(wide, abs=2)
    first.page.reload()
    expect(first.panel.locator(".headline")).to_be_visible()
    assert first.panel.bounding_box()["width"] == pytest.approx(wide, abs=2)
