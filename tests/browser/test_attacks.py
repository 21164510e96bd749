"""In a real browser, no text that is shown anywhere runs as a script."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import Tab
from tests.chatapp.markdown.vectors import VECTORS
from tests.people import Person
from tests.provider import Call, Provider, Reply
from tests.running.raw_connections import warm
from tests.servers import manage, running

ALL = "\n\n".join(VECTORS)
SHORT = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
PASSWORD = "a-long-password-for-a-test"
PIECE = 7  # Characters; each vector is shown unfinished many times.
PAGES_OF_STAFF = (
    "/inspect/",
    "/inspect/{conversation}",
    "/chat/{conversation}/debug/turn/1",
    "/admin/",
    "/admin/agents/agenttemplate/",
    "/admin/agents/agenttemplate/{agent}/change/",
    "/admin/agents/agenttemplate/{agent}/history/",
    "/admin/agents/agenttemplate/{agent}/delete/",
    "/admin/auth/user/",
    "/admin/history/conversation/",
    "/admin/history/conversation/{conversation}/change/",
    "/admin/history/conversation/{conversation}/delete/",
    "/admin/history/message/",
    "/admin/history/contextplan/",
    "/admin/history/viewing/",
)


@pytest.fixture(scope="module")
def attacked(migrated, tmp_path_factory):
    """Run the app with hostile names of agents and people; yield the server and its provider."""
    folder = tmp_path_factory.mktemp("attacked") / "data"
    with Provider() as provider, running(migrated, folder, **provider.environment) as server:
        server.write(
            "UPDATE agents_agenttemplate SET name = ?, description = ? WHERE slug = 'demo'",
            SHORT[:60],
            SHORT,
        )
        manage(
            folder,
            *("createsuperuser", "--noinput", "--username", "root", "--email", "a@example.org"),
            DJANGO_SUPERUSER_PASSWORD=PASSWORD,
        )
        warm(Person(server))
        server.write("UPDATE auth_user SET first_name = ?, last_name = ?", SHORT[:100], SHORT[:100])
        yield server, provider


@pytest.fixture
def watched(somebody, attacked, complaints):
    """Open a tab. Dialogs and requests to other servers count as complaints."""
    server, provider = attacked
    provider.reset()
    context = somebody()

    def note(request):
        if not request.url.startswith((server.url, "data:", "blob:")):
            complaints.append(f"asked for {request.url}")

    context.on("request", note)
    context.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    return Tab(context.new_page(), server)


def pieces(text):
    return [text[start : start + PIECE] for start in range(0, len(text), PIECE)]


def test_typed_streamed_and_read_again(watched, attacked):
    _, provider = attacked
    provider.script(Reply(text=pieces(ALL)))
    watched.open("/chat?agent=demo&debug=true")

    watched.field.fill(ALL)
    watched.page.keyboard.press("Enter")
    expect(watched.answers.last).to_have_attribute("data-status", "done")
    texts = watched.page.locator(".message :is(.bubble, .answer-body)")
    streamed = texts.all_text_contents()  # Text out of view has no inner text.
    watched.page.reload()
    expect(watched.answers.last).to_have_attribute("data-status", "done")

    assert "alert(1)" in streamed[0]
    assert texts.all_text_contents() == streamed
    assert watched.path.startswith("/chat/")


@pytest.mark.daily
def test_attacks_in_titles_tools_and_errors_run_nothing(watched, attacked):
    server, provider = attacked
    provider.script(
        Reply(calls=[Call(SHORT, f'{{"expression": "{SHORT[2:]}"}}')], finish="tool_calls"),
        Reply(text=["done"]),
        Reply(status=400, body=f'{{"error": {{"message": "{SHORT[2:]}"}}}}'),
    )
    watched.open("/chat?agent=demo&debug=true")
    watched.ask("Use a tool")
    watched.say("And fail")
    expect(watched.answers.last).to_have_attribute("data-status", "failed")
    server.write("UPDATE history_conversation SET title = ?", SHORT)

    watched.page.reload()
    expect(watched.answers.last).to_have_attribute("data-status", "failed")

    assert SHORT in watched.page.title()
    expect(watched.page.locator(".chat-entry").first).to_contain_text("onerror=alert(1)")


def test_attacks_on_the_pages_of_staff_run_nothing(watched, attacked):
    server, provider = attacked
    provider.script(Reply(text=[ALL]))
    page = watched.page
    page.goto(f"{server.url}/login?next=/chat")
    page.get_by_label("Name").fill("root")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    watched.open()
    watched.field.fill(ALL)
    page.keyboard.press("Enter")
    expect(watched.answers.last).to_have_attribute("data-status", "done")
    server.write("UPDATE history_conversation SET title = ?", SHORT)
    ((agent,),) = server.rows("SELECT id FROM agents_agenttemplate WHERE slug = 'demo'")
    conversation = watched.conversation

    seen = {}
    for address in PAGES_OF_STAFF:
        path = address.format(conversation=conversation, agent=agent)
        seen[address] = page.goto(server.url + path).status
        page.wait_for_load_state("networkidle")

    assert seen == dict.fromkeys(PAGES_OF_STAFF, 200)
