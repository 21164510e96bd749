"""An administrator changes a template while somebody chats with it."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import squeezed
from tests.servers import manage

NAME, PASSWORD = "root", "a-long-password-for-a-test"


@pytest.fixture
def administration(somebody, served):
    """Open the admin's list of templates after signing in with the form."""
    manage(
        served.folder,
        *("createsuperuser", "--noinput", "--username", NAME, "--email", "root@example.org"),
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )
    page = somebody().new_page()
    page.goto(f"{served.url}/login?next=/admin/agents/agenttemplate/")
    page.get_by_label("Name").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    return page


def set_length(page, agent, length):
    page.get_by_role("link", name=agent).click()
    page.get_by_label("History length").fill(length)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist .success")).to_contain_text(agent)


def user_texts(request):
    return [m["content"] for m in request["messages"] if m["role"] == "user"]


def test_the_next_turn_of_an_open_chat_uses_the_new_length(tab, administration, provider):
    tab.open("/chat?agent=goldfish&debug=true")
    tab.ask("one")
    tab.ask("two")
    expect(tab.panel).to_contain_text("template goldfish v1")

    set_length(administration, "Goldfish", "1")
    tab.ask("three")

    assert user_texts(provider.requests[1]) == ["one", "two"]
    assert user_texts(provider.requests[2]) == ["three"]
    expect(tab.panel.locator(".inspector-who")).to_contain_text("template goldfish v2")
    length = tab.panel.locator(".cascade .winner").nth(1)
    assert squeezed(length.inner_text()) == "History length 1 ◀ template goldfish v2"
    assert len(tab.said()) == 6
