"""Check that a Chromium can load every script: no syntax error, no name declared twice, no import
of a name that is not exported. The scripts are read, and not run.
"""

import os
import sys
from pathlib import Path

from playwright.sync_api import Route, sync_playwright

from deploy import chromium

SCRIPTS = Path(__file__).parent.parent / "static" / "js"
ORIGIN = "http://scripts.test"
NO_CHROMIUM = "NOT CHECKED: no Chromium was found. Install one, or say where it is: CHROMIUM=/path"
# From each script the page imports a name that no script exports. So the browser reads the script
# and all that it imports, but runs none of it. This wrong import itself is not counted as a fault.
READ = """async (names) => {
  const faults = new Set();
  const note = ({ filename, lineno, message }) => {
    if (filename !== location.href) faults.add(`${filename}:${lineno}: ${message}`);
  };
  addEventListener("error", note);
  for (const name of names) {
    await new Promise((read) => {
      addEventListener("error", read, { capture: true, once: true });
      const script = document.createElement("script");
      script.type = "module";
      script.textContent = `import { nobodyExportsThis } from "./${name}";`;
      document.head.append(script);
    });
  }
  return [...faults];
}"""


def main(folder: Path) -> int:
    browser = chromium.find()
    if browser is None:
        print(NO_CHROMIUM, file=sys.stderr)
        return int(os.environ.get("CI") == "true")
    found = faults(folder, browser)
    for fault in found:
        print(fault, file=sys.stderr)
    return int(bool(found))


def faults(folder: Path, browser: str) -> list[str]:
    """Return each fault, with its script and line."""

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(f"{ORIGIN}/")
        if not name:
            route.fulfill(body="<!doctype html>", content_type="text/html")
        elif (folder / name).exists():
            route.fulfill(path=folder / name, content_type="text/javascript")
        else:
            missing.add(f"{name}: there is no such script")
            route.fulfill(status=404)

    missing: set[str] = set()
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=browser).new_page()
        page.route("**/*", serve)
        page.goto(f"{ORIGIN}/")
        names = [str(file.relative_to(folder)) for file in sorted(folder.rglob("*.js"))]
        found: list[str] = page.evaluate(READ, names)
    return [*sorted(missing), *(fault.removeprefix(f"{ORIGIN}/") for fault in found)]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if sys.argv[1:] else SCRIPTS))
