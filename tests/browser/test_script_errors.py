"""The page reports a failing script once, with advice on what to do."""

import pytest
from playwright.sync_api import expect

SENTENCE = "Something went wrong on this page. Reload to see what was saved."


@pytest.fixture
def complaints():
    """Ignore the browser's errors, since the tests break scripts on purpose."""
    return []


@pytest.fixture
def fault(tab):
    return tab.page.locator("#fault .toast")


def break_scripts(tab, line):
    """Add a line at the beginning of the page's main script."""

    def serve(route):
        body = route.fetch().text()
        route.fulfill(body=f"{line}\n{body}", content_type="text/javascript")

    tab.page.route("**/js/main.js", serve)


@pytest.mark.parametrize(
    "fails",
    [
        pytest.param("throw new Error('broken')", id="thrown"),
        pytest.param("Promise.reject(new Error('broken'))", id="rejected"),
        pytest.param("nothing.of.the.kind()", id="a name that is not there"),
    ],
)
def test_an_error_is_told_once_with_a_way_out(tab, fault, fails):
    break_scripts(tab, f"document.addEventListener('click', () => {{ {fails} }});")
    tab.open()
    for _ in range(3):
        tab.page.locator("#title").click()
    expect(fault).to_have_text(f"{SENTENCE} Reload", use_inner_text=True)

    fault.get_by_role("button", name="Dismiss").click()
    tab.page.locator("#title").click()

    expect(fault).to_have_count(0)


@pytest.mark.daily
def test_a_reload_brings_back_what_was_being_written(tab, fault):
    break_scripts(tab, "null.x;")
    tab.page.goto(f"{tab.server.url}/chat?agent=demo")
    expect(fault).to_contain_text(SENTENCE)
    tab.page.unroute_all()

    fault.get_by_role("button", name="Reload").press("Enter")

    expect(tab.field).to_be_focused()
    expect(fault).to_have_count(0)


@pytest.mark.parametrize("name", ["main.js", "../vendor/htmx-4.0.1.min.js"])
def test_a_script_that_cannot_be_loaded_is_told(tab, fault, name):
    tab.page.route(f"**/{name.removeprefix('../')}", lambda route: route.abort())

    tab.page.goto(f"{tab.server.url}/chat?agent=demo")

    expect(fault).to_contain_text(SENTENCE)


HARMLESS = {
    "a fetch given up": """const given = new AbortController();
        fetch("/healthz", { signal: given.signal }); given.abort();""",
    "a fetch without a server": "fetch('http://127.0.0.1:1/');",
    "an observer that is called too often": """
        const watched = document.body.appendChild(document.createElement("p"));
        const grow = () => (watched.style.width = `${watched.clientWidth + 1}px`);
        new ResizeObserver(grow).observe(watched); setTimeout(() => watched.remove(), 500);""",
    "another site's script": "dispatchEvent(new ErrorEvent('error', {message: 'Script error.'}));",
}


@pytest.mark.parametrize("fails", HARMLESS.values(), ids=HARMLESS)
def test_what_is_harmless_is_not_told(tab, fault, fails):
    break_scripts(tab, fails)
    tab.open()
    tab.ask("Hello?")

    expect(fault).to_have_count(0)
