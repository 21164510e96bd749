"""In development, the page loads the scripts' source files, and works as usual."""

from playwright.sync_api import expect

from tests.browser.tab import Tab
from tests.provider import Reply
from tests.servers import running


def test_the_page_works_with_the_sources_themselves(somebody, migrated, provider, tmp_path):
    provider.script(Reply(text=["An answer."]))
    loaded = []

    def note(response):
        loaded.append(response.url.rpartition("/")[2])

    with running(migrated, tmp_path / "data", DEBUG="true", **provider.environment) as server:
        tab = Tab(somebody().new_page(), server)
        tab.page.on("response", note)
        tab.open()
        tab.ask("Hello?")
        tab.page.get_by_role("button", name="Inspector", exact=True).click()
        expect(tab.page.locator("#panel .inspector")).to_be_visible()

    assert {"main.js", "events.js", "socket.js", "inspector.js", "zones.js"} <= {*loaded}
