"""Code is framed and coloured while its answer is written, and nothing below it jumps."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab, words
from tests.provider import Reply

CODE = "`|``|py|\n|def |f():|\n|    |return 1|\n|\n|f()|\n|`|``|\n"
PIECES = f"Look:\n\n|{CODE}|\n|## Ne|xt|\n\n|A long |line|END".split("|")
# Measure the answer once in every frame that is drawn, from its first code block on.
MEASURE = """() => {
  window.frames = [];
  const look = () => {
    const body = document.querySelector(".answer:last-of-type .answer-body");
    const code = body?.querySelector("pre");
    const top = (element) => element?.getBoundingClientRect().top;
    const place = (element) => element && top(element) - top(body);
    if (code) frames.push({
      top: place(code),
      height: code.getBoundingClientRect().height,
      below: place(body.querySelector("h3")),
      bar: code.closest("figure")?.querySelector("figcaption").textContent,
    });
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.daily
def test_code_has_its_bar_at_once_and_colours_when_it_ends_and_nothing_jumps(tab, provider):
    provider.script(Reply(text=PIECES, delay=0.06, hang_after=len(PIECES) - 1))
    tab.open()
    tab.page.evaluate(MEASURE)
    tab.say("Show me code")
    answer = tab.answers.last
    expect(answer).to_contain_text("A long line")
    expect(answer.locator("figure.code .k")).to_have_text(["def", "return"])
    provider.release()
    expect(answer).to_have_attribute("data-status", "done")

    frames = tab.page.evaluate("frames")
    heights = [frame["height"] for frame in frames]
    assert heights == sorted(heights)
    assert len(set(heights)) == 4
    assert {frame["bar"] for frame in frames} == {"pyCopy"}
    assert len({frame["top"] for frame in frames}) == 1
    assert len({frame["below"] for frame in frames if frame["below"]}) == 1


@pytest.mark.daily
def test_code_can_be_copied_while_it_is_written(somebody, served, provider):
    provider.script(Reply(text=["```text\n", *words(0, 300)], delay=0.03))
    context = somebody(permissions=["clipboard-read", "clipboard-write"])
    tab = Tab(context.new_page(), served)
    tab.open()
    tab.say("Show me text")
    code = tab.answers.last.locator("pre")
    tab.answers.get_by_role("button", name="Copy", exact=True).hover()
    tab.page.mouse.down()
    expect(code).to_contain_text(f"w{len(code.inner_text().split()) + 5} ")
    tab.page.mouse.up()

    expect(tab.page.locator("#status")).to_have_text("Copied")
    assert tab.page.evaluate("() => navigator.clipboard.readText()").startswith("w0 w1 w2 ")
    tab.page.keyboard.press("Escape")
    expect(tab.answers.last).to_have_attribute("data-status", "stopped")


def test_the_focus_stays_on_copy_when_its_code_is_done_and_when_the_answer_is(tab, provider):
    text = ["Look:\n\n```py\na = 1\n", "b = 2\n", "```\n\n", *words(0, 60)]
    provider.script(Reply(text=text, delay=0.05, hang_after=1))
    tab.open()
    tab.say("Show me code")
    answer = tab.answers.last
    expect(answer.locator(".tail pre")).to_contain_text("a = 1")
    tab.press_until_focused("Shift+Tab", ".tail figure.code [data-copy]")
    provider.release()

    expect(answer).to_contain_text("w3")
    expect(answer.locator(".settled figure.code [data-copy]")).to_be_focused()
    expect(answer).to_have_attribute("data-status", "running")
    expect(answer).to_have_attribute("data-status", "done")
    expect(answer.locator("figure.code [data-copy]")).to_be_focused()
