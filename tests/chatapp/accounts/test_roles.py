"""Staff who manage accounts cannot raise their own rights; every change of rights is recorded."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(cheap_hashes, client):
    user = User.objects.create_user("eve", is_staff=True)
    allowed = ["view_user", "change_user", "change_group", "view_group", "add_group"]
    user.user_permissions.set(Permission.objects.filter(codename__in=allowed))
    client.force_login(user)
    return user


def save(client, user, **fields):
    shown = {"username": user.username, "date_joined_0": "2026-11-01", "date_joined_1": "12:00:00"}
    shown |= {"is_active": "on"} if user.is_active else {}
    shown |= {"is_staff": "on"} if user.is_staff else {}
    given = {name: value for name, value in (shown | fields).items() if value}
    return client.post(f"/admin/auth/user/{user.pk}/change/", given)


def test_staff_cannot_give_themselves_more(client, manager):
    read_all = Permission.objects.get(codename="read_all")
    group = Group.objects.create(name="readers")
    fields = {"is_superuser": "on", "user_permissions": [read_all.pk], "groups": [group.pk]}

    assert save(client, manager, first_name="Eve", **fields).status_code == 302

    after = User.objects.get(pk=manager.pk)
    assert (after.first_name, after.is_superuser, after.groups.count()) == ("Eve", False, 0)
    assert not after.has_perm("history.read_all")


def test_staff_cannot_make_others_staff(client, manager, ada):
    save(client, ada, is_staff="on")

    assert not User.objects.get(pk=ada.pk).is_staff


def test_staff_cannot_change_what_a_group_may(client, manager):
    group = Group.objects.create(name="readers")

    assert client.post(f"/admin/auth/group/{group.pk}/change/", {"name": "x"}).status_code == 403
    assert client.post("/admin/auth/group/add/", {"name": "x"}).status_code == 403


def test_staff_cannot_change_a_superuser(client, manager):
    boss = User.objects.create_superuser("boss", email="boss@example.org")

    assert save(client, boss, email="eve@example.org").status_code == 403


def test_a_change_of_roles_says_what_was_gained_and_lost(admin_client, ada):
    group = Group.objects.create(name="readers")
    read_all = Permission.objects.get(codename="read_all")
    save(admin_client, ada, is_staff="on", groups=[group.pk], user_permissions=[read_all.pk])
    ada.refresh_from_db()
    save(admin_client, ada, is_staff="", groups=[group.pk])

    entries = LogEntry.objects.filter(user__username="admin", object_id=ada.pk)
    said = [entry.get_change_message() for entry in entries]
    assert "Gained: group readers, permission history.read_all, staff status." in said
    assert "Lost: permission history.read_all, staff status." in said


def test_making_an_account_is_recorded(db):
    call_command("createsuperuser", username="boss", email="", interactive=False)

    entry = LogEntry.objects.get()
    assert str(entry.user) == "boss"
    assert (
        entry.change_message == "Made on the command line: active, staff status, superuser status."
    )


def test_the_first_administrator_is_recorded(cheap_hashes):
    call_command("bootstrap")

    entry = LogEntry.objects.get()
    assert (str(entry.user), entry.object_repr) == ("admin", "admin")


def test_changepassword_is_recorded(ada, monkeypatch):
    monkeypatch.setattr("getpass.getpass", lambda prompt: "quiet green harbour")
    call_command("changepassword", "ada")

    assert LogEntry.objects.first().change_message == "Changed the password on the command line."


@pytest.mark.parametrize("right", ["user_permissions", "groups"])
def test_staff_cannot_take_over_who_may_do_more(client, manager, ada, right):
    """They can set neither a password nor a link, not even for a disabled account."""
    read_all = Permission.objects.get(codename="read_all")
    group = Group.objects.create(name="readers")
    group.permissions.add(read_all)
    getattr(ada, right).add(group if right == "groups" else read_all)
    User.objects.filter(pk=ada.pk).update(is_active=False)

    assert client.post(f"/admin/auth/user/{ada.pk}/password/", {}).status_code == 403
    assert client.post(f"/admin/auth/user/{ada.pk}/reset-link/").status_code == 403
    assert save(client, ada, is_active="on").status_code == 403


def test_staff_cannot_delete_a_superuser_among_others(client, manager, ada):
    manager.user_permissions.add(Permission.objects.get(codename="delete_user"))
    boss = User.objects.create_superuser("boss")
    fields = {"action": "delete_selected", "_selected_action": [boss.pk, ada.pk], "post": "yes"}
    client.post("/admin/auth/user/", fields)

    assert User.objects.filter(username__in=["boss", "ada"]).count() == 2
