"""Before a request is sent, all pages say what it will lack, and the panel what it changes."""

import json
import re
from io import StringIO

import pytest
from django.core.management import call_command

from history.core.settings.caps import Caps
from history.models import Checkpoint
from history.services.access import Actor
from history.services.path.marks import mark
from history.services.summaries.actions import undo
from tests.chatapp.inspector.pages import text_of
from tests.factories import add_turn, make_agent, make_conversation, make_summary

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


def next_message(client, chat):
    """Return what the panel says that the next message changes, sentence by sentence."""
    here = {"HX-Current-URL": f"http://testserver/chat/{chat.pk}"}
    html = client.get(f"/chat/{chat.pk}/panel", headers=here).text
    _, _, rest = html.partition('class="upcoming">')
    item = rest.partition("</ul>")[0]
    return " ".join(re.sub("<[^>]*>", " ", item).split()).removeprefix("Next message: ")


@pytest.fixture
def chat(record):
    """A chat of five messages, in whose last turn no summary was sent."""
    chat = record.generation.conversation
    add_turn(chat)
    add_turn(chat)
    return chat


def test_a_summary_made_since_the_request_is_told(admin_client, chat):
    make_summary(chat)

    assert next_message(admin_client, chat) == "A summary instead of messages 1\N{EN DASH}4"
    add_turn(chat)
    assert next_message(admin_client, chat) == ""


def test_a_summary_undone_since_the_request_is_told(admin_client, admin_user, chat):
    summary = make_summary(chat)
    add_turn(chat)

    undo(Actor(user=admin_user), chat.pk, summary.pk)

    assert next_message(admin_client, chat) == "No longer a summary of messages 1\N{EN DASH}4"


def test_a_policy_that_sends_no_summary_ends_it(admin_client, chat):
    make_summary(chat)
    add_turn(chat)
    chat.history_settings = {"policy": "none"}
    chat.save()

    assert "No longer a summary of messages 1\N{EN DASH}4" in next_message(admin_client, chat)


def test_a_summary_of_summaries_ends_none(admin_client, chat):
    part = make_summary(chat)
    add_turn(chat)
    whole = make_summary(chat)
    Checkpoint.objects.filter(pk=part.pk).update(state="folded", folded_into=whole)

    assert next_message(admin_client, chat) == "Another summary of messages 1\N{EN DASH}4"


def explained(chat, *options):
    out = StringIO()
    call_command("context", "explain", str(chat.pk), *options, stdout=out)
    return out.getvalue()


def test_the_terminal_tells_the_same(chat):
    chat.history_settings = {"length": 7}
    chat.save()
    make_summary(chat)

    _, _, told = explained(chat).partition("next message ")

    assert re.findall("^  (.+)", told, re.MULTILINE)[:3] == [
        "Remembers the last 7 turns. Set for this chat.",
        "History length 7, from this chat (was 20)",
        "A summary instead of messages 1\N{EN DASH}4",
    ]
    assert "next message" not in explained(chat, "--turn", "1")
