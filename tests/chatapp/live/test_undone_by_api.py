"""A tab that shows a chat is told when the API undoes the chat's summary."""

import json

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.test import AsyncClient

from chatapp.live.viewers import Viewer, viewers
from tests.factories import actor_for, add_turns, make_agent, make_conversation, make_summary

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def chat():
    chat = make_conversation(make_agent(), User.objects.create_user("ada"))
    add_turns(chat, 4)
    return chat


@pytest.fixture
def viewer(chat):
    viewer = Viewer(actor_for(chat))
    viewers.join(viewer)
    viewers.follow(viewer, chat.pk)
    yield viewer
    viewers.leave(viewer)


async def test_open_tabs_ask_again_which_summaries_are_in_use(chat, viewer):
    row = await sync_to_async(make_summary)(chat)
    client = AsyncClient()
    await client.aforce_login(chat.owner)
    address = f"/api/conversations/{chat.pk}/checkpoints/{row.pk}"

    assert (await client.delete(address)).json()["state"] == "undone"

    assert json.loads(await viewer.next()) == {"type": "summary", "conversation": str(chat.pk)}
    assert (await client.delete(address)).status_code == 409
