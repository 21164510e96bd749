"""Open chats that were made over a socket, so that a test types only what it tests."""

from playwright.sync_api import expect

from tests.browser.tab import Tab
from tests.people import Person


def open_talk(tab: Tab, *texts: str, query: str = "") -> None:
    """Send each text over a socket, with the overrides in `query`, and open that chat with them."""
    person = Person(tab.server)
    conversation = None
    with person.tab() as socket:
        for text in texts:
            ack, end = socket.ask(text, agent="demo", conversation=conversation, query=query)
            assert end["status"] == "done"
            conversation = ack["conversation"]
    tab.page.context.add_cookies(
        [
            {"name": cookie.name, "value": cookie.value or "", "url": tab.server.url}
            for cookie in person.http.cookies.jar
        ]
    )
    tab.page.goto(f"{tab.server.url}/chat/{conversation}?{query}")
    expect(tab.answers).to_have_count(len(texts))
    tab.expect_a_settled_panel()
