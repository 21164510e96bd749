"""What people see when something breaks, and how they go on from there."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab, words
from tests.people import Person
from tests.provider import Reply
from tests.running.raw_connections import warm
from tests.servers import running

LOST = ("WebSocket", "net::ERR_", "Failed to fetch")  # What a browser says of a server gone.


@pytest.fixture(scope="module")
def fragile(migrated, package_provider, tmp_path_factory):
    """A server to be killed; each test starts it again."""
    folder = tmp_path_factory.mktemp("fragile") / "data"
    with running(migrated, folder, **package_provider.environment) as server:
        warm(Person(server))
        yield server


@pytest.fixture
def lost_connections(complaints):
    """Errors of the network are forgiven: the test takes the server away."""
    yield
    complaints[:] = [text for text in complaints if not any(lost in text for lost in LOST)]


@pytest.mark.usefixtures("lost_connections")
def test_kill_9_in_mid_answer_and_continue(somebody, fragile, provider):
    tab = Tab(somebody().new_page(), fragile)
    tab.open()
    provider.script(Reply(text=words(0, 30), hang_after=30), Reply(text=words(30, 40)))
    tab.say("Count")
    expect(tab.answers).to_contain_text("w29")
    fragile.wait_for_log("w29")

    fragile.kill()
    expect(tab.page.locator("#connection")).to_contain_text("Reconnecting")
    fragile.start()

    expect(tab.answers).to_contain_text("Interrupted")
    expect(tab.page.locator("#connection")).to_be_hidden()
    assert tab.said() == ["Count", "".join(words(0, 30)).strip()]
    tab.page.get_by_role("button", name="Continue").click()
    expect(tab.answers.nth(1)).to_have_attribute("data-status", "done")
    assert tab.said()[2:] == ["".join(words(30, 40)).strip()]
    assert len(provider.requests) == 2


@pytest.mark.usefixtures("lost_connections")
def test_a_message_written_without_a_connection_is_sent_when_it_is_back(
    somebody, fragile, provider
):
    tab = Tab(somebody().new_page(), fragile)
    tab.open()
    tab.ask("one")
    fragile.kill()
    expect(tab.page.locator("#connection")).to_contain_text("Reconnecting")

    tab.say("two")
    expect(tab.page.locator(".send-state")).to_contain_text("when the connection is back")
    fragile.start()

    expect(tab.answers.nth(1)).to_have_attribute("data-status", "done")
    assert tab.said() == ["one", "reply 1", "two", "reply 2"]
    assert len(provider.requests) == 2


def test_a_reload_in_mid_answer_repeats_nothing(tab, provider):
    tab.open()
    provider.script(Reply(text=words(0, 60), hang_after=30))
    tab.say("Count")
    expect(tab.answers).to_contain_text("w29")

    tab.page.reload()
    expect(tab.answers).to_contain_text("w29")
    provider.release()

    expect(tab.answers).to_have_attribute("data-status", "done")
    assert tab.said() == ["Count", "".join(words(0, 60)).strip()]
    assert len(provider.requests) == 1


def test_a_refused_key_is_explained_and_retry_asks_again(tab, provider):
    canary = "sk-test-canary"
    provider.script(
        Reply(status=401, body=f'{{"error": {{"message": "bad key {canary} for: secret plan"}}}}'),
        Reply(text=["Better."]),
        Reply(status=401),
        Reply(text=["Fine."]),
    )
    tab.open()
    tab.say("My secret plan")

    card = tab.page.locator(".ending.failed")
    expect(card).to_contain_text("OpenAI rejected the key")
    assert "secret plan" not in card.inner_text()
    assert canary not in tab.page.content()
    card.get_by_role("button", name="Retry").click()
    expect(tab.answers).to_have_attribute("data-status", "done")
    assert tab.said() == ["My secret plan", "Better."]
    expect(card).to_have_count(0)

    tab.field.focus()
    tab.say("And now?")
    expect(card).to_have_count(1)
    tab.ask("Anything?")
    expect(card).to_be_visible()
    assert len(provider.requests) == 4


END_THAT_CANNOT_BE_SHOWN = """([conversation, generation]) => document.dispatchEvent(
  new CustomEvent("socket:event", {detail: {conversation, generation, seq: 9_999, kind: "end",
    data: {html: "", status: "done", words: 0}}}))"""


def test_an_end_that_cannot_be_shown_leaves_it_to_the_page(tab):
    tab.open()
    tab.ask("Hello")
    generation = tab.answers.get_attribute("data-generation")

    with tab.page.expect_response(lambda response: tab.conversation in response.url):
        tab.page.evaluate(END_THAT_CANNOT_BE_SHOWN, [tab.conversation, generation])

    expect(tab.answers).to_have_attribute("data-status", "done")
    assert tab.said() == ["Hello", "reply 1"]


def test_a_message_that_no_socket_takes_comes_back_with_a_sentence(somebody, migrated, tmp_path):
    """Beyond what one frame may hold; sent again, it would close one socket after the other."""
    with running(migrated, tmp_path / "data", MAX_MESSAGE_BYTES="1000") as server:
        tab = Tab(somebody().new_page(), server)
        tab.open()
        long = "x " * 50_000
        tab.field.fill(long)
        tab.page.keyboard.press("Enter")

        problem = tab.page.locator("#problem")
        expect(problem).to_contain_text("This message is too long to send.")
        expect(tab.field).to_have_value(long)
        tab.field.fill("two")
        tab.page.keyboard.press("Enter")
        expect(tab.page).to_have_url(re.compile("/chat/"))
        expect(problem).to_be_hidden()
        tab.page.close()  # It may still fetch its list of chats when the server goes.
