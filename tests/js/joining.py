"""Run scripts in Chromium as separate files and joined; print what each way did.

The scripts use every form of import and export, and add what they do to the list `said`. Playwright
needs a process of its own.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, Route, sync_playwright

from chatapp.server.joined.joining import joined

ORIGIN = "http://joined.test"
SCRIPTS = {
    "main": """
import { add, Box as Chest, numbers } from "./state.js";
import * as all from "./listed.js";
import "./silent.js";

said.push("main", add(), new Chest().kept, [...numbers()], all.second(), all.first);
addEventListener("wanted", async () => {
  const [one, other] = [await import("./one.js"), await import("./other.js")];
  said.push(one.begin(), other.begin(), Object.keys(one), add(), await all.later());
  done();
});
""",
    "state": """
// A line with the words import { x } from "./x.js"; is a comment.
said.push("state");
let count = 0;
export const add = () => (count += 1);
export class Box {
  kept = `
    export const kept = 1;`;
}
export function* numbers() {
  yield 1;
}
""",
    "listed": """
import { add } from "./state.js";

said.push("listed", add(), typeof said === "object", this === undefined);
const one = () => "second";
const first = "first";
export { first, one as second };
export async function later() {
  return "later";
}
""",
    "silent": 'const add = "of its own";\nsaid.push("silent", add);\n',
    "one": """
import { add } from "./state.js";
import { shared } from "./shared.js";
import { own } from "./own.js";

const show = () => ["one", add(), shared(), own];
export { show as begin };
""",
    "other": """
const before = state.add;
import * as state from "./state.js";
import { shared } from "./shared.js";

export const begin = () => ["other", before(), shared()];
""",
    "shared": 'let times = 0;\nsaid.push("shared");\nexport const shared = () => (times += 1);\n',
    "own": 'export const own = "own";\nsaid.push(own);\n',
    "providers": "",
}
RUN = """() => new Promise((done, failed) => {
  Object.assign(window, { said: [], done: () => done(said) });
  const script = document.createElement("script");
  Object.assign(script, { type: "module", src: "/main.js" });
  script.onload = () => dispatchEvent(new Event("wanted"));
  addEventListener("error", ({ message }) => failed(new Error(message)));
  document.head.append(script);
})"""


def outcome(page: Page, texts: dict[str, str]) -> list[object]:
    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(f"{ORIGIN}/").removesuffix(".js")
        kind = "text/javascript" if name else "text/html"
        route.fulfill(body=texts[name] if name else "<!doctype html>", content_type=kind)

    page.route("**/*", serve)
    page.goto(f"{ORIGIN}/")
    said: list[object] = page.evaluate(RUN)
    return said


def main(chromium: str) -> None:
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        for name, text in SCRIPTS.items():
            Path(folder, f"{name}.js").write_text(text)
        browser = playwright.chromium.launch(executable_path=chromium)
        ways = (SCRIPTS, joined(Path(folder)))
        json.dump([outcome(browser.new_page(), texts) for texts in ways], sys.stdout)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
