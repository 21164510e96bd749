"""A first page needs few bytes and requests; the rest loads when a person asks for more."""

import gzip

import pytest
from playwright.sync_api import expect

MOST = 75_000  # Compressed bytes of HTML, styles and scripts.
REQUESTS = 15
COUNTED = {"document", "stylesheet", "script"}


@pytest.fixture
def responses(tab):
    """Collect the responses that the tab receives."""
    found = []

    def note(response):
        found.append(response)

    tab.page.on("response", note)
    return found


def weigh(responses):
    """Map each address to the compressed length of its response, in bytes."""
    return {
        response.url: len(gzip.compress(response.body(), 9))
        for response in responses
        if response.request.resource_type in COUNTED
    }


@pytest.mark.daily
def test_a_cold_first_page_is_few_requests_and_all_of_them_compressed(tab, responses):
    tab.open()
    tab.page.wait_for_load_state("networkidle")

    addresses = [response.url for response in responses]
    assert len(addresses) <= REQUESTS, addresses
    kinds = {response.request.resource_type for response in responses}
    assert kinds >= COUNTED
    plain = [found.url for found in responses if found.headers.get("content-encoding") != "gzip"]
    assert plain == []


def test_a_page_is_light_and_the_inspector_comes_when_it_is_opened(tab, responses):
    tab.open()
    tab.page.wait_for_load_state("networkidle")
    weights = weigh(responses)
    assert sum(weights.values()) < MOST, sorted(weights.items(), key=lambda item: -item[1])

    responses.clear()
    tab.page.get_by_role("button", name="Inspector", exact=True).click()
    expect(tab.page.locator("#panel .inspector")).to_be_visible()

    loaded = {address.rsplit("/", 1)[1] for address in weigh(responses)}
    assert loaded >= {"inspector.css", "inspector.js"}
    names = {address.rsplit("/", 1)[1] for address in weights}
    assert not loaded & names
    assert names >= {"page.css", "main.js"}
