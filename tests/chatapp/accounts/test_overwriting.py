"""Two administrators open the same account or group: the second to save gets a warning."""

import json

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse

from tests.chatapp.accounts.people import text_of

pytestmark = pytest.mark.django_db


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def two():
    """Return the clients of two superusers."""
    return [signed_in(User.objects.create_superuser(name)) for name in ("ada", "bob")]


@pytest.fixture
def eve():
    return User.objects.create_user("eve", "eve@example.org", is_staff=True)


def change_page(row):
    return reverse(f"admin:auth_{row._meta.model_name}_change", args=[row.pk])


def posted_by(form):
    """Return the values that a browser posts for a form as shown."""
    shown = {field.html_name: field.value() for field in form if field.name != "password"}
    return {name: value for name, value in shown.items() if value not in (None, False, "")}


def opened(client, row):
    return posted_by(client.get(change_page(row)).context["adminform"].form)


def without(form, *names):
    return {name: value for name, value in form.items() if name not in names}


def test_an_older_page_does_not_switch_an_account_on_again(two, eve):
    hers, his = (opened(client, eve) for client in two)
    switched_off = without(hers, "is_active", "is_staff")
    assert two[0].post(change_page(eve), switched_off).status_code == 302

    refused = two[1].post(change_page(eve), his | {"last_name": "Smith"})

    eve.refresh_from_db()
    assert (eve.is_active, eve.is_staff, eve.last_name) == (False, False, "")
    assert (
        "ada changed this while you were editing: "
        "staff status is now “false”, active is now “false”." in text_of(refused)
    )
    again = posted_by(refused.context["adminform"].form)
    assert two[1].post(change_page(eve), again).status_code == 302
    eve.refresh_from_db()
    assert (eve.is_active, eve.last_name) == (True, "Smith")


def test_an_older_page_does_not_give_a_group_back(two, eve):
    readers = Group.objects.create(name="readers")
    eve.groups.add(readers)
    hers, his = (opened(client, eve) for client in two)
    two[0].post(change_page(eve), without(hers, "groups"))

    refused = two[1].post(change_page(eve), his | {"last_name": "Smith"})

    assert not eve.groups.exists()
    assert "groups is now “none”" in text_of(refused)


def test_an_older_page_of_a_group_does_not_give_a_permission_back(two):
    readers = Group.objects.create(name="readers")
    readers.permissions.add(Permission.objects.get(codename="read_all"))
    hers, his = (opened(client, readers) for client in two)
    two[0].post(change_page(readers), without(hers, "permissions"))

    refused = two[1].post(change_page(readers), his | {"name": "those who read"})

    readers.refresh_from_db()
    assert (readers.name, readers.permissions.count()) == ("readers", 0)
    assert "permissions is now “none”" in text_of(refused)


def test_a_sign_in_and_a_new_password_meanwhile_are_no_change_and_are_kept(two, eve):
    his = opened(two[1], eve)
    eve.set_password("quiet green harbour")
    eve.save()
    Client().force_login(eve)

    assert two[1].post(change_page(eve), his | {"last_name": "Smith"}).status_code == 302

    after = User.objects.get(pk=eve.pk)
    assert (after.last_name, after.last_login) == ("Smith", eve.last_login)
    assert after.check_password("quiet green harbour")
    assert "password" not in json.loads(his["seen"])


def test_a_change_of_roles_is_none_to_staff_who_cannot_set_them(two, eve):
    manager = User.objects.create_user("max", is_staff=True)
    manager.user_permissions.add(*Permission.objects.filter(codename__endswith="_user"))
    his = opened(signed_in(manager), eve)
    two[0].post(change_page(eve), without(opened(two[0], eve), "is_staff"))

    saved = signed_in(manager).post(change_page(eve), his | {"last_name": "Smith"})

    eve.refresh_from_db()
    assert (saved.status_code, eve.is_staff, eve.last_name) == (302, False, "Smith")


def test_making_an_account_and_a_group_needs_nothing_seen(two, cheap_hashes):
    password = {"password1": "quiet green harbour", "password2": "quiet green harbour"}
    account = {"username": "new", "usable_password": "true", **password}

    assert two[0].post("/admin/auth/user/add/", account).status_code == 302
    assert two[0].post("/admin/auth/group/add/", {"name": "readers"}).status_code == 302
