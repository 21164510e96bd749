"""A replay and what became of applied settings have a key of the chat's present settings."""

import re
from html import unescape

import pytest

from tests.chatapp.inspector.test_whatif_taking import take

pytestmark = pytest.mark.django_db
KEY = re.compile(r'data-present="(\w+)"')


def replay(client, conversation):
    return client.get(f"/chat/{conversation.pk}/panel/replay?turns=50").text


def test_applied_settings_make_a_replay_older_until_they_are_undone(owner, conversation):
    page = replay(owner, conversation)
    shown = KEY.search(page)[1]
    assert f'data-replay-of="{shown}"' in page
    assert KEY.search(replay(owner, conversation))[1] == shown

    taken = take(owner, conversation, set_dot_max_items="6").text
    applied = KEY.search(taken)[1]
    assert applied != shown
    assert KEY.search(replay(owner, conversation))[1] == applied

    before = unescape(re.search(r'name="before" value="([^"]*)"', taken)[1])
    assert KEY.search(take(owner, conversation, before=before).text)[1] == shown


def test_settings_applied_under_the_newest_messages_address_count_too(owner, conversation):
    newest = conversation.generations.order_by("created").last()
    newest.snapshot["query"] = "historyLength=3"
    newest.save()
    shown = KEY.search(replay(owner, conversation))[1]

    assert KEY.search(take(owner, conversation, set_dot_length="1").text)[1] != shown
