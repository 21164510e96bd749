"""All pages say before a request is sent which parameters the library will drop."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from history.core.settings.caps import Caps
from history.services.access import Actor
from history.services.path.marks import mark
from tests.chatapp.inspector.pages import text_of
from tests.factories import add_turn, make_agent, make_conversation

pytestmark = [pytest.mark.django_db, pytest.mark.words]
SENTENCE = "Temperature 0.3 is not sent because openai/gpt-5 doesn't take it."
MODEL = "openai/gpt-5"


@pytest.fixture
def record(admin_user):
    """Make a turn that the agent's former model answered."""
    return add_turn(
        make_conversation(make_agent(model="openai/gpt-4o", temperature=0.3), admin_user)
    )


def test_before_a_chat_has_begun(admin_client):
    make_agent(model=MODEL, temperature=0.3)

    assert SENTENCE in text_of(admin_client.get("/chat/panel", {"agent": "demo"}))


def test_when_the_agent_has_another_model_now(admin_client, record):
    conversation = record.generation.conversation
    address = f"/chat/{conversation.pk}/panel"
    here = {"HX-Current-URL": f"http://testserver/chat/{conversation.pk}"}
    before = text_of(admin_client.get(address, headers=here))
    conversation.agent.model = MODEL
    conversation.agent.save()

    assert SENTENCE not in before
    after = text_of(admin_client.get(address, headers=here))
    assert SENTENCE in after[after.index("Next message:") :]


def test_what_the_server_caps_is_said_in_one_box_the_plain_sentence_first(
    admin_client, record, settings
):
    chat = record.generation.conversation
    settings.HISTORY_CAPS = Caps(length=10, token_budget=9_000)
    here = {"HX-Current-URL": f"http://testserver/chat/{chat.pk}"}

    response = admin_client.get(f"/chat/{chat.pk}/panel", headers=here)

    assert response.text.count('class="upcoming"') == 1
    assert (
        "Next message: Remembers the last 10 turns. Limited by the server. The server allows at "
        "most 9,000 tokens. History length 10, from the server's HISTORY_LENGTH_MAX"
    ) in text_of(response)


def test_marks_set_since_the_request_are_told(admin_client, admin_user, record):
    chat = record.generation.conversation
    here = {"HX-Current-URL": f"http://testserver/chat/{chat.pk}"}
    first = chat.messages.order_by("position").first()

    told = []
    for kind in ("exclusion", "pin", None):
        mark(Actor(user=admin_user), chat.pk, first.pk, kind)
        told.append(text_of(admin_client.get(f"/chat/{chat.pk}/panel", headers=here)))

    assert "Next message: 1 more message excluded" in told[0]
    assert "Next message: 1 more message pinned" in told[1]
    assert "Next message:" not in told[2]


def test_under_another_model(admin_client, record):
    conversation = record.generation.conversation
    asked = {"generation": record.generation_id, "step": 1, "set.model": MODEL}
    api = {"variants": [{"model": MODEL}]}
    out = StringIO()

    page = text_of(admin_client.get(f"/chat/{conversation.pk}/panel/what-if", asked))
    told = admin_client.post(
        f"/api/conversations/{conversation.pk}/what-if", json.dumps(api), "application/json"
    ).json()
    call_command("context", "explain", str(conversation.pk), "--model", MODEL, stdout=out)

    assert SENTENCE in page
    assert [SENTENCE in tried["plan"]["notes"] for tried in told["tried"]] == [False, True]
    assert SENTENCE in out.getvalue()
