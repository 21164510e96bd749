"""A forgotten password is reset by email if that is set up, else by an administrator's link."""

from functools import partial
from threading import Event

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from chatapp.accounts.views import emails
from chatapp.limits.shared_places import EMAILS
from tests.chatapp.accounts.people import NEW, OLD, path_of, set_password, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(cheap_hashes):
    return User.objects.create_user("ada", password=OLD, email="ada@example.org")


@pytest.fixture
def by_mail(settings):
    settings.CAN_MAIL = True
    settings.PUBLIC_URL = "https://chat.example.org"


def ask(address, client=None):
    return (client or Client()).post("/account/reset", {"email": address}, follow=True)


def sent():
    emails.submit(bool).result()
    return mail.outbox


def link_for(name):
    lines = []
    call_command("reset_link", name, stdout=type("Out", (), {"write": lines.append}))
    return path_of("".join(lines))


def test_the_sign_in_page_says_which_way_there_is(client, settings):
    assert "Ask an administrator for a reset link" in text_of(client.get("/login"))

    settings.CAN_MAIL = True
    assert 'href="/account/reset"' in client.get("/login").content.decode()


def test_without_mail_there_is_no_such_page(client):
    assert client.get("/account/reset").status_code == 404
    assert client.post("/account/reset", {"email": "ada@example.org"}).status_code == 404


def test_a_link_comes_by_mail_and_sets_a_new_password(by_mail, ada):
    answer = ask("ADA@example.org")

    (letter,) = sent()
    assert letter.to == ["ada@example.org"]
    assert "https://chat.example.org/account/reset/" in letter.body
    assert "Your new password is set" in text_of(set_password(Client(), path_of(letter.body)))
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    assert "Check your inbox" in text_of(answer)


@pytest.mark.parametrize("host", ["evil.example", "chat.example.org:8443"])
def test_the_link_leads_here_whatever_host_was_asked(by_mail, settings, ada, host):
    settings.ALLOWED_HOSTS = ["*"]
    ask("ada@example.org", Client(HTTP_HOST=host))

    assert "https://chat.example.org/account/reset/" in sent()[0].body


def test_the_answer_does_not_tell_whether_there_is_such_an_address(by_mail, ada):
    known, unknown = ask("ada@example.org"), ask("bob@example.org")

    assert (known.status_code, text_of(known)) == (unknown.status_code, text_of(unknown))
    assert len(sent()) == 1


def test_nobody_waits_for_the_mail_server(by_mail, ada):
    """Otherwise a slow answer would reveal that the address is known."""
    release = Event()
    for whose in ("", *map(str, range(EMAILS.most))):
        emails.submit(partial(release.wait, 20), whose)
    try:
        assert ask("ada@example.org").status_code == 200
        assert mail.outbox == []
    finally:
        release.set()

    assert len(sent()) == 1


def test_a_mail_server_that_refuses_fails_no_page(by_mail, ada, settings, caplog):
    settings.EMAIL_BACKEND = "django.core.mail.backends.gone.EmailBackend"

    assert ask("ada@example.org").status_code == 200
    emails.submit(bool).result()
    assert "Failed to send" in caplog.text
    assert "ada@example.org" not in caplog.text


def test_asking_again_and_again_is_slowed_down(by_mail, ada, clock):
    statuses = [ask("ada@example.org").status_code for _ in range(6)]

    assert statuses == [200] * 5 + [429]
    assert len(sent()) == 5


def test_a_disabled_account_gets_no_mail(by_mail, ada):
    User.objects.update(is_active=False)
    ask("ada@example.org")

    assert sent() == []


def test_a_link_works_once(ada):
    path = link_for("ada")
    set_password(Client(), path)

    assert "no longer works" in text_of(set_password(Client(), path, OLD))
    ada.refresh_from_db()
    assert ada.check_password(NEW)


def test_a_link_expires(ada, settings):
    path = link_for("ada")
    settings.PASSWORD_RESET_TIMEOUT = -1

    assert "no longer works" in text_of(set_password(Client(), path))


def test_signing_in_ends_a_link(ada, client):
    path = link_for("ada")
    client.post("/login", {"username": "ada", "password": OLD})

    assert "no longer works" in text_of(set_password(Client(), path))


@pytest.mark.parametrize("path", ["/account/reset/MQ/x-y", "/account/reset/%21/set-password"])
def test_a_made_up_link_opens_nothing(ada, client, path):
    assert "no longer works" in text_of(client.get(path, follow=True))


def test_a_link_sets_no_poor_password(ada):
    assert "too common" in text_of(set_password(Client(), link_for("ada"), "password1"))


def test_a_reset_ends_every_session(ada, client):
    client.force_login(ada)
    set_password(Client(), link_for("ada"))

    assert client.get("/account/password").status_code == 302


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("nobody", "No account is called nobody"), ("off", "off is disabled")],
)
def test_the_command_says_why_it_makes_none(ada, name, sentence):
    User.objects.create_user("off", is_active=False)

    with pytest.raises(CommandError, match=sentence):
        call_command("reset_link", name)


def test_the_command_is_recorded(ada):
    link_for("ada")

    entry = LogEntry.objects.first()
    assert (entry.object_id, entry.change_message) == (
        str(ada.pk),
        "Created a reset link on the command line.",
    )


def test_setting_a_password_by_a_link_is_recorded(ada):
    set_password(Client(), link_for("ada"))

    assert LogEntry.objects.first().change_message == "Set the password through a reset link."


@pytest.fixture
def manager(cheap_hashes, client):
    """Sign in staff who may change users; return the user."""
    user = User.objects.create_user("eve", is_staff=True)
    allowed = ["view_user", "change_user", "change_group", "view_group"]
    user.user_permissions.set(Permission.objects.filter(codename__in=allowed))
    client.force_login(user)
    return user


def page_of(user):
    return f"/admin/auth/user/{user.pk}/reset-link/"


def test_an_administrator_makes_a_link(client, manager, ada):
    assert page_of(ada) in client.get(f"/admin/auth/user/{ada.pk}/change/").content.decode()
    assert "/account/reset/" not in text_of(client.get(page_of(ada)))

    link = path_of(text_of(client.post(page_of(ada))))

    assert "Your new password is set" in text_of(set_password(Client(), link))
    entry = LogEntry.objects.filter(user=manager).first()
    assert (entry.object_id, entry.change_message) == (str(ada.pk), "Made a reset link.")


def test_staff_make_no_link_for_a_superuser(client, manager):
    boss = User.objects.create_superuser("boss")

    assert client.post(page_of(boss)).status_code == 403
    assert client.post(f"/admin/auth/user/{boss.pk}/password/", {}).status_code == 403
    assert not LogEntry.objects.filter(object_id=boss.pk, change_message__contains="link").exists()


def test_who_may_not_change_users_makes_no_link(client, ada):
    client.force_login(User.objects.create_user("sam", is_staff=True))

    assert client.post(page_of(ada)).status_code == 403


def test_a_disabled_account_gets_no_link(client, manager, ada):
    User.objects.filter(pk=ada.pk).update(is_active=False)

    assert "is disabled" in text_of(client.post(page_of(ada)))
