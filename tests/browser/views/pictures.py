"""Draw docs/images/views and write docs/pictures.md: `make pictures`.

Ten views of the app that `home` makes are drawn at three widths, in light and dark.
"""

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypeAlias

from PIL import Image
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from deploy import chromium
from tests.browser.tab import Tab
from tests.browser.views import walks
from tests.browser.views.home import Home, furnished
from tests.patience import PATIENCE
from tests.servers import migrated_folder

DOCS = Path(__file__).parents[3] / "docs"
FOLDER, PAGE = DOCS / "images" / "views", DOCS / "pictures.md"
PATIENCE_MS = 1_000 * PATIENCE
SIZES = {1440: 900, 768: 1024, 390: 844}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
COLOURS = (128, 64, 32)  # Numbers of colours to try, from the best.
MOST_EACH = 60_000  # The most bytes of a picture, if possible.
Walk: TypeAlias = Callable[[Tab], None]


@dataclass(frozen=True, slots=True)
class Pictured:
    """A view to draw: its file's name, its address and steps, and a caption."""

    name: str
    path: str
    walk: Walk
    caption: str
    is_ours: bool = True  # Whether the signed-in person Ada sees it.


PICTURED = (
    Pictured(
        *("first-minute", "/chat?agent=demo", walks.begin),
        "The first minute: what an agent remembers, and what to ask it",
        is_ours=False,
    ),
    Pictured("answer", "/chat/{journey}", walks.read, "An answer with a table and code"),
    Pictured(
        *("inspector", "/chat/{journey}?debug=true", walks.panel),
        "The inspector's first screen: a sentence, the conversation, the window, ways on, advice",
    ),
    Pictured(
        *("zones", "/chat/{journey}?debug=true", walks.window_and_cost),
        "Zones that are open: the window and the cost",
    ),
    Pictured(
        "what-if", "/chat/{journey}?debug=true", walks.what_if_result, "Other settings, tried"
    ),
    Pictured("search", "/chat?agent=demo", walks.search, "A search in all of one's chats"),
    Pictured("import", "/chat?agent=demo", walks.imports, "What became of an import"),
    Pictured(
        *("settings", "/chat?agent=trips", walks.settings),
        "Settings of a chat before its first message",
    ),
    Pictured(
        "account", "/account", walks.nothing, "One's own data: theme, password, export, delete"
    ),
    Pictured(
        *("agent", "/admin/agents/agenttemplate/{agent}/change/", walks.agent_form),
        "An agent's form, and beside it what it comes to in a chat",
    ),
)


@dataclass(frozen=True, slots=True)
class Picture:
    of: Pictured
    width: int
    scheme: Literal["light", "dark"]

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.of.name}-{self.width}-{self.scheme}.webp"

    @property
    def address(self) -> str:
        """Return the picture's path, relative to the page that shows it."""
        return self.path.relative_to(DOCS).as_posix()


def pictures() -> Iterator[Picture]:
    for of in PICTURED:
        for width in SIZES:
            for scheme in SCHEMES:
                yield Picture(of, width, scheme)


def draw(browser: Browser, home: Home, of: Pictured, width: int) -> None:
    """Draw one view at one width, light and dark."""
    size: ViewportSize = {"width": width, "height": SIZES[width]}
    context = browser.new_context(viewport=size, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    if of.is_ours:
        context.add_cookies(home.cookies(home.ada))
    tab = Tab(context.new_page(), home.server, folded=True)
    tab.page.goto(home.server.url + of.path.format(**home.chats))
    of.walk(tab)
    tab.page.wait_for_load_state("networkidle")
    for scheme in SCHEMES:
        tab.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        save(tab.page.screenshot(animations="disabled"), Picture(of, width, scheme).path)
    context.close()


def save(screenshot: bytes, path: Path) -> None:
    """Save a screenshot with as many colours as the size limit allows, and no other loss."""
    shown = Image.open(io.BytesIO(screenshot)).convert("RGB")
    for count in COLOURS:
        few = shown.quantize(count, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        few.convert("RGB").save(path, lossless=True, quality=100, method=6)
        if path.stat().st_size < MOST_EACH:
            return


def page() -> str:
    """Return the Markdown page that shows all pictures."""
    lines = ["# The main views", "", "`make pictures` draws them again.", ""]
    for of in PICTURED:
        lines += [f"## {of.caption}", "", "| | 1440 px | 768 px | 390 px |", "|---|---|---|---|"]
        for scheme in SCHEMES:
            cells = [
                f"![{of.caption}, {width} px, {scheme}]({Picture(of, width, scheme).address})"
                for width in SIZES
            ]
            lines.append(f"| {scheme} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def main(*names: str) -> None:
    """Write the page, and draw all views or the named ones."""
    expect.set_options(timeout=PATIENCE_MS)
    FOLDER.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page())
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        migrated = migrated_folder(Path(folder) / "migrated")
        with furnished(migrated, Path(folder) / "data") as home:
            browser = playwright.chromium.launch(executable_path=chromium.find())
            for of in PICTURED:
                for width in SIZES if not names or of.name in names else ():
                    draw(browser, home, of, width)


if __name__ == "__main__":
    main(*sys.argv[1:])
