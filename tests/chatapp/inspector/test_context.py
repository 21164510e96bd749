"""The panel's map shows the text that an agent's template injects into each turn."""

import pytest

from tests.chatapp.inspector.pages import text_of
from tests.factories import add_turn, make_agent, make_conversation

TEXT = "Turn 1: never say aubergine."


@pytest.fixture
def agent(db):
    """Make an agent with a context text; tests decide whether owners may read its prompt."""
    context = [{"name": "rules", "text": "Turn {turn}: never say aubergine."}]
    return make_agent(context=context, prompt_is_public=False)


def shown(browser, agent, **owner):
    conversation = make_conversation(agent, **owner)
    add_turn(conversation)
    return text_of(browser.get(f"/chat/{conversation.pk}/panel"))


@pytest.mark.parametrize(("is_public", "is_shown"), [(True, True), (False, False)])
def test_an_owner_reads_it_where_the_prompt_may_be_read(client, ada, agent, is_public, is_shown):
    agent.prompt_is_public = is_public
    agent.save()
    client.force_login(ada)

    page = shown(client, agent, owner=ada)

    assert "context rules" in page
    assert (TEXT in page) is is_shown


def test_staff_read_it(client, admin_user, agent):
    client.force_login(admin_user)

    assert TEXT in shown(client, agent, owner=admin_user)
