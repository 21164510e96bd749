"""People are told when they reach a limit, and while an answer waits for a shared place."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from tests.people import Person
from tests.provider import Reply
from tests.running.raw_connections import warm
from tests.servers import running

TIGHT = {"OPEN_ANSWERS": "1", "SENDS_PER_MINUTE": "2", "SOCKETS_PER_PERSON": "1"}


@pytest.fixture(scope="module")
def served(migrated, package_provider, tmp_path_factory):
    folder = tmp_path_factory.mktemp("served") / "data"
    with running(migrated, folder, **package_provider.environment, **TIGHT) as server:
        warm(Person(server))
        yield server


def test_a_message_too_many_stays_in_the_field_with_a_sentence(tab, provider):
    provider.script(Reply(text=["first"]), Reply(text=["second"]))
    tab.open()
    tab.ask("one")
    tab.say("two")
    for _ in range(3):  # One more message is allowed every 30 s.
        expect(tab.page.locator(".sending")).to_have_count(0)
        expect(tab.page.locator('#transcript[data-generation=""]')).to_be_attached()
        if tab.page.locator("#problem").is_visible():
            break
        tab.say("three")

    expect(tab.page.locator("#problem")).to_have_text(
        re.compile(
            r"You've reached the limit of 2 messages per minute\. Try again in \d+ seconds?\."
        )
    )
    expect(tab.field).to_have_value("three")
    tab.page.keyboard.type("!")
    expect(tab.page.locator("#problem")).to_be_hidden()


def test_an_answer_that_waits_shows_its_place_and_can_be_stopped(tab, provider, served):
    provider.script(Reply(text=["at ", "last"], hang_after=0))
    sent = {"text": "before", "client_msg_id": str(uuid.uuid4()), "agent": "demo"}
    ack = Person(served).api("POST", "/conversations", json=sent).json()
    tab.open()
    tab.say("mine")
    place = tab.page.locator(".answer .place")

    expect(place).to_have_text("Waiting: you're next.")
    expect(tab.page.locator("#composer .stop")).to_be_visible()
    tab.page.reload()
    expect(place).to_have_text("Waiting: you're next.")
    expect(tab.answers).to_have_count(1)

    tab.page.locator("#composer .stop").click()
    expect(tab.page.locator('.answer[data-status="stopped"]')).to_be_visible()
    expect(place).to_have_count(0)
    provider.release()
    assert ack["is_new"]


def test_an_answer_that_waits_begins_when_a_place_is_free(tab, provider, served):
    provider.script(Reply(text=["at ", "last"], hang_after=0), Reply(text=["Here ", "I am"]))
    sent = {"text": "before", "client_msg_id": str(uuid.uuid4()), "agent": "demo"}
    Person(served).api("POST", "/conversations", json=sent)
    tab.open()
    tab.say("mine")
    expect(tab.page.locator(".answer .place")).to_be_visible()
    provider.release()

    expect(tab.page.locator('.answer[data-status="done"]')).to_contain_text("Here I am")
    expect(tab.page.locator(".place")).to_have_count(0)
    assert tab.said() == ["mine", "Here I am"]


def test_a_tab_too_many_says_so_and_comes_back_when_another_is_closed(tab, provider):
    tab.open()
    tab.ask("one")
    second = tab.another("/chat?agent=demo")
    line = second.page.locator("#connection")

    expect(line).to_contain_text("Too many open tabs (the limit is 1). Close one.")
    tab.page.close()
    second.ask("two")
    expect(line).to_be_hidden()
