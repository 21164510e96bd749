"""A browser's tab with the app open: what a person does and sees in it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

from tests.patience import PATIENCE
from tests.servers import AppServer

PASSWORD = "a good long password"  # Everybody who signs in has it.
WIDTH, HEIGHT = 390, 844
PHONE = {"viewport": {"width": WIDTH, "height": HEIGHT}, "is_mobile": True, "has_touch": True}
IS_PHONE = "matchMedia('(hover: none) and (pointer: coarse)').matches"
# The browser logs each violation on the console, but without the directive that was violated.
REPORT_VIOLATIONS = """addEventListener("securitypolicyviolation", ({violatedDirective, sample}) =>
  console.error(`CSP: ${violatedDirective} ${sample}`))"""

# The inspector's zones, as they are after somebody has opened each of them.
ZONES = ("settings", "summaries", "window", "map", "cost", "what-if", "timeline", "raw")
UNFOLDED = f"""if (location.protocol !== "about:")
  sessionStorage["inspector-zones"] ??= JSON.stringify({[f"zone-{zone}" for zone in ZONES]})"""

# Messages that have never been in view are not laid out, so their inner text is empty at first.
TEXTS = """() => [...document.querySelectorAll(".message")].flatMap((message) => {
  message.style.contentVisibility = "visible";
  const texts = [...message.querySelectorAll(".bubble, .answer-body")].map((e) => e.innerText);
  message.removeAttribute("style");
  return texts;
})"""


def note_complaints(context: BrowserContext, complaints: list[str]) -> None:
    """Collect console errors, uncaught errors, and violations of the Content-Security-Policy."""
    context.add_init_script(REPORT_VIOLATIONS)
    context.on(
        "console",
        lambda message: complaints.append(told(message)) if message.type == "error" else None,
    )
    context.on("weberror", lambda error: complaints.append(str(error.error)))


def told(message: ConsoleMessage) -> str:
    return f"{message.text} ({message.location['url']})"


class Tab:
    """A tab as a person uses it. It waits for visible changes, never for a number of seconds."""

    def __init__(self, page: Page, server: AppServer, *, folded: bool = False) -> None:
        """Open no zone of the inspector if `folded`; else open all zones."""
        if not folded:
            page.add_init_script(UNFOLDED)
        self.page = page
        self.server = server
        self.field = page.locator("#text")
        self.transcript = page.locator("#transcript")
        self.answers = page.locator(".answer")
        self.panel = page.locator("#panel")

    def open(self, path: str = "/chat?agent=demo") -> None:
        self.page.goto(self.server.url + path)
        expect(self.field).to_be_focused()

    def sign_in(self, name: str) -> None:
        """Sign in, and wait for a new chat with the demo agent."""
        self.page.goto(f"{self.server.url}/login?next=/chat%3Fagent=demo")
        self.page.locator("[name=username]").fill(name)
        self.page.locator("[name=password]").fill(PASSWORD)
        self.page.keyboard.press("Enter")
        expect(self.field).to_be_focused()

    def another(self, path: str) -> "Tab":
        """Open another tab for the same person."""
        tab = Tab(self.page.context.new_page(), self.server)
        tab.open(path)
        return tab

    def say(self, text: str) -> None:
        """Type and press Enter; on a phone, type into the message's field and tap the button."""
        if self.page.evaluate(IS_PHONE):
            self.field.focus()
            self.page.keyboard.type(text)
            self.page.locator("#composer .send").tap()
            return
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def ask(self, text: str) -> None:
        """Send a message, and wait for the complete answer and for the panel."""
        whole = self.page.locator('.answer[data-status="done"]')
        count = whole.count()
        self.say(text)
        expect(whole).to_have_count(count + 1)
        self.expect_a_settled_panel()

    def expect_a_settled_panel(self) -> None:
        """Wait until the panel has loaded, so that nothing replaces it during a click."""
        expect(self.page.locator('#panel[aria-busy="true"]')).to_have_count(0)

    @contextmanager
    def another_answer(self) -> Iterator[None]:
        """Wait, after this block, until a complete new answer has replaced the last one."""
        old = self.answers.last.get_attribute("data-generation")
        yield
        expect(self.page.locator(f'.answer[data-generation="{old}"]')).to_have_count(0)
        expect(self.answers.last).to_have_attribute("data-status", "done")
        self.expect_a_settled_panel()

    @property
    def conversation(self) -> str:
        return str(self.transcript.get_attribute("data-conversation"))

    @property
    def path(self) -> str:
        """Return the page's address without the server."""
        return self.page.url.removeprefix(self.server.url)

    def said(self) -> list[str]:
        """Return the texts of all messages in order, even of messages that were never in view."""
        texts: list[str] = self.page.evaluate(TEXTS)
        return texts

    def api(self, path: str) -> Any:
        """Return the API's JSON for this person, at a path below the open conversation."""
        cookies = {c["name"]: c["value"] for c in self.page.context.cookies()}
        url = f"{self.server.url}/api/conversations/{self.conversation}{path}"
        return httpx.get(url, cookies=cookies, timeout=PATIENCE).raise_for_status().json()

    def entry(self, title: str) -> Locator:
        """Find a conversation in the list by its title."""
        return self.page.locator(".chat-entry", has=self.page.get_by_role("link", name=title))

    def has_focus(self, selector: str) -> bool:
        return bool(self.page.evaluate("s => document.activeElement.matches(s)", selector))

    def press_until_focused(self, key: str, selector: str, most: int = 60) -> None:
        for _ in range(most):
            if self.has_focus(selector):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{most} times {key} did not lead to {selector}")


def words(first: int, end: int) -> list[str]:
    """Make pieces of an answer that are all different: "w7 " and so on."""
    return [f"w{number} " for number in range(first, end)]


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
