"""Whoever has lost the network is told so, long before the silence of the line would show it."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab
from tests.faults.proxy import Proxy
from tests.patience import seconds

LOST = ("WebSocket", "INTERNET_DISCONNECTED", "Failed to fetch")
SOON_MS = 1_000 * seconds(12)  # Silence alone would show it after 40 seconds.
OFFLINE = "You're offline. We'll reconnect when the network is back…"


@pytest.fixture
def line(served):
    """A line to the server that can be cut without a word to either end."""
    with Proxy([served.listener.getsockname()[1]]) as proxy:
        yield proxy


@pytest.fixture
def far(somebody, served, provider, complaints, line):
    """A tab at the other end of the line, with an answer in it."""
    tab = Tab(somebody().new_page(), served)
    tab.page.goto(f"http://127.0.0.1:{line.port}/chat?agent=demo")
    expect(tab.field).to_be_focused()
    tab.ask("one")
    yield tab
    complaints[:] = [told for told in complaints if not any(lost in told for lost in LOST)]


def test_a_cut_network_is_shown_and_read_out_until_it_is_back(far, line):
    told, status = far.page.locator("#connection"), far.page.locator("#status")
    with line.frozen():
        far.page.context.set_offline(True)
        expect(told).to_have_text(OFFLINE, timeout=SOON_MS)
        expect(told).to_be_in_viewport(ratio=1)
        expect(status).to_have_text(OFFLINE)
    far.page.context.set_offline(False)

    expect(status).to_have_text("Connected again.")
    expect(told).to_be_hidden()
    far.field.focus()
    far.ask("two")
