"""An attempt that never left this server is told from one that got no answer."""

import asyncio
import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command

from history.core.wire.request import WireRequest
from history.models import ContextPlan
from history.services.wire.figures import store_outcome
from tests.chatapp.answered import answered
from tests.chatapp.inspector.pages import text_of
from tests.factories import begin_turn, make_agent, make_conversation, store_step
from tests.provider import LITELLM_WARNS

NOBODY = "http://127.0.0.1:1"  # Nobody listens at this port.
pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]


def page_of(client, record):
    given = {"generation": record.generation_id, "step": record.step}
    return text_of(client.get(f"/chat/{record.generation.conversation_id}/panel/raw/wire", given))


def explained(record, *options):
    out = StringIO()
    call_command("context", "explain", str(record.generation.conversation_id), *options, stdout=out)
    return out.getvalue()


def test_panel_terminal_and_api_say_that_nothing_was_sent(client, admin_user, monkeypatch):
    monkeypatch.setenv("OPENAI_API_BASE", f"{NOBODY}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    make_agent(model="openai/gpt-4o")
    asyncio.run(answered(admin_user, "Hello"))
    record = ContextPlan.objects.get()
    client.force_login(admin_user)

    page, shown = page_of(client, record), json.loads(explained(record, "--json"))["wires"]

    assert ("Attempt 1: nothing was sent" in page, "no answer" in page) == (True, False)
    assert "Attempt 1: nothing was sent" in explained(record)
    assert {wire["left"] for wire in shown} == {False}


def test_each_attempt_is_told_by_itself(client, admin_user):
    generation = begin_turn(make_conversation(make_agent(), admin_user), "Hello")
    record = store_step(generation).record
    lost = WireRequest("POST", f"{NOBODY}/v1", {}, b"{}")
    sent = [replace(lost, left=False), lost, replace(lost, status=200)]
    store_outcome(record, {"attempts": 3, "total_ms": 1.0}, sent)
    client.force_login(admin_user)

    page = page_of(client, record)

    said = ["Attempt 1: nothing was sent", "Attempt 2: no answer", "Attempt 3: 200"]
    assert [text for text in said if text not in page] == []
