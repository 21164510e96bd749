"""`/healthz` answers everybody, without the database."""

import pytest
from django.contrib.auth.models import User
from django.db import connections

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_session_is_not_looked_up(client, path, django_assert_num_queries, monkeypatch):
    client.force_login(User.objects.create_user("ada"))
    monkeypatch.setattr("chatapp.server.health.readiness.fault", lambda: "")

    with django_assert_num_queries(0):
        assert client.get(path).status_code == 200
    assert connections["default"].queries_log is not None


def test_any_other_page_ends_old_sign_ins(client, settings):
    client.force_login(User.objects.create_user("ada"))
    settings.SESSION_DAYS = 0

    client.get("/chat")

    assert "_auth_user_id" not in client.session
