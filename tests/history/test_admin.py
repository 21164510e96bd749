"""Administrators can read the transcript and its plans."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from history.models import Branch, Generation
from tests.factories import (
    add_plan,
    add_turn,
    begin_turn,
    end_turn,
    make_agent,
    make_conversation,
)
from tests.imported import copied

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
        assert f'href="{address}?generation={generation.pk}' in html
        assert admin_client.get(f"{address}?generation={generation.pk}").status_code == 200
        assert f">{str(generation.conversation_id)[:8]}<" in html
    assert ">What-if, turn 1: done<" in html
    assert ">ada<" in html
    assert ">a visitor<" in html
    assert ">Goldfish<" in html


def opened(client, name):
    """Open the inspector from each row of a list, from the top; return the plans, None if a row has
    no link.
    """
    html = client.get(reverse(f"admin:history_{name}_changelist")).content.decode()
    cells = re.findall(r'<td class="field-chat">(?:<a href="(.*?)")?', html)
    pages = [client.get(unescape(link)) if link else None for link in cells]
    return [page and page.context["panel"].record for page in pages]


def test_each_plan_leads_to_its_own_step(admin_client, record):
    later = [add_plan(record.generation, step) for step in (2, 3)]

    assert set(opened(admin_client, "contextplan")) == {record, *later}


def test_a_message_leads_to_its_own_answer_on_whatever_branch(admin_client, record):
    conversation = record.generation.conversation
    conversation.branch = Branch.objects.create(conversation=conversation)
    conversation.save()
    other = add_turn(conversation)

    found = opened(admin_client, "message")

    assert [plan for plan in found if plan] == [other, record]
    assert len(found) == 4  # Questions have no link: they were stored before any plan.


@pytest.mark.parametrize("name", ["message", "generation"])
def test_no_link_leads_to_a_plan_that_is_not_stored(admin_client, name):
    conversation = make_conversation()
    end_turn(begin_turn(conversation), "Refused")
    copied(conversation)

    assert set(opened(admin_client, name)) == {None}


@pytest.mark.parametrize("name", ["message", "generation", "contextplan"])
def test_no_link_leads_to_a_deleted_chat_whose_key_is_shown(admin_client, record, name):
    conversation = record.generation.conversation
    conversation.deleted_at = timezone.now()
    conversation.save()

    html = admin_client.get(reverse(f"admin:history_{name}_changelist")).content.decode()

    assert set(opened(admin_client, name)) == {None}
    assert f'<td class="field-chat">{str(conversation.pk)[:8]}</td>' in html


@pytest.mark.parametrize(
    ("name", "moment"), [("conversation", "active"), ("generation", "created")]
)
def test_the_newest_come_first(admin_client, record, name, moment):
    agent = record.generation.conversation.agent
    rows = [record.generation]
    rows += [add_turn(make_conversation(agent)).generation for _ in range(4)]
    if name == "conversation":
        rows = [row.conversation for row in rows]
    for days, row in zip((3, 1, 4, 0, 2), rows, strict=True):
        changed = {moment: timezone.now() - timedelta(days=days)}
        type(row)._base_manager.filter(pk=row.pk).update(**changed)

    listed = admin_client.get(reverse(f"admin:history_{name}_changelist")).context["cl"].result_list

    assert [row.pk for row in listed] == [rows[place].pk for place in (3, 1, 4, 0, 2)]


@pytest.mark.parametrize("name", ["message", "generation", "contextplan"])
def test_more_rows_take_no_more_queries(admin_client, record, name):
    def queries():
        with CaptureQueriesContext(connection) as taken:
            opened_list = admin_client.get(reverse(f"admin:history_{name}_changelist"))
        assert opened_list.status_code == 200
        return len(taken)

    before = queries()
    add_turn(record.generation.conversation)

    assert queries() == before


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
