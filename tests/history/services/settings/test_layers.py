"""The layers of a message's settings, including the conversation's own."""

import pytest
from django.contrib.auth.models import User

from agents.models import SiteDefaults
from agents.tools import TOOLS, Audience, tool
from history.core.settings.caps import Caps
from history.core.words.errors import SettingErrors
from history.core.words.facts import Rule
from history.services.settings.layers import changed_settings, draft_for, frozen, resolve_settings
from tests.factories import actor_for, make_agent, make_conversation

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("changes", "stored"),
    [
        pytest.param({"max_items": 40}, {"length": 5, "policy": "all", "max_items": 40}, id="add"),
        pytest.param({"length": 9}, {"length": 9, "policy": "all"}, id="change"),
        pytest.param({"length": None}, {"policy": "all"}, id="null unsets"),
        pytest.param({"max_items": None}, {"length": 5, "policy": "all"}, id="null of the unset"),
        pytest.param({}, {"length": 5, "policy": "all"}, id="nothing"),
        pytest.param(
            {
                "token_budget": 9_000,
                "pruner": "summarize",
                "tool_results_keep": 3,
                "summarize": False,
            },
            {
                "length": 5,
                "policy": "all",
                "token_budget": 9_000,
                "pruner": "summarize",
                "tool_results_keep": 3,
                "summarize": False,
            },
            id="all that a conversation may set",
        ),
    ],
)
def test_a_conversation_changes_its_settings_one_by_one(changes, stored):
    conversation = make_conversation(history_settings={"length": 5, "policy": "all"})

    assert changed_settings(conversation, changes) == stored


@pytest.mark.parametrize(
    ("changes", "setting", "rule"),
    [
        ({"trigger_at": 5}, "trigger_at", Rule.MAY_NOT_SET),
        ({"max_items": 1}, "max_items", Rule.NO_NUMBER),
        ({"lenght": 5}, "lenght", Rule.NO_SETTING),
        ([], "", Rule.NO_OBJECT),
    ],
)
def test_what_a_conversation_may_not_set_is_refused(changes, setting, rule):
    with pytest.raises(SettingErrors) as refusal:
        changed_settings(make_conversation(), changes)

    assert {name: why.rule for name, why in refusal.value.by_setting.items()} == {setting: rule}


def test_caps_hold_for_what_an_address_asks(settings):
    settings.HISTORY_CAPS = Caps(length=7)
    conversation = make_conversation()

    query = "historyPolicy=all&historyLength=100"
    resolved = resolve_settings(conversation.agent, actor_for(conversation), query, conversation)

    assert (resolved.value("policy"), resolved.value("length")) == ("lastN", 7)


def test_a_snapshot_keeps_the_processors_of_its_time():
    site = SiteDefaults.objects.create(processors=[{"use": "tool_call_filter"}])
    limiter = [{"use": "token_limiter", "limit": 900}]
    conversation = make_conversation(make_agent(processors=limiter))

    taken = frozen(draft_for(conversation, conversation.agent, actor_for(conversation), ""))
    site.processors = []
    site.save()

    assert taken["agent"]["processors"] == {
        "history": [{"use": "tool_call_filter"}],
        "network": [],
        "agent": limiter,
    }


@pytest.mark.parametrize(
    ("owner", "names"),
    [
        pytest.param({}, ["calculator"], id="a visitor"),
        pytest.param({"username": "ada"}, ["calculator", "letters"], id="signed in"),
        pytest.param(
            {"username": "grace", "is_staff": True}, ["calculator", "letters", "audit"], id="staff"
        ),
    ],
)
def test_only_tools_that_a_person_may_use_are_offered(monkeypatch, owner, names):
    def nothing() -> str:
        """Does nothing."""
        return ""

    monkeypatch.setitem(TOOLS, "letters", tool(nothing, audience=Audience.SIGNED_IN))
    monkeypatch.setitem(TOOLS, "audit", tool(nothing, audience=Audience.STAFF))
    agent = make_agent(tools=["calculator", "letters", "audit"])
    user = User.objects.create(**owner) if owner else None
    conversation = make_conversation(agent, owner=user)

    taken = frozen(draft_for(conversation, agent, actor_for(conversation), ""))

    assert taken["agent"]["tools"] == names
