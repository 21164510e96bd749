import pytest

from tests.factories import add_turn, make_agent, make_conversation


@pytest.fixture
def agent(db):
    return make_agent(history_settings={"policy": "lastN", "length": 2})


@pytest.fixture
def conversation(agent):
    """Four turns, the newest two of which are sent."""
    conversation = make_conversation(agent)
    for number in range(1, 5):
        add_turn(conversation, f"Question {number}", f"Answer {number}")
    return conversation


@pytest.fixture
def owner(client, conversation):
    """The browser of the visitor whose conversation it is."""
    session = client.session
    session["visitor"] = conversation.visitor
    session.save()
    return client
