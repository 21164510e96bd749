"""The overview shows the people, agents and models that cost most."""

import re
from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from tests.chatapp.overview.test_views import links, text_of
from tests.factories import make_agent, make_conversation

CENT = Decimal("0.01")
HEADING, NEXT = "Who and what used most", "Copied"


def leading(page):
    return text_of(page).partition(HEADING)[2].partition(NEXT)[0]


@pytest.fixture
def spent(call, agent, rome, paris):
    """Let Ada spend three cents, and a visitor one cent with another agent and model."""
    call(rome, cost=2 * CENT, model="big/model")
    call(rome, cost=CENT, model="big/model")
    call(make_conversation(make_agent("other")), cost=CENT)


def test_who_and_what_costs_most_is_first(boss, spent):
    text = leading(boss.get("/inspect/")).strip()

    assert text == (
        "Person Requests Cost ada 2 $0.0300 Visitors 1 $0.0100 All people (2) "
        "Agent Requests Cost Demo 2 $0.0300 Other 1 $0.0100 All agents (2) "
        "Model Requests Cost big/model 2 $0.0300 demo/mirror 1 $0.0100 All models (2)"
    )


def test_bars_are_shares_of_the_first(boss, spent):
    html = boss.get("/inspect/").text

    assert re.findall(r'<rect width="([^"]*)"', html) == ["100.0%", "33.3%"] * 3


def test_each_leads_to_its_conversations_and_to_all_of_its_kind(boss, spent, ada):
    found = set(links(boss.get("/inspect/?sort=-tokens")))

    for chosen in (f"person={ada.pk}", "person=0", "agent=other", "model=big%2Fmodel"):
        (link,) = [each for each in found if chosen in each and "failures" not in each]
        assert boss.get("/inspect/" + link.replace("&amp;", "&")).status_code == 200
    for by in ("person", "agent", "model"):
        assert f"?days=30&amp;by={by}&amp;sort=-cost#list-title" in found


def test_they_are_ranked_by_tokens_for_those_who_may_not_see_costs(staff, spent):
    text = leading(staff.get("/inspect/"))

    assert "Person Requests Tokens ada 2 240 Visitors 1 120" in text
    assert "$" not in text


def test_only_the_first_few_are_there_and_all_are_counted(boss, call, agent):
    for number in range(7):
        owner = User.objects.create_user(f"person {number}")
        call(make_conversation(agent, owner), cost=CENT * number)
    text = leading(boss.get("/inspect/"))

    assert re.findall(r"person \d", text) == [f"person {number}" for number in (6, 5, 4, 3, 2)]
    assert "All people (7)" in text


def test_they_are_those_of_what_one_chose(boss, spent, ada):
    text = leading(boss.get(f"/inspect/?person={ada.pk}"))

    assert "Visitors" not in text
    assert "Agent Requests Cost Demo 2 $0.0300 All agents (1)" in text
