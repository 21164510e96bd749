from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from chatapp.overview.figures import Figures
from chatapp.overview.forms import OverviewQuery
from chatapp.overview.period import Period
from chatapp.overview.sums.cells import cells
from chatapp.overview.sums.trend import PeriodFigures, total, trend
from history.models import CallFigures, Generation, GenerationStatus
from tests.factories import (
    add_plan,
    begin_turn,
    end_turn,
    make_agent,
    make_conversation,
    make_reader,
)

UTC = ZoneInfo("UTC")
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)  # A Wednesday.
USUAL = {"prompt": 100, "output": 20, "cache_read": 50, "cost": Decimal("0.01")}


def periods(wanted: OverviewQuery) -> list[PeriodFigures]:
    return trend(wanted, cells(wanted))


def whole(wanted: OverviewQuery) -> Figures:
    found = cells(wanted)
    return total(found, trend(wanted, found))


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOON)


@pytest.fixture
def agent(db, clock):
    return make_agent()


@pytest.fixture
def staff(client, agent):
    """Sign in staff with the right to read everybody's chats, and no other."""
    client.force_login(make_reader("eve"))
    return client


@pytest.fixture
def boss(client, agent):
    client.force_login(User.objects.create_superuser("boss"))
    return client


@pytest.fixture
def rome(agent, ada):
    return make_conversation(agent, ada, title="Rome")


@pytest.fixture
def paris(agent):
    """Make a visitor's conversation."""
    return make_conversation(agent, title="Paris")


@pytest.fixture
def call(clock):
    """Return a function that makes a finished answer some days ago, with its request's figures."""

    def call(conversation, days=0, status=GenerationStatus.DONE, **figures):
        generation = begin_turn(conversation)
        record = add_plan(generation)
        end_turn(generation)
        when = NOON - timedelta(days=days)
        Generation.objects.filter(pk=generation.pk).update(status=status, created=when)
        return CallFigures.objects.create(
            plan=record,
            conversation=conversation,
            created=when,
            **{
                "model": "demo/mirror",
                "agent": conversation.agent.slug,
                "transcript": 400,
                "left_out": 100,
                **USUAL,
                **figures,
            },
        )

    return call


@pytest.fixture
def asked():
    """Return a function that makes the query of an address; without choices, it covers a week."""

    def asked(days=7, **choices):
        since = datetime(2026, 11, 18, tzinfo=UTC) - timedelta(days=days - 1)
        return OverviewQuery(Period(since, UTC, days), **choices)

    return asked
