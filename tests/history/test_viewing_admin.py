"""In the admin, the record of who read what can be read, and not changed."""

import re

import pytest
from django.contrib.auth.models import Permission, User

from history.models import AppendOnlyError, Conversation, Viewing
from history.services.access import Actor, record_reading
from tests.factories import make_agent, make_conversation


@pytest.fixture
def boss(client, db):
    client.force_login(User.objects.create_superuser("boss"))
    return client


@pytest.fixture
def viewing(db):
    conversation = make_conversation(make_agent(), User.objects.create_user("ada"))
    record_reading(Actor(User.objects.create_user("eve")), conversation, Viewing.Page.PANEL)
    return Viewing.objects.get()


def test_the_record_is_listed(boss, viewing):
    html = boss.get("/admin/history/viewing/?q=ada").content.decode()
    cells = re.findall(r'<td class="field-(?!created)\w+">([^<]*)', html)

    assert cells == ["eve", "Inspector", "ada", str(viewing.conversation)]


def test_a_row_can_be_opened_but_not_changed(boss, viewing):
    page = f"/admin/history/viewing/{viewing.pk}"

    assert boss.get(f"{page}/change/").status_code == 200
    assert boss.post(f"{page}/change/", {"viewer": "nobody"}).status_code == 403
    assert boss.post(f"{page}/delete/", {"post": "yes"}).status_code == 403
    assert boss.get("/admin/history/viewing/add/").status_code == 403
    assert Viewing.objects.get().viewer == "eve"


def test_python_refuses_too(viewing):
    with pytest.raises(AppendOnlyError):
        viewing.save()
    with pytest.raises(AppendOnlyError):
        Viewing.objects.all().delete()


@pytest.mark.parametrize("may_read", [True, False])
def test_a_chat_is_named_by_its_title_to_those_who_may_read_it(client, viewing, may_read):
    Conversation.objects.update(title="Planning a long journey")
    allowed = ["view_viewing", *(["read_all"] if may_read else [])]
    staff = User.objects.create_user("kim", is_staff=True)
    staff.user_permissions.set(Permission.objects.filter(codename__in=allowed))
    client.force_login(staff)

    html = client.get("/admin/history/viewing/").content.decode()

    assert ("Planning a long journey" in html) is may_read
    assert (str(viewing.conversation) in html) is not may_read
