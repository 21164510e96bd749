"""All of a chat of 300 turns can be loaded. `bench.in_a_browser` measures an answer in it."""

import pytest
from playwright.sync_api import expect

from tests.browser.tab import PASSWORD
from tests.servers import manage

TURNS = 300
MAKE = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from agents.models import AgentTemplate
from history.models import Branch, Conversation
from history.services.path.appending import append, assistant_message, user_message
owner = User.objects.create_user("writer", password="{PASSWORD}")
agent, now = AgentTemplate.objects.get(slug="demo"), timezone.now()
chat = Conversation.objects.create(agent=agent, owner=owner, title="Long", active=now)
chat.branch = Branch.objects.create(conversation=chat)
chat.save()
text = "It goes on. " * 40
said = [m for n in range({TURNS}) for m in (user_message(f"And {{n}}?"), assistant_message(text))]
append(chat.branch, said)
"""


@pytest.fixture
def writer(tab, served):
    """Sign in somebody who has a chat of 300 turns."""
    manage(served.folder, "shell", "-c", MAKE)
    tab.sign_in("writer")
    return tab


def test_300_turns_loaded_at_once_are_few_elements_and_go_on(writer):
    writer.entry("Long").locator("a").first.click()
    messages = writer.page.locator(".message")
    expect(messages).not_to_have_count(0)
    scroller = writer.page.locator("#scroller")
    while messages.count() < 2 * TURNS:
        before = messages.count()
        scroller.evaluate("element => element.scrollTo(0, -element.scrollHeight)")
        expect(messages).not_to_have_count(before)

    assert writer.page.evaluate("document.querySelectorAll('*').length") < 12_000
    writer.field.focus()
    writer.ask("Is anything left?")
