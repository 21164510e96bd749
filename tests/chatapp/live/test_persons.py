"""A socket acts only for the person of its page, or for the person whom that visitor has become."""

import asyncio
import re
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from chatapp.databases.threads import close_connections, in_database
from chatapp.live.persons import SOMEBODY_ELSE
from chatapp.live.viewers import viewers
from tests.chatapp.in_process_socket import InProcessSocket
from tests.factories import make_agent
from tests.patience import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)
AWAY = {"type": "websocket.close", "code": SOMEBODY_ELSE}


class Browser:
    """A browser with one session at a time. Its pages stay open when somebody else signs in."""

    def __init__(self) -> None:
        self.client = Client()

    def page(self) -> str:
        """Open a page; return the person that it names."""
        html = self.client.get("/chat").content.decode()
        found = re.search(r'data-person="([^"]*)"', html)
        assert found
        return found[1]

    def visit(self) -> str:
        self.client.post("/visitor")
        return self.page()

    def sign_in(self, name: str) -> str:
        User.objects.get_or_create(username=name)
        self.client.force_login(User.objects.get(username=name))
        return self.page()

    def sign_out(self) -> str:
        self.client.logout()
        return self.page()


@pytest.fixture
async def browser():
    await in_database(make_agent)
    yield Browser()
    await close_connections()


async def opened(browser: Browser, query: str) -> list[dict[str, object]]:
    """Open the socket of a page; return the first frames."""
    line = InProcessSocket(browser.client.session, query)
    task = line.run()
    assert (await line.sent.get())["type"] == "websocket.accept"
    shown = await line.shown()
    assert len(list(viewers)) == (0 if AWAY in shown else 1)
    line.leave()
    await asyncio.wait_for(task, PATIENCE)
    return shown


def naming(page: str) -> str:
    return urlencode({"person": page})


def told(page: str) -> list[dict[str, object]]:
    return [{"type": "person", "person": page}]


async def test_the_person_of_the_page_is_told_nothing(browser):
    for act in (browser.visit, lambda: browser.sign_in("bob")):
        page = await in_database(act)

        assert await opened(browser, naming(page)) == []


@pytest.mark.parametrize("query", ["", "other=1", "&&=&%"], ids=["nothing", "another", "garbage"])
async def test_a_program_that_names_nobody_is_let_in(browser, query):
    await in_database(browser.sign_in, "bob")

    assert await opened(browser, query) == []


async def test_a_page_of_somebody_new_is_told_whom_it_has_become(browser):
    new = await in_database(browser.page)
    for act in (browser.visit, lambda: browser.sign_in("bob")):
        page = await in_database(act)

        assert new == ""
        assert await opened(browser, naming(new)) == told(page)


async def test_a_visitors_page_becomes_the_users_who_takes_the_chats_over(browser):
    visitor = await in_database(browser.visit)
    bob = await in_database(browser.sign_in, "bob")

    assert bob != visitor
    assert await opened(browser, naming(visitor)) == told(bob)


NEXT = {
    "a user at once": lambda browser: browser.sign_in("stan"),
    "a user after signing out": lambda browser: (browser.sign_out(), browser.sign_in("stan")),
    "a visitor": lambda browser: (browser.sign_out(), browser.visit()),
}


@pytest.mark.parametrize("comes", NEXT.values(), ids=NEXT)
async def test_a_page_is_not_the_next_persons(browser, comes):
    """The same is true for a page that the first person opened as a visitor."""
    pages = [await in_database(browser.visit), await in_database(browser.sign_in, "bob")]
    await in_database(comes, browser)

    for page in pages:
        assert await opened(browser, naming(page)) == [AWAY]


async def test_a_page_of_another_session_of_the_same_user_is_theirs(browser):
    page = await in_database(Browser().sign_in, "bob")
    await in_database(browser.sign_in, "bob")

    assert await opened(browser, naming(page)) == []


MALFORMED = {
    "a number": "person=1",
    "an id": "person=user:1",
    "half an escape": "person=%",
    "no text": "person=%ff%00",
    "a long one": f"person={'x' * 5_000}",
}


@pytest.mark.parametrize("query", MALFORMED.values(), ids=MALFORMED)
async def test_a_name_that_makes_no_sense_is_somebody_elses(browser, query):
    await in_database(browser.sign_in, "bob")

    assert await opened(browser, query) == [AWAY]


async def test_a_page_tells_no_id(browser):
    page = await in_database(browser.visit)
    visitor = await in_database(lambda: browser.client.session["visitor"])

    assert re.fullmatch("[0-9a-f]{32}", page)
    assert visitor not in page
