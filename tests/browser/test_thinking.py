"""A model's thinking is folded above its answer, live and later, and is not part of the answer."""

import re

import pytest
from playwright.sync_api import expect

from tests.provider import Reply

THINKING = ["First I ", "add **the** numbers.\n", "Then <b>I</b> check."]
THOUGHT = "".join(THINKING)
USAGE = {
    "prompt_tokens": 9,
    "completion_tokens": 1210,
    "completion_tokens_details": {"reasoning_tokens": 1204},
}


@pytest.mark.daily
def test_thinking_is_shown_while_it_goes_on_and_kept_with_the_answer(tab, provider):
    """Opened by keyboard, the thinking stays open; a tab that is loaded meanwhile shows it, too."""
    reply = Reply(thinking=THINKING, text=["Seven."], hang_after=3, usage=USAGE)
    provider.script(reply)
    tab.open()
    tab.say("What is 3 + 4?")
    thought = tab.answers.last.locator(".thought")
    label = thought.locator(".label")

    expect(label).to_have_text(re.compile(r"Thinking for [1-9]\d* s"))
    tab.page.reload()
    expect(label).to_have_text(re.compile(r"Thinking for [2-9]\d* s"))
    thought.locator("summary").focus()
    tab.page.keyboard.press("Enter")
    expect(thought.locator("pre")).to_have_text(THOUGHT)
    expect(thought.locator("pre")).to_be_visible()

    provider.release()
    expect(tab.answers.last).to_have_attribute("data-status", "done")
    for is_open in (True, False):
        expect(label).to_have_text(re.compile(r"Thought for \d+ s"))
        expect(thought.locator(".size")).to_have_text("1,204 tokens")
        expect(thought.locator("pre")).to_have_text(THOUGHT)
        expect(thought.locator("pre")).to_be_visible(visible=is_open)
        assert tab.answers.last.locator("template.source").inner_html() == "Seven."
        expect(tab.page.locator("#final")).to_have_text("Seven." if is_open else "")
        tab.page.reload()


def test_a_silent_thinker_is_said_to_think(tab, provider):
    """When the answer begins, the label disappears, unless some thinking was shown."""
    provider.script(Reply(text=["Seven."], hang_after=0))
    tab.open()
    tab.say("What is 3 + 4?")
    thought = tab.answers.last.locator(".thought")

    expect(thought.locator(".label")).to_have_text(re.compile(r"Thinking for [3-9] s"))
    provider.release()
    expect(tab.answers.last).to_have_attribute("data-status", "done")
    expect(thought).to_have_count(0)


def test_a_stopped_answer_keeps_what_was_thought(tab, provider):
    provider.script(Reply(thinking=THINKING, text=["Seven."], hang_after=3))
    tab.open()
    tab.say("What is 3 + 4?")
    expect(tab.answers.last.locator(".thought pre")).to_have_text(THOUGHT)
    tab.page.keyboard.press("Escape")
    expect(tab.answers.last).to_have_attribute("data-status", "stopped")

    for _ in range(2):
        expect(tab.answers.last.locator(".thought pre")).to_have_text(THOUGHT)
        tab.page.reload()
    provider.script(Reply(text=["Eight."]))
    tab.ask("And 4 + 4?")
    sent = provider.requests[-1]["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "user"]
