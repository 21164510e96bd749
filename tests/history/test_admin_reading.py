"""In the admin, reading chats needs a permission and is recorded; lists show titles at most."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from history.models import Conversation, Message, Viewing
from tests.factories import add_turn, make_agent, make_conversation, make_reader

pytestmark = pytest.mark.django_db
TITLE = "About the harbour"
SHOWN = ("conversation", "message", "generation", "contextplan")
MODELS = [f"view_{name}" for name in SHOWN]


@pytest.fixture
def rows(ada):
    """Make a row of each model whose page shows what was said."""
    conversation = make_conversation(make_agent(), ada, title=TITLE)
    record = add_turn(conversation)
    message = Message.objects.first()
    rows = (conversation, message, record.generation, record)
    return dict(zip(SHOWN, rows, strict=True))


@pytest.fixture
def eve(client):
    client.force_login(make_reader("eve", "delete_conversation", *MODELS))
    return client


def address(row, page="change"):
    return reverse(f"admin:history_{row._meta.model_name}_{page}", args=[row.pk])


def listing(name):
    return reverse(f"admin:history_{name}_changelist")


def recorded():
    return list(Viewing.objects.values_list("viewer", "owner", "conversation", "page"))


@pytest.mark.parametrize("page", ["change", "history"])
@pytest.mark.parametrize("name", SHOWN)
def test_reading_a_row_of_anothers_chat_is_recorded(eve, rows, name, page):
    assert eve.get(address(rows[name], page)).status_code == 200
    assert recorded() == [("eve", "ada", rows["conversation"].pk, "admin")]


@pytest.mark.parametrize("name", SHOWN)
def test_a_list_cannot_be_asked_what_was_said(eve, rows, name):
    """A filter, even through another table, would reveal words without a record of the reading."""
    fields = [field.name for field in rows[name]._meta.concrete_fields]
    asked = [f"{field}__{how}" for field in fields for how in ("startswith", "regex", "contains")]
    asked += ["messages__text__startswith", "conversation__title__startswith"]
    asked += ["agent__instructions__startswith", "generation__conversation__title__contains"]

    answers = {way: eve.get(listing(name), {way: "A"}).status_code for way in asked}

    assert set(answers.values()) == {400}
    assert recorded() == []


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("message", "role__exact=user"),
        ("generation", "status__exact=done&kind__exact=reply"),
        ("conversation", "active__year=2026&active__month=11"),
        ("conversation", "agent__id__exact=1"),
    ],
)
def test_the_filters_that_a_list_offers_work(eve, rows, name, query):
    assert eve.get(f"{listing(name)}?{query}").status_code == 200


def test_asking_whether_to_delete_a_chat_is_recorded(eve, rows):
    assert eve.get(address(rows["conversation"], "delete")).status_code == 200
    assert recorded() == [("eve", "ada", rows["conversation"].pk, "admin")]


def test_nothing_is_recorded_of_ones_own(client, rows):
    client.force_login(User.objects.create_superuser("boss"))
    Conversation.objects.update(owner=User.objects.get(username="boss"))

    assert client.get(address(rows["message"])).status_code == 200
    assert recorded() == []


@pytest.mark.parametrize("name", SHOWN)
def test_without_the_permission_no_page_of_a_chat_opens(client, rows, name):
    user = User.objects.create_user("sam", is_staff=True)
    allowed = Permission.objects.filter(codename__in=[*MODELS, "delete_conversation"])
    user.user_permissions.set(allowed)
    client.force_login(user)
    pages = [address(rows[name], page) for page in ("change", "history", "delete")]

    assert [client.get(page).status_code for page in (*pages, listing(name))] == [403] * 4
    assert recorded() == []


@pytest.mark.parametrize("name", SHOWN)
def test_no_list_shows_what_was_said(eve, rows, name):
    html = eve.get(listing(name)).content.decode()

    assert "1 " in html
    assert (TITLE in html) is (name == "conversation")  # As in the overview.
    assert "A question" not in html


@pytest.mark.parametrize("page", ["admin:auth_user_delete", "admin:agents_agenttemplate_delete"])
def test_deleting_something_else_shows_no_title(client, rows, ada, page):
    """The pages that confirm a deletion list dependent rows, but without titles."""
    client.force_login(User.objects.create_superuser("boss"))
    pk = ada.pk if "user" in page else rows["conversation"].agent_id
    html = client.get(reverse(page, args=[pk])).content.decode()

    assert "delete" in html
    assert TITLE not in html


def test_the_log_of_a_deletion_does_not_keep_the_title(eve, rows):
    key = rows["conversation"].pk
    eve.post(address(rows["conversation"], "delete"), {"post": "yes"})

    entry = LogEntry.objects.get(object_id=str(key))
    assert not Conversation.objects.exists()
    assert entry.object_repr == f"chat {key}"
