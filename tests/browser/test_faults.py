"""What people see after a failure, and how they continue."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab, words
from tests.people import Person
from tests.provider import Reply
from tests.running.raw_connections import warm
from tests.servers import running

LOST = (
    "WebSocket",
    "net::ERR_",
    "Failed to fetch",
    "timeout",
)  # Parts of a browser's errors about a server that is away.


@pytest.fixture(scope="module")
def fragile(migrated, package_provider, tmp_path_factory):
    """Run a server that tests may kill; each test starts it again."""
    folder = tmp_path_factory.mktemp("fragile") / "data"
    with running(migrated, folder, **package_provider.environment) as server:
        warm(Person(server))
        yield server


@pytest.fixture
def lost_connections(complaints):
    """Ignore network errors, since the test takes the server away."""
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
    expect(tab.page.locator("#status")).to_have_text("Connection lost. Reconnecting…")
    fragile.start()

    expect(tab.answers).to_contain_text("Interrupted")
    expect(tab.page.locator("#connection")).to_be_hidden()
    expect(tab.page.locator("#status")).to_have_text("Interrupted, 30 words")
    assert tab.said() == ["Count", "".join(words(0, 30)).strip()]
    tab.page.get_by_role("button", name="Continue").click()
    expect(tab.answers.nth(1)).to_have_attribute("data-status", "done")
    assert tab.said()[1:] == ["", "".join(words(0, 40)).strip()]
    assert len(provider.requests) == 2


@pytest.mark.usefixtures("lost_connections")
def test_a_screen_reader_hears_that_the_connection_is_lost_and_back(somebody, fragile):
    tab = Tab(somebody().new_page(), fragile)
    tab.open()
    tab.ask("one")
    status = tab.page.locator("#status")
    fragile.kill()
    expect(status).to_have_text("Connection lost. Reconnecting…")
    fragile.start()

    expect(status).to_have_text("Connected again.")


@pytest.mark.usefixtures("lost_connections")
def test_nobody_has_to_wait_for_the_next_attempt(somebody, fragile):
    tab = Tab(somebody().new_page(), fragile)
    tab.open()
    tab.ask("one")
    fragile.kill()
    again = tab.page.get_by_role("button", name="Try now")
    expect(again).to_be_visible()
    with tab.page.expect_websocket():
        again.press("Enter")
    fragile.start()

    expect(tab.page.locator("#connection")).to_be_hidden()
    expect(tab.field).to_be_focused()


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
    tab.say("three")
    expect(tab.page.locator("#problem")).to_contain_text("still on its way")
    fragile.start()

    expect(tab.answers.nth(1)).to_have_attribute("data-status", "done")
    expect(tab.page.locator("#problem")).to_be_hidden()
    expect(tab.field).to_have_value("three")
    assert tab.said() == ["one", "reply 1", "two", "reply 2"]
    assert len(provider.requests) == 2


OF_ANOTHER = """([path]) => localStorage.setItem("outbox:somebody-else:1", JSON.stringify({
  frame: {type: "send", client_msg_id: "1", conversation: path.split("/").pop(), text: "Not mine"},
  since: Date.now()}))"""


@pytest.mark.usefixtures("lost_connections")
def test_a_waiting_message_survives_leaving_the_page_and_can_be_taken_back(
    somebody, fragile, provider
):
    tab = Tab(somebody().new_page(), fragile)
    tab.open()
    tab.ask("one")
    path = tab.path
    tab.page.evaluate(OF_ANOTHER, [path])
    fragile.kill()
    expect(tab.page.locator("#connection")).to_contain_text("Reconnecting")
    tab.say("two")
    tab.page.get_by_role("button", name="Take back").click()
    expect(tab.page.locator(".sending")).to_have_count(0)
    expect(tab.field).to_have_value("two")
    expect(tab.field).to_be_focused()

    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_role("button", name="Take back")).to_be_visible()
    tab.page.goto("about:blank")
    fragile.start()
    tab.open(path)

    expect(tab.answers.nth(1)).to_have_attribute("data-status", "done")
    expect(tab.field).to_have_value("")
    tab.page.reload()
    expect(tab.answers).to_have_count(2)
    assert tab.said() == ["one", "reply 1", "two", "reply 2"]
    assert len(provider.requests) == 2
    assert tab.page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('outbox'))") == [
        "outbox:somebody-else:1"
    ]


@pytest.mark.usefixtures("lost_connections")
def test_after_a_crash_a_follow_up_waits_for_its_person(somebody, fragile, provider):
    tab = Tab(somebody().new_page(), fragile)
    tab.open()
    provider.script(Reply(text=words(0, 30), hang_after=30), Reply(text=["Second."]))
    tab.say("First")
    expect(tab.answers).to_contain_text("w29")
    tab.say("And then?")
    waiting = tab.page.locator("#follow-up")
    expect(waiting).to_contain_text("And then?")

    fragile.kill()
    fragile.start()

    expect(waiting).to_contain_text("The answer didn't finish, so this is still waiting")
    expect(tab.page.locator("#status")).to_contain_text("Interrupted")
    waiting.get_by_role("button", name="Send now").click()
    expect(tab.answers.nth(1)).to_have_attribute("data-status", "done")
    assert tab.said()[2:] == ["And then?", "Second."]


@pytest.mark.usefixtures("lost_connections")
@pytest.mark.parametrize("leaves", [False, True], ids=["from its page", "after leaving it"])
def test_a_follow_up_written_while_the_server_is_away_waits_for_the_rest_of_the_answer(
    somebody, fragile, provider, leaves
):
    tab = Tab(somebody().new_page(), fragile)
    tab.open()
    provider.script(Reply(text=words(0, 30), hang_after=30), Reply(text=words(30, 40)))
    tab.say("First")
    expect(tab.answers).to_contain_text("w29")
    fragile.wait_for_log("w29")
    other = tab.another(tab.path)
    expect(other.answers).to_contain_text("w29")
    fragile.kill()
    tab.page.bring_to_front()
    expect(tab.page.locator("#connection")).to_contain_text("Reconnecting")
    expect(tab.page.locator(".hint:visible")).to_have_count(0)
    tab.say("Second")
    sending = tab.page.locator(".sending")
    expect(sending).to_contain_text("when the connection is back and the answer is done.")
    expect(sending.get_by_role("button", name="Take back")).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(tab.page.locator("#toasts")).to_contain_text("Not stopped")
    path = tab.path
    if leaves:
        tab.page.goto("about:blank")
    fragile.start()
    if leaves:
        tab.open(path)

    for each in (tab, other):
        expect(each.answers.first).to_have_attribute("data-status", "interrupted")
        expect(each.answers.first.locator(".tail")).to_have_count(0)
        expect(each.page.locator(".sending")).to_have_count(0)
        expect(each.page.locator("#follow-up")).to_contain_text("Second")
        expect(each.page.locator("#follow-up")).to_contain_text("The answer didn't finish")
        expect(each.page.locator(".hint.ready")).to_be_visible()
    assert tab.page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('outbox:'))") == []
    tab.page.get_by_role("button", name="Continue").click()

    for each in (tab, other):
        each.page.bring_to_front()
        expect(each.answers).to_have_count(3)
        expect(each.answers.last).to_have_attribute("data-status", "done")
        expect(each.page.locator("#follow-up")).to_be_hidden()
        assert each.said()[2:] == ["".join(words(0, 40)).strip(), "Second", "reply 3"]
    assert len(provider.requests) == 3


@pytest.mark.usefixtures("lost_connections")
def test_without_a_connection_nobody_counts_how_long_a_model_thinks(somebody, fragile, provider):
    tab = Tab(somebody().new_page(), fragile)
    tab.page.clock.install()
    tab.open()
    provider.script(Reply(thinking=["Hm. "], text=["Seven."], hang_after=1))
    tab.say("What is 3 + 4?")
    label = tab.page.locator(".thought .label")
    expect(label).to_contain_text("Thinking for")
    fragile.kill()

    lost = re.compile(r"The connection was lost after \d+ s of thinking")
    expect(label).to_have_text(lost)
    told = label.inner_text()
    tab.page.clock.fast_forward("00:05")
    assert label.inner_text() == told
    fragile.start()
    expect(tab.answers).to_have_attribute("data-status", "interrupted")
    expect(tab.page.locator("body")).not_to_have_attribute("data-lost", "")


@pytest.mark.usefixtures("lost_connections")
def test_the_first_message_of_all_survives_leaving_the_page_and_is_sent_once(
    somebody, fragile, provider
):
    tab = Tab(somebody().new_page(), fragile)
    tab.open()
    fragile.kill()
    tab.say("Anybody?")
    expect(tab.page.locator(".send-state")).to_contain_text("when the connection is back")
    tab.page.get_by_role("button", name="Take back").click()
    expect(tab.field).to_have_value("Anybody?")
    expect(tab.page.locator(".welcome")).to_be_visible()
    tab.page.keyboard.press("Enter")
    expect(tab.page.get_by_role("button", name="Take back")).to_be_visible()
    tab.page.goto("about:blank")
    fragile.start()
    tab.open()

    expect(tab.answers).to_have_attribute("data-status", "done")
    expect(tab.page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}"))
    expect(tab.field).to_have_value("")
    tab.open("/chat?agent=demo")
    expect(tab.page.locator(".welcome")).to_be_visible()
    assert len(provider.requests) == 1
    assert not tab.page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('outbox'))")


@pytest.mark.usefixtures("lost_connections")
def test_the_first_message_of_all_is_sent_from_its_page_when_there_is_a_network_again(
    somebody, served, provider
):
    tab = Tab(somebody().new_page(), served)
    tab.open()
    tab.page.context.set_offline(True)
    tab.say("Anybody?")
    expect(tab.page.locator(".send-state")).to_contain_text("when the connection is back")
    tab.page.context.set_offline(False)

    expect(tab.answers).to_have_attribute("data-status", "done")
    assert tab.said() == ["Anybody?", "reply 1"]


@pytest.mark.daily
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
    """The page must not send this message: the server would close every socket that brings it."""
    with running(migrated, tmp_path / "data", MAX_MESSAGE_BYTES="1000") as server:
        tab = Tab(somebody().new_page(), server)
        tab.open()
        long = "x " * 50_000
        tab.field.fill(long)
        tab.page.keyboard.press("Enter")

        problem = tab.page.locator("#problem")
        expect(problem).to_contain_text("This message is too long (100 kB; the limit is 1 kB).")
        expect(tab.field).to_have_value(long)
        tab.field.fill("two")
        tab.page.keyboard.press("Enter")
        expect(tab.page).to_have_url(re.compile("/chat/"))
        expect(problem).to_be_hidden()
        tab.page.close()  # Stops requests before the server ends.
