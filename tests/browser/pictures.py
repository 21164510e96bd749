"""Draw the pictures in docs/images/inspector: `python -m tests.browser.pictures`.

A fake provider answers the conversation; its model's name is a real one, whose prices apply. Then
the steps of docs/inspector.md are drawn at three widths, in light and dark.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypeAlias

from playwright.sync_api import Browser, Locator, StorageState, expect, sync_playwright

from deploy import chromium
from tests.browser.tab import Tab
from tests.patience import PATIENCE
from tests.provider import Provider, Reply
from tests.servers import AppServer, migrated_folder, running

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "inspector"
MODEL = {"DEFAULT_MODEL": "openai/gpt-4o"}
CHAT = "/chat?agent=demo&debug=true&historyPolicy=lastN&historyLength=3"
PATIENCE_MS = 1_000 * PATIENCE
SIZES = {1440: 620, 768: 1100, 390: 844}
# Questions and answers, with the tokens that the provider reports: prompt tokens, cached ones.
TURNS = (
    ("My name is Ada. We want to see Norway by train.", "Welcome, Ada! Start in Oslo.", 205, 0),
    ("We are two adults and a child of six.", "Noted: the child travels at half price.", 232, 192),
    ("Which line has the best views?", "The Bergen line, between Finse and Myrdal.", 257, 192),
    ("How long does it take?", "Not quite seven hours from Oslo to Bergen.", 262, 0),
    ("Can we break it halfway?", "Yes: one night in Finse, at 1,222 metres.", 258, 128),
    ("What is my name?", "I cannot see your name in what I was sent.", 254, 0),
)
Walk: TypeAlias = Callable[[Tab], None]


def talk(tab: Tab, provider: Provider) -> None:
    tab.open(CHAT)
    for question, answer, sent, cached in TURNS:
        details = {"prompt_tokens_details": {"cached_tokens": cached}}
        usage = {"prompt_tokens": sent, "completion_tokens": 14, **details}
        provider.script(Reply(text=[answer], usage=usage))
        tab.ask(question)
    settle(tab)


def settle(tab: Tab) -> None:
    """Wait until the panel shows the last turn with the time of each phase."""
    expect(tab.panel).to_contain_text(f"Turn {len(TURNS)} of {len(TURNS)}")
    expect(zone(tab, "Timeline").locator("tr", has_text="saving")).to_contain_text("ms")


def zone(tab: Tab, name: str) -> Locator:
    return tab.panel.get_by_role("region", name=name, exact=True)


def follow(tab: Tab, name: str) -> None:
    tab.panel.locator(".actions").get_by_role("link", name=name).click()


def short(tab: Tab) -> None:
    """Do nothing, because the first screen needs no steps."""


def why(tab: Tab) -> None:
    follow(tab, "Why?")
    tab.panel.get_by_role("button", name="Show", exact=True).click()
    expect(tab.panel.locator(".row.unsent")).to_have_count(6)
    tab.panel.locator(".row.unsent").first.focus()
    tab.page.keyboard.press("Enter")


def who(tab: Tab) -> None:
    follow(tab, "Who set it?")


def change(tab: Tab) -> None:
    follow(tab, "Try other settings")
    length = zone(tab, "What-if").get_by_label("History length")
    length.fill("6")
    changes = zone(tab, "What-if").locator(".whatif-changes")
    changes.locator("summary").click()
    expect(changes).to_contain_text("Messages 1\N{EN DASH}6")


def cost(tab: Tab) -> None:
    tab.panel.locator("#zone-cost").click()
    expect(zone(tab, "Cost").locator(".effects")).to_be_in_viewport()


@dataclass(frozen=True, slots=True)
class Picture:
    width: int
    scheme: Literal["light", "dark"]
    walk: Walk

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.walk.__name__}-{self.width}-{self.scheme}.png"


PICTURES = (
    Picture(1440, "light", short),
    Picture(1440, "light", why),
    Picture(1440, "dark", who),
    Picture(768, "light", change),
    Picture(768, "dark", cost),
    Picture(390, "light", short),
    Picture(390, "dark", why),
)


def draw(
    browser: Browser, server: AppServer, cookies: StorageState, address: str, picture: Picture
) -> None:
    context = browser.new_context(
        viewport={"width": picture.width, "height": SIZES[picture.width]},
        color_scheme=picture.scheme,
        reduced_motion="reduce",
        storage_state=cookies,
    )
    context.set_default_timeout(PATIENCE_MS)
    tab = Tab(context.new_page(), server, folded=True)
    tab.page.goto(server.url + address)
    settle(tab)
    picture.walk(tab)
    tab.page.screenshot(path=picture.path)
    context.close()


def main() -> None:
    expect.set_options(timeout=PATIENCE_MS)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as name, Provider() as provider, sync_playwright() as playwright:
        migrated = migrated_folder(Path(name) / "migrated")
        with running(migrated, Path(name) / "data", **provider.environment | MODEL) as server:
            browser = playwright.chromium.launch(executable_path=chromium.find())
            page = browser.new_page()
            page.set_default_timeout(PATIENCE_MS)
            tab = Tab(page, server)
            talk(tab, provider)
            cookies = tab.page.context.storage_state()
            for picture in PICTURES:
                draw(browser, server, cookies, tab.path, picture)


if __name__ == "__main__":
    main()
