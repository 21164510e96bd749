"""Administrators can read the transcript and its plans."""

import re

import pytest
from django.contrib import admin
from django.urls import reverse

from history.models import Generation
from tests.factories import add_turn, make_agent, make_conversation

pytestmark = pytest.mark.django_db


@pytest.fixture
def record():
    return add_turn(make_conversation())


def test_the_administration_has_its_own_name(admin_client):
    html = admin_client.get(reverse("admin:index")).content.decode()

    assert "Site administration | Vitrine administration" in html
    assert "Django administration" not in html


def test_every_list_is_explained_on_the_first_page_and_agents_come_first(admin_client):
    html = admin_client.get(reverse("admin:index")).content.decode()
    rows = re.findall(r'<tr class="model-(\w+)">(.*?)</tr>', html, re.DOTALL)
    shown = [name for name, _row in rows]

    assert len(rows) == len(admin.site._registry)
    assert [name for name, row in rows if 'class="help">' not in row] == []
    assert shown[:5] == ["agenttemplate", "network", "provider", "sitedefaults", "mcpserver"]
    assert shown[8:] == [
        *("conversation", "message", "generation", "contextplan", "tokencalibration", "viewing")
    ]


@pytest.mark.parametrize("name", ["contextplan", "generation"])
def test_answers_of_two_chats_are_told_apart(admin_client, ada, name):
    mine = add_turn(make_conversation(make_agent("goldfish"), ada)).generation
    other = add_turn(make_conversation()).generation
    Generation.objects.filter(pk=mine.pk).update(kind="what_if")

    html = admin_client.get(reverse(f"admin:history_{name}_changelist")).content.decode()

    for generation in (mine, other):
        address = reverse("turn", args=[generation.conversation_id, generation.turn])
        assert f'href="{address}?generation={generation.pk}"' in html
        assert admin_client.get(f"{address}?generation={generation.pk}").status_code == 200
        assert f">{str(generation.conversation_id)[:8]}<" in html
    assert ">What-if, turn 1: done<" in html
    assert ">ada<" in html
    assert ">a visitor<" in html
    assert ">Goldfish<" in html


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
