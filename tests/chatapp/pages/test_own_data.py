"""A person can delete their account and all their data; other people's data stay."""

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from history.models import Conversation, FollowUp, Import, ImportEntry
from history.services.access import Actor
from tests.attached import attach_picture, put_file
from tests.factories import add_turn, make_conversation

pytestmark = pytest.mark.django_db(transaction=True)  # Threads that stop answers must see the rows.
PASSWORD = "correct horse"
NAMING = {"owner", "visitor", "viewer"}  # Fields that name a person by a plain value.
OUTLIVE = {
    "history.Viewing": "staff's looks at chats, for whoever asks about them later",
    "history.Generation": "its owner is a process; it goes with its conversation",
    "agents.HistoricalAgentTemplate": "the agent's versions stay, without their author",
    "agents.HistoricalNetwork": "the network's versions stay, without their author",
    "agents.HistoricalSiteDefaults": "the site's versions stay, without their author",
}
ASIDE = {"auth.User", "sessions.Session"}  # The tests check these one by one.


@pytest.fixture
def bobs(agent):
    """Make a conversation of another person."""
    conversation = make_conversation(agent, User.objects.create_user("bob"))
    add_turn(conversation)
    return conversation


@pytest.fixture
def ada(client, agent):
    user = User.objects.create_user("ada", password=PASSWORD)
    client.force_login(user)
    return client


def fill(agent, actor):
    """Make two chats (one archived) with files, an unsent file, a waiting message and an import."""
    for number in range(2):
        chat = make_conversation(agent, actor.user, actor.visitor, title=f"Chat {number}")
        add_turn(chat)
        put_file(chat)
    Conversation.objects.filter(title="Chat 1").update(archived_at=chat.active)
    FollowUp.objects.create(conversation=chat, text="And then?")
    attach_picture(actor)
    job = Import.objects.create(**actor.ownership, size=1, agent=agent.slug)
    ImportEntry.objects.create(job=job, number=0, outcome="skipped")
    if actor.user:
        LogEntry.objects.log_actions(actor.user.pk, [actor.user], CHANGE, "Signed in.")


def left():
    """Count the rows of each table."""
    rows = {model._meta.label: model._base_manager.count() for model in apps.get_models()}
    return {label: count for label, count in rows.items() if label not in ASIDE}


def personal():
    """Yield the name of each table with a field that can name a person."""
    for model in apps.get_models():
        fields = [field for field in model._meta.get_fields() if field.concrete]
        if any(f.related_model is User or f.name in NAMING for f in fields):
            yield model._meta.label


def test_every_table_that_names_a_person_has_a_rule_for_their_leaving(agent):
    """A new table fails here until deleting empties it or `OUTLIVE` says why not."""
    before = left()
    fill(agent, Actor(User.objects.create_user("ada")))
    filled = {label for label, count in left().items() if count > before[label]}

    assert set(personal()) - OUTLIVE.keys() == filled & set(personal()) - OUTLIVE.keys()
    assert OUTLIVE.keys() <= set(personal())


def test_an_account_is_deleted_with_everything_in_it(ada, agent, bobs):
    user = User.objects.get(username="ada")
    elsewhere = Client()
    elsewhere.force_login(user)
    LogEntry.objects.filter(user=user).delete()  # The log of making the account.
    before = left()
    fill(agent, Actor(user))
    page = ada.get("/account").text
    assert "2 chats" in page
    assert "/export?format=json" in page

    answer = ada.post("/account", {"password": PASSWORD})

    assert answer.headers["Location"] == "/account/deleted"
    assert list(User.objects.values_list("username", flat=True)) == ["bob"]
    assert left() == before
    assert Session.objects.count() == 0
    assert elsewhere.get("/account/password").status_code == 302
    assert ada.get("/account/deleted").status_code == 200


def test_a_guest_deletes_what_they_have(client, agent, bobs):
    before = left()
    client.post("/visitor")
    visitor = client.session["visitor"]
    fill(agent, Actor(visitor=visitor))

    assert "delete all of it" in client.post("/account", {}).text
    assert left() != before
    client.post("/account", {"sure": "on"})

    assert left() == before
    assert "visitor" not in client.session
    assert "0 chats" in client.get("/account").text


@pytest.mark.parametrize("fields", [{"password": "wrong"}, {"password": ""}, {"sure": "on"}, {}])
def test_without_the_password_nothing_is_deleted(ada, agent, fields):
    fill(agent, Actor(User.objects.get(username="ada")))
    before = left()

    answer = ada.post("/account", fields)

    assert answer.status_code == 200
    assert (left(), User.objects.count()) == (before, 1)


def test_wrong_passwords_are_slowed_down(ada, settings):
    statuses = [ada.post("/account", {"password": "x"}).status_code for _ in range(8)]

    assert statuses[0] == 200
    assert statuses[-1] == 429


def test_the_only_administrator_stays(agent):
    boss = User.objects.create_superuser("boss", password=PASSWORD)
    client = Client()
    client.force_login(boss)

    assert "only administrator" in client.post("/account", {"password": PASSWORD}).text
    User.objects.create_superuser("chief")
    assert client.post("/account", {"password": PASSWORD}).status_code == 302


def test_the_list_of_chats_leads_to_the_export_of_all(ada):
    listed = ada.get("/chat").content.decode()
    _, link, after = listed.partition('href="/account#export"')
    own = ada.get("/account").content.decode().partition('id="export"')[2]

    assert (bool(link), "Export all chats" in after[:1_000]) == (True, True)
    assert "/export?format=json" in own
    assert own.startswith(' tabindex="-1">')  # So the browser leads the focus there, too.
