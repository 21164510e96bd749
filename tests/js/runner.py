"""Run the JavaScript tests in Chromium; print the failures as JSON.

A test is an exported function of a `*.test.js` file in this folder; it fails by throwing.
Playwright needs a process of its own.
"""

import json
import sys
from pathlib import Path

from playwright.sync_api import Page, Route, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
ORIGIN = "http://modules.test"
RUN = """async (files) => {
  const outcomes = {};
  for (const file of files) {
    for (const [name, test] of Object.entries(await import(file))) {
      try { await test(); outcomes[name] = ""; } catch (error) { outcomes[name] = String(error); }
    }
  }
  return outcomes;
}"""


def serve(route: Route) -> None:
    """Serve the repository's scripts, and an empty page that imports them."""
    file = ROOT / route.request.url.removeprefix(f"{ORIGIN}/")
    if file.suffix == ".js":
        route.fulfill(path=file, content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html><main id=main></main>", content_type="text/html")


def outcomes(page: Page) -> dict[str, str]:
    page.route("**/*", serve)
    page.goto(f"{ORIGIN}/")
    files = sorted(Path(__file__).parent.glob("*.test.js"))
    paths = [f"/{file.relative_to(ROOT)}" for file in files]
    found: dict[str, str] = page.evaluate(RUN, paths)
    return found


def main(chromium: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        json.dump(outcomes(browser.new_page()), sys.stdout)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
