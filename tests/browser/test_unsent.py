"""The page never says that a model saw something that was not sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD, Tab
from tests.people import Person
from tests.provider import Call, Reply
from tests.running.raw_connections import warm
from tests.servers import manage, running

MODEL = "openai/gpt-nope"
SEVERAL = {"DJANGO_ENV": "lan", "ANONYMOUS_CHAT": "yes"}  # People of one network.


@pytest.fixture(scope="module")
def keyless(migrated, tmp_path_factory):
    """Run a server of several people, whose default model needs a key that is not set."""
    folder = tmp_path_factory.mktemp("keyless") / "data"
    with running(migrated, folder, DEFAULT_MODEL=MODEL, **SEVERAL) as server:
        warm(Person(server))
        yield server


def test_a_request_that_never_left_is_told_as_such(somebody, keyless):
    tab = Tab(somebody().new_page(), keyless)
    tab.open("/chat?agent=demo&debug=true")
    tab.say("Hello")
    expect(tab.page.locator(".ending.failed")).to_contain_text(f"{MODEL} needs a key")

    said = f"Nothing was sent: {MODEL} needs a key. It would have got 1 message, "
    expect(tab.panel.locator(".headline")).to_contain_text(said)
    expect(tab.panel.locator(".filled")).to_contain_text("0 tokens sent")
    expect(tab.panel.locator(".filled-bar")).to_have_count(0)
    expect(tab.panel.locator("#zone-map")).to_contain_text("0 of 1 messages sent")
    gauge = tab.page.locator("#gauge")
    expect(gauge).to_contain_text("Nothing was sent; it would have been ")
    expect(tab.page.locator(".message").first).to_have_attribute("data-fate", "unsent")

    tab.page.reload()
    expect(tab.panel.locator(".headline")).to_contain_text(said)
    expect(gauge).to_contain_text("Nothing was sent; it would have been ")
    expect(tab.page.locator(".message").first).to_have_attribute("data-fate", "unsent")


def test_a_provider_that_nobody_reached_saw_nothing(somebody, migrated, tmp_path):
    nobody = {"OPENAI_API_BASE": "http://127.0.0.1:1/v1", "OPENAI_API_KEY": "test"}
    with running(migrated, tmp_path / "data", DEFAULT_MODEL="openai/fake", **nobody) as server:
        tab = Tab(somebody().new_page(), server)
        tab.open("/chat?agent=demo&debug=true")
        tab.say("Hello")
        expect(tab.page.locator(".ending.failed")).to_contain_text("OpenAI can't be reached")

        for page in ("live", "read again"):
            if page == "read again":
                tab.page.reload()
            said = "Nothing was sent: OpenAI can't be reached. "
            expect(tab.panel.locator(".headline")).to_contain_text(said)
            expect(tab.panel.locator(".fates")).to_have_text("not sent")
            expect(tab.page.locator("#gauge")).to_contain_text("Nothing was sent; ")
            expect(tab.page.locator("#gauge .key")).to_have_count(0)
            expect(tab.page.locator(".message").first).to_have_attribute("data-fate", "unsent")


class Leaving(BaseHTTPRequestHandler):
    """A provider that asks for a calculation. Before it answers, it stops listening."""

    server: HTTPServer

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.socket.close()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        asks = Reply(calls=[Call("calculator", '{"expression": "6*7"}')], finish="tool_calls")
        self.wfile.writelines(asks.events())


@contextmanager
def leaving() -> Iterator[str]:
    """Run a provider that answers once; yield its address."""
    server = HTTPServer(("127.0.0.1", 0), Leaving)
    thread = Thread(target=server.handle_request)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    thread.join()


def test_what_was_sent_before_a_provider_went_away_is_still_told(somebody, migrated, tmp_path):
    with leaving() as url:
        gone = {"OPENAI_API_BASE": url, "OPENAI_API_KEY": "test", "DEFAULT_MODEL": "openai/fake"}
        with running(migrated, tmp_path / "data", **gone) as server:
            tab = Tab(somebody().new_page(), server)
            tab.open("/chat?agent=demo&debug=true")
            tab.say("What is 6 * 7?")
            expect(tab.page.locator(".ending.failed")).to_contain_text("OpenAI can't be reached")

            for page in ("live", "read again"):
                if page == "read again":
                    tab.page.reload()
                said = "The model saw the whole chat: 1 message."
                expect(tab.panel.locator(".headline")).to_have_text(said)
                unsent = "Nothing was sent in step 2: OpenAI can't be reached."
                expect(tab.panel.locator(".inspector-notes .warning")).to_contain_text(unsent)
                expect(tab.panel.locator(".fates")).to_have_text("sent")
                expect(tab.page.locator("#gauge")).to_contain_text("Context: ")
                expect(tab.page.locator(".message").first).to_have_attribute("data-fate", "sent")


def test_a_message_that_was_cut_does_not_look_seen_whole(somebody, migrated, tmp_path):
    with running(migrated, tmp_path / "data", HISTORY_MAX_MESSAGE_TOKENS="64") as server:
        tab = Tab(somebody().new_page(), server)
        tab.open("/chat?agent=demo&debug=true")
        tab.ask("A long text about tea. " * 60)
        tab.ask("And now?")
        cut = tab.page.locator(".message").first

        expect(cut).to_have_attribute("data-fate", "changed")
        told = "The model saw this shortened or changed."
        expect(cut).to_have_attribute("aria-description", told)
        cut.hover(position={"x": 4, "y": 10})
        expect(cut).to_have_attribute("title", told)
        line = "message => getComputedStyle(message, '::before').borderInlineStart"
        assert cut.evaluate(line).startswith("4px dashed")
        expect(tab.page.locator("#gauge")).to_contain_text("2 messages shortened or changed")


def boss_of(server):
    """Make a superuser on this server; return the name."""
    manage(
        server.folder,
        *("createsuperuser", "--noinput", "--username", "boss", "--email", "boss@example.org"),
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
        ENV_FILE="/dev/null",
    )
    return "boss"


def test_staff_are_led_to_the_providers_and_nobody_else_is(somebody, keyless):
    staff, other = (Tab(somebody().new_page(), keyless) for _ in range(2))
    staff.page.goto(f"{keyless.url}/login?next=/chat")
    staff.page.locator("[name=username]").fill(boss_of(keyless))
    staff.page.locator("[name=password]").fill("wrong")
    staff.page.keyboard.press("Enter")
    staff.page.get_by_role("alert").wait_for()
    staff.page.locator("[name=password]").fill(PASSWORD)
    staff.page.keyboard.press("Enter")
    expect(staff.field).to_be_focused()
    for tab in (staff, other):
        tab.open("/chat?agent=demo")
        tab.say("Hello")
        expect(tab.page.locator(".ending.failed")).to_contain_text(f"{MODEL} needs a key")

    said = "This agent can't answer now. Ask the administrator."  # Each agent lacks the key.
    for tab in (staff, other):
        expect(tab.page.locator(".needs-administrator > p")).to_have_text(said)
    expect(staff.page.locator("[data-lacks-key]")).to_be_visible()
    expect(other.page.locator("[data-lacks-key]")).to_be_hidden()
    expect(other.page.get_by_text("For the administrator")).to_be_hidden()
    expect(other.page.locator(".providers")).to_have_count(0)
    assert "/admin/agents/provider/" not in other.page.content()
    link = staff.page.locator(".ending.failed a")
    expect(link).to_have_text("Model providers")
    staff.page.reload()
    expect(link).to_have_count(1)
    link.click()
    expect(staff.page.locator("h1")).to_contain_text("provider")


def test_on_ones_own_machine_one_is_the_administrator(somebody, migrated, tmp_path):
    with running(migrated, tmp_path / "data", DEFAULT_MODEL=MODEL) as server:
        tab = Tab(somebody().new_page(), server)
        tab.open("/chat?agent=demo")
        tab.say("Hello")
        expect(tab.page.locator(".ending.failed p")).to_contain_text(f"{MODEL} needs a key.")
        expect(tab.page.locator(".needs-administrator")).to_have_count(0)


def test_a_request_that_left_and_failed_is_not_said_to_have_been_seen(tab, provider):
    provider.script(Reply(status=401))
    tab.open("/chat?agent=demo&debug=true")
    tab.say("Hello")
    expect(tab.page.locator(".ending.failed")).to_contain_text("OpenAI rejected the key")

    expect(tab.panel.locator(".headline")).to_have_text(
        "No answer came: OpenAI rejected the key. Check its key, in the environment or on the "
        "provider's page. The request had the whole chat: 1 message."
    )
    expect(tab.page.locator("#gauge")).to_contain_text("Context: ")
