"""Nobody can change a stored message, in any way."""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.urls import reverse

from history.models import AppendOnlyError, Conversation, Message
from tests.factories import add_turn, make_conversation

pytestmark = pytest.mark.django_db


@pytest.fixture
def message():
    conversation = make_conversation()
    add_turn(conversation, "as it was said", "and answered")
    return Message.objects.get(conversation=conversation, role="user")


def change(message):
    message.text = "otherwise"
    return message


TRIES = {
    "save": lambda m: change(m).save(),
    "save of one field": lambda m: change(m).save(update_fields=["text"]),
    "delete": lambda m: m.delete(),
    "update": lambda m: Message.objects.update(text="otherwise"),
    "filtered update": lambda m: Message.objects.filter(pk=m.pk).update(text="otherwise"),
    "queryset delete": lambda m: Message.objects.all().delete(),
    "bulk update": lambda m: Message.objects.bulk_update([change(m)], ["text"]),
    "update or create": lambda m: Message.objects.update_or_create(
        pk=m.pk, defaults={"text": "otherwise"}
    ),
    "bulk create over it": lambda m: Message.objects.bulk_create(
        [change(m)], update_conflicts=True, update_fields=["text"], unique_fields=["id"]
    ),
    "related manager": lambda m: m.conversation.messages.update(text="otherwise"),
    "base manager": lambda m: Message._base_manager.update(text="otherwise"),
    "save_base": lambda m: change(m).save_base(),
}


@pytest.mark.parametrize("attempt", TRIES.values(), ids=TRIES.keys())
def test_the_orm_refuses(message, attempt):
    with pytest.raises(AppendOnlyError), transaction.atomic():
        attempt(message)

    assert Message.objects.get(pk=message.pk).text == "as it was said"


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(
            lambda: connection.cursor().execute("UPDATE history_message SET text = 'otherwise'"),
            id="raw SQL",
        ),
        pytest.param(
            lambda: models.QuerySet(Message).update(text="otherwise"), id="a plain queryset"
        ),
    ],
)
def test_the_database_refuses_what_goes_past_the_guards(message, attempt):
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        attempt()

    assert Message.objects.get(pk=message.pk).text == "as it was said"


@pytest.mark.django_db(transaction=True)  # Uncommitted rows would block `migrate`.
def test_the_trigger_is_there_again_after_every_migrate(message):
    table = " ON history_message" if connection.vendor == "postgresql" else ""
    connection.cursor().execute(f"DROP TRIGGER history_message_append_only{table}")

    call_command("migrate", verbosity=0)

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        connection.cursor().execute("UPDATE history_message SET text = 'otherwise'")


def test_the_admin_offers_no_way(message, client):
    client.force_login(User.objects.create_superuser("root"))
    change_page = reverse("admin:history_message_change", args=[message.pk])
    delete_page = reverse("admin:history_message_delete", args=[message.pk])
    listing = reverse("admin:history_message_changelist")

    answers = [
        client.post(change_page, {"text": "otherwise"}).status_code,
        client.post(delete_page, {"post": "yes"}).status_code,
        client.post(
            listing, {"action": "delete_selected", "_selected_action": [message.pk], "post": "yes"}
        ).status_code,
    ]

    assert answers[:2] == [403, 403]
    assert Message.objects.get(pk=message.pk).text == "as it was said"


def test_messages_go_with_their_conversation_in_the_admin(message, client):
    client.force_login(User.objects.create_superuser("root"))
    address = reverse("admin:history_conversation_delete", args=[message.conversation_id])

    answer = client.post(address, {"post": "yes"})

    assert answer.status_code == 302
    assert not Conversation.objects.exists()
    assert not Message.objects.exists()
