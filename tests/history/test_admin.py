"""Administrators can read the transcript and its plans."""

import pytest
from django.urls import reverse

from tests.factories import add_turn, make_conversation

pytestmark = pytest.mark.django_db


@pytest.fixture
def record():
    return add_turn(make_conversation())


def test_the_administration_has_its_own_name(admin_client):
    html = admin_client.get(reverse("admin:index")).content.decode()

    assert "Site administration | Vitrine administration" in html
    assert "Django administration" not in html


def test_the_list_of_plans_shows_the_beginning_of_a_hash(admin_client, record):
    html = admin_client.get(reverse("admin:history_contextplan_changelist")).content.decode()

    assert f">{record.request_hash[:12]}<" in html
    assert record.request_hash not in html


def test_a_plans_own_page_shows_the_whole_hash(admin_client, record):
    url = reverse("admin:history_contextplan_change", args=[record.pk])

    assert record.request_hash in admin_client.get(url).content.decode()


def test_a_plans_own_page_says_why_in_words(admin_client, record):
    url = reverse("admin:history_contextplan_change", args=[record.pk])

    html = admin_client.get(url).content.decode()

    assert "History uses " in html
    assert "sent with every request: " in html
