"""The page tells people soon that their network is lost, before the connection itself times out."""

from queue import Queue

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab, words
from tests.faults.proxy import Proxy
from tests.patience import seconds
from tests.provider import Reply

LOST = ("WebSocket", "INTERNET_DISCONNECTED", "Failed to fetch")
SOON_MS = 1_000 * seconds(12)  # From the silence alone, the page would know only after 40 s.
TOLD_MS = 10_000  # Milliseconds by the page's clock, which the test moves.
RECONNECTING = "Connection lost. Reconnecting…"
OFFLINE = "You're offline. We'll reconnect when the network is back…"


@pytest.fixture
def line(served):
    """Put a proxy before the server that can freeze the connection without telling either end."""
    with Proxy([served.listener.getsockname()[1]]) as proxy:
        yield proxy


@pytest.fixture
def far(somebody, served, provider, complaints, line):
    """Open a tab through the proxy, with one answer in its chat."""
    tab = Tab(somebody().new_page(), served)
    tab.page.goto(f"http://127.0.0.1:{line.port}/chat?agent=demo")
    expect(tab.field).to_be_focused()
    tab.ask("one")
    yield tab
    tab.page.close()
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


def test_what_could_not_be_done_is_told_no_longer_than_that_is_so(far, line, provider):
    """The notice goes once the network is back, even if the focus is on it."""
    toast, told = far.page.locator(".toast"), far.page.locator("#connection")
    provider.script(Reply(text=words(0, 40), hang_after=20))
    far.say("Count")
    expect(far.answers.last).to_contain_text("w19")
    for try_it, sentence in (
        (lambda: far.page.keyboard.press("Escape"), "Not stopped"),
        (far.page.get_by_role("link", name="New chat").first.click, "Can't reach the server."),
    ):
        with line.frozen():
            far.page.context.set_offline(True)
            expect(told).to_be_visible(timeout=SOON_MS)
            try_it()
            expect(toast).to_contain_text(sentence)
            toast.get_by_role("button", name="Dismiss").focus()
        far.page.context.set_offline(False)

        expect(told).to_be_hidden()
        expect(toast).to_have_count(0)
        expect(far.field).to_be_focused()
        expect(far.page.locator("#problem")).to_be_hidden()


def by_the_tests_clock(far):
    """Install a clock that the test controls, and reload so that every timer uses that clock."""
    far.page.clock.install()
    far.page.reload()
    expect(far.answers).to_have_count(1)
    expect(far.field).to_be_focused()


@pytest.mark.daily
def test_a_line_that_dies_silently_under_an_answer_is_told_and_nothing_is_lost(far, line, provider):
    told = far.page.locator("#connection")
    provider.script(Reply(text=words(0, 40), hang_after=20))
    by_the_tests_clock(far)
    far.say("Count")
    expect(far.answers.last).to_contain_text("w19")

    with line.frozen():
        line.swallow()
        far.page.clock.run_for(TOLD_MS)
        expect(told).to_contain_text(RECONNECTING, timeout=1_000 * seconds(2))

    provider.release()
    expect(told).to_be_hidden()
    expect(far.answers.last).to_have_attribute("data-status", "done")
    assert far.said()[-1] == "".join(words(0, 40)).strip()


def test_a_message_that_a_dead_line_swallows_is_sent_again(far, line):
    by_the_tests_clock(far)
    line.swallow()
    far.say("two")
    far.page.clock.run_for(TOLD_MS)

    expect(far.answers).to_have_count(2)
    expect(far.answers.last).to_have_attribute("data-status", "done")


@pytest.mark.parametrize("leaves", [False, True], ids=["stays", "leaves"])
def test_a_message_that_a_dead_line_swallowed_says_that_it_waits(far, line, leaves):
    """It cannot be taken back, because nobody knows whether the server has it."""
    chat = far.page.url
    by_the_tests_clock(far)
    with line.frozen():
        far.say("two")
        sending = far.page.locator(".sending")
        expect(sending).to_contain_text("Sending…")
        far.page.clock.run_for(TOLD_MS)
        expect(sending).to_contain_text("Waiting for the connection…")
        expect(sending.get_by_role("button", name="Take back")).to_be_hidden()
        if leaves:
            far.page.goto("about:blank")

    if leaves:
        far.page.goto(chat)
    expect(far.answers).to_have_count(2)
    expect(far.answers.last).to_have_attribute("data-status", "done")
    expect(far.page.locator(".send-state")).to_have_count(0)
    assert far.said()[::2] == ["one", "two"]


def test_an_edit_that_a_dead_line_swallowed_says_that_it_waits(far, line):
    by_the_tests_clock(far)
    message = far.page.locator(".message[data-role=user]")
    message.get_by_role("button", name="Edit the message").click()
    message.locator("textarea").fill("another")
    with line.frozen():
        far.page.keyboard.press("Enter")
        far.page.clock.run_for(TOLD_MS)
        expect(message.locator(".edit-form")).to_contain_text("Waiting for the connection…")

    expect(message.locator(".bubble")).to_have_text("another")


def test_an_idle_line_is_not_asked_more_often(far):
    frames = Queue()
    far.page.on("websocket", lambda socket: socket.on("framesent", frames.put))
    by_the_tests_clock(far)
    far.page.clock.run_for(15_000)

    assert len([frame for frame in frames.queue if "ping" in frame]) <= 1
