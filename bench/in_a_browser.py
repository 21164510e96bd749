"""Measure in Chromium: the first paint of pages visited before, and the elements and long tasks
that a streamed answer adds to a chat of 300 turns.

To Chromium a task is long if it takes 50 ms or more. On a busy machine that includes waiting for a
processor.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from bench.tables import milliseconds, print_table
from deploy import chromium
from tests.people import Person
from tests.provider import Provider, Reply
from tests.servers import AppServer, migrated_folder

LOADS = 10
SHORT, LONG = 100, 300  # How many turns the chats have.
PATIENCE_MS = 120_000
FREE = {"SENDS_PER_MINUTE": "0"}
ANSWER = "# Stop\n\nBy the **sea**.\n\n- a `berth`\n\n| nights | cost |\n|--|--|\n| 2 | 85 |"
WORDS = [f"The {number}th stop is **by the sea**, `{number}` km on.\n\n" for number in range(150)]
PAINT = """() => new Promise((settle) => {
  const seen = (list) => {
    const paint = list.getEntriesByName("first-contentful-paint")[0];
    if (paint) settle(paint.startTime);
  };
  new PerformanceObserver(seen).observe({ type: "paint", buffered: true });
})"""
WATCH = """() => {
  window.longTasks = [];
  const note = (list) => longTasks.push(...list.getEntries().map(({ duration }) => duration));
  new PerformanceObserver(note).observe({ type: "longtask" });
}"""


def main() -> None:
    expect.set_options(timeout=PATIENCE_MS)
    with ExitStack() as stack:
        provider = stack.enter_context(Provider())
        folder = migrated_folder(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "data")
        server = AppServer(folder, provider.environment | FREE)
        stack.callback(server.close)
        server.start()
        person = Person(server)
        paths = {
            "a new chat": "/chat?agent=demo",
            f"a chat of {2 * SHORT} messages": talked(person, provider, SHORT),
            f"a chat of {2 * LONG} messages": talked(person, provider, LONG),
        }
        page = stack.enter_context(opened(person))
        rows = [[name, *painted(page, server.url + path)] for name, path in paths.items()]
        print_table("First contentful paint", ["", f"median of {LOADS}", "slowest"], rows)
        whole_chat(page)
        print_table(
            f"An answer streams into a chat of {LONG} turns, all loaded",
            ["elements before", "after", "tasks over 50 ms", "longest"],
            [streamed(page, provider)],
        )


def talked(person: Person, provider: Provider, turns: int) -> str:
    """Hold a conversation of this many turns; return its path."""
    provider.script(*[Reply(text=[ANSWER])] * turns)
    with person.tab() as tab:
        ack, _ = tab.ask("Where do we go?", agent="demo")
        for turn in range(1, turns):
            tab.ask("And then?", conversation=ack["conversation"], head=2 * turn - 1)
    return f"/chat/{ack['conversation']}"


@contextmanager
def opened(person: Person) -> Iterator[Page]:
    """Open a new page in a browser that has the person's cookies."""
    cookies: list[Any] = [
        {"name": cookie.name, "value": cookie.value or "", "url": person.server.url}
        for cookie in person.http.cookies.jar
    ]
    path = chromium.find() or sys.exit("There is no Chromium on this machine.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = browser.new_context()
        context.add_cookies(cookies)
        yield context.new_page()
        browser.close()


def painted(page: Page, address: str) -> list[str]:
    """Return the median and the maximum time to the first paint, with filled caches."""
    times = []
    for _ in range(LOADS + 1):
        page.goto("about:blank")
        page.goto(address)
        times.append(page.evaluate(PAINT))
    return [milliseconds(median(times[1:])), milliseconds(max(times[1:]))]


def whole_chat(page: Page) -> None:
    """Load all earlier messages of the chat that is shown, and go back to its end."""
    shown = page.locator(".message")
    while (button := page.locator(".unloaded")).count():
        before = shown.count()
        button.first.evaluate("button => button.click()")
        expect(shown).not_to_have_count(before)
    expect(shown).to_have_count(2 * LONG)
    page.locator(".message").last.scroll_into_view_if_needed()


def streamed(page: Page, provider: Provider) -> list[str]:
    """Count the elements before and after an answer, and its long tasks; time the longest one."""
    provider.script(Reply(text=WORDS, delay=0.03))
    before = elements(page)
    page.evaluate(WATCH)
    page.locator("#text").fill("Tell me all of it")
    page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_have_count(LONG + 1)
    expect(page.locator(".answer").last).to_have_attribute("data-status", "done")
    tasks = page.evaluate("longTasks")
    longest = milliseconds(max(tasks)) if tasks else "-"
    return [f"{before:,}", f"{elements(page):,}", str(len(tasks)), longest]


def elements(page: Page) -> int:
    return int(page.evaluate("document.getElementsByTagName('*').length"))


if __name__ == "__main__":
    main()
