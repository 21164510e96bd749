"""A reader who jumps to the end of a growing answer stays at the end, wherever the mouse is."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab
from tests.provider import Reply

VIEW = {"viewport": {"width": 1280, "height": 860}}
TRANSCRIPT = (700, 400)
PLACES = {
    "transcript": TRANSCRIPT,
    "its edge": (1270, 500),
    "sidebar": (120, 500),
    "message field": (700, 790),
    "head": (700, 20),
}
WAYS = ("click", "key", "click and back")
LINES = [f"Line {n} of an answer that is long.\n\n" for n in range(40)]
PIECES = ["**Some** ", "words, ", "`code` ", "and\nothers. ", "\n\n- an item\n", "- another\n\n"]
GROWN = "height => document.getElementById('scroller').scrollHeight > height + 60"
HEIGHT = "document.getElementById('scroller').scrollHeight"
FROM_END = "-document.getElementById('scroller').scrollTop"


@pytest.fixture
def reading(somebody, served, provider):
    """Open a chat with one long answer, and a second one that grows without end."""
    tab = Tab(somebody(**VIEW).new_page(), served)
    provider.script(Reply(text=LINES), Reply(text=PIECES, endless=True, delay=0.03))
    tab.open()
    tab.ask("Tell me")
    tab.say("And more")
    expect(tab.answers.nth(1)).to_contain_text("another")
    return tab


def jump(tab, chance):
    """Scroll up, jump to the end, let the answer grow; return the distance to the end in px."""
    mouse = tab.page.mouse
    mouse.move(*TRANSCRIPT)
    mouse.wheel(0, -chance.choice([300, 600, 1_500]))
    latest = tab.page.locator("#latest")
    expect(latest).to_be_visible()
    mouse.move(*chance.choice([*PLACES.values()]))
    grow(tab, chance.choice([0, 1, 3]))
    press(tab, latest, chance.choice(WAYS))
    grow(tab, 2)
    return tab.page.evaluate(FROM_END)


def press(tab, latest, way):
    if way == "key":
        latest.press("Enter")
        return
    latest.click()
    if way == "click and back":
        tab.page.mouse.move(*TRANSCRIPT)


def grow(tab, times):
    for _ in range(times):
        tab.page.wait_for_function(GROWN, arg=tab.page.evaluate(HEIGHT))


def missed(tab, count, chance):
    """Jump `count` times; return the distances from the end after jumps that missed it."""
    far = [jump(tab, chance) for _ in range(count)]
    tab.field.focus()
    tab.page.keyboard.press("Escape")
    expect(tab.answers.last).to_have_attribute("data-status", "stopped")
    return [distance for distance in far if distance > 1]


def test_a_jump_to_the_latest_stays_there_while_an_answer_grows(reading):
    assert missed(reading, 8, Random(8)) == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_none_of_five_hundred_jumps_misses(reading, seed):
    assert missed(reading, 25, Random(seed)) == []
