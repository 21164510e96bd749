"""Access to conversations: owners, staff who may read, and the record of each reading."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from history.models import Viewing
from history.services.access import (
    Actor,
    access_conversation,
    may_see_all_costs,
    may_see_cost,
    person_of,
)
from history.services.errors import NotFound
from tests.factories import make_agent, make_conversation, make_reader

pytestmark = pytest.mark.django_db
PANEL, RAW = Viewing.Page.PANEL, Viewing.Page.RAW
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def eve():
    return make_reader("eve")


@pytest.fixture
def conversation(ada):
    return make_conversation(make_agent(), ada)


@pytest.fixture
def clock(monkeypatch):
    """Return a function that sets the time."""

    def at(moment):
        monkeypatch.setattr(timezone, "now", lambda: moment)

    at(NOON)
    return at


def former_staff():
    user = make_reader("zoe")
    user.is_staff = False
    user.save()
    return user


def recorded():
    rows = Viewing.objects.order_by("pk")
    return list(rows.values_list("viewer", "owner", "conversation", "page"))


def look(user, conversation, page=PANEL):
    return access_conversation(Actor(user), conversation.pk, reading=page)


def test_staff_may_read_any_and_it_is_recorded(eve, conversation):
    assert look(eve, conversation) == conversation
    assert recorded() == [("eve", "ada", conversation.pk, "panel")]


def test_a_visitors_conversation_has_no_owners_name(eve, ada):
    theirs = make_conversation(make_agent("other"))
    look(eve, theirs)

    assert recorded() == [("eve", "", theirs.pk, "panel")]


@pytest.mark.parametrize("hold", [False, True], ids=["to look", "to change"])
def test_what_is_not_a_reading_page_is_the_owners_alone(eve, conversation, hold):
    with pytest.raises(NotFound):
        access_conversation(Actor(eve), conversation.pk, hold=hold)
    assert recorded() == []


@pytest.mark.parametrize(
    "actor",
    [
        pytest.param(lambda: Actor(User.objects.create_user("bob")), id="another user"),
        pytest.param(lambda: Actor(visitor="somebody"), id="a visitor"),
        pytest.param(Actor, id="nobody"),
        pytest.param(
            lambda: Actor(User.objects.create_user("zoe", is_staff=True)),
            id="staff without the permission",
        ),
        pytest.param(lambda: Actor(former_staff()), id="the permission without staff status"),
        pytest.param(
            lambda: Actor(User.objects.create_superuser("boss", is_active=False)),
            id="a superuser whose account is off",
        ),
    ],
)
def test_nobody_else_reads_it(conversation, actor):
    with pytest.raises(NotFound):
        access_conversation(actor(), conversation.pk, reading=PANEL)
    assert recorded() == []


@pytest.mark.parametrize("is_user", [True, False], ids=["a user's", "a visitor's"])
def test_what_somebody_owns_names_them_as_they_are_named(ada, is_user):
    actor = Actor(user=ada) if is_user else Actor(visitor="a" * 32)
    chat = make_conversation(make_agent(), **actor.ownership)

    assert (
        person_of(chat) == actor.person == (f"user:{ada.pk}" if is_user else f"visitor:{'a' * 32}")
    )


def test_nothing_is_recorded_of_ones_own(ada, eve, conversation):
    look(ada, conversation)
    look(eve, make_conversation(conversation.agent, eve))

    assert recorded() == []


def test_a_page_opened_again_leaves_one_row_for_ten_minutes(eve, conversation, clock):
    look(eve, conversation)
    look(eve, conversation)
    clock(NOON + timedelta(minutes=9, seconds=59))
    look(eve, conversation)
    assert len(recorded()) == 1

    clock(NOON + timedelta(minutes=10))
    look(eve, conversation)
    assert len(recorded()) == 2


def test_each_page_person_and_conversation_leaves_a_row_of_its_own(eve, conversation, clock):
    other = make_conversation(conversation.agent, conversation.owner)
    look(eve, conversation)
    look(eve, conversation, RAW)
    look(eve, other)
    look(make_reader("zoe"), conversation)

    assert recorded() == [
        ("eve", "ada", conversation.pk, "panel"),
        ("eve", "ada", conversation.pk, "raw"),
        ("eve", "ada", other.pk, "panel"),
        ("zoe", "ada", conversation.pk, "panel"),
    ]


def test_the_record_outlives_the_conversation_and_the_accounts(eve, ada, conversation):
    look(eve, conversation)
    key = conversation.pk
    conversation.delete()
    ada.delete()
    eve.delete()

    assert recorded() == [("eve", "ada", key, "panel")]


@pytest.mark.parametrize(
    ("owners_see_cost", "who", "sees"),
    [
        pytest.param(True, "owner", True, id="owners see their own"),
        pytest.param(False, "owner", False, id="unless the setting says otherwise"),
        pytest.param(True, "staff", False, id="staff do not without the permission"),
        pytest.param(False, "permitted", True, id="with it they see all"),
        pytest.param(False, "superuser", True, id="superusers have it"),
    ],
)
def test_who_sees_the_cost(settings, ada, eve, conversation, owners_see_cost, who, sees):
    settings.OWNERS_SEE_COST = owners_see_cost
    permitted = User.objects.create_user("zoe", is_staff=True)
    permitted.user_permissions.add(Permission.objects.get(codename="view_cost"))
    boss = User.objects.create_superuser("boss")
    users = {"owner": ada, "staff": eve, "permitted": permitted, "superuser": boss}

    assert may_see_cost(Actor(users[who]), conversation) is sees
    assert may_see_all_costs(Actor(users[who])) is (who in {"permitted", "superuser"})
