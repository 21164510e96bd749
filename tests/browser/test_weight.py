"""How much a page loads before somebody asks for more of it."""

import gzip

from playwright.sync_api import expect

MOST = 75_000  # Bytes of HTML, styles and scripts, each compressed.
COUNTED = {"document", "stylesheet", "script"}


def weigh(responses):
    """The compressed length of each address."""
    return {
        response.url: len(gzip.compress(response.body(), 9))
        for response in responses
        if response.request.resource_type in COUNTED
    }


def test_a_page_is_light_and_the_inspector_comes_when_it_is_opened(tab):
    responses = []

    def note(response):
        responses.append(response)

    tab.page.on("response", note)
    tab.open()
    tab.page.wait_for_load_state("networkidle")
    weights = weigh(responses)
    assert sum(weights.values()) < MOST, sorted(weights.items(), key=lambda item: -item[1])

    responses.clear()
    tab.page.get_by_role("button", name="Context").click()
    expect(tab.page.locator("#panel .inspector")).to_be_visible()

    loaded = {address.rsplit("/", 1)[1] for address in weigh(responses)}
    assert loaded >= {"inspector.css", "inspector.js", "panel.js"}
    names = {address.rsplit("/", 1)[1] for address in weights}
    assert not loaded & names
    assert names >= {"page.css", "main.js"}
