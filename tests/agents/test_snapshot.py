import json
from dataclasses import replace

import pytest

from agents.models import AgentTemplate, SiteDefaults
from agents.networks.agent_tools import Delegate, Transfer
from agents.snapshot import AgentSnapshot, snapshot
from history.core.words.facts import Rule, note


@pytest.fixture
def full(db):
    return AgentTemplate.objects.create(
        slug="full",
        name="Full",
        model="small/model",
        system_prompt="Be kind.",
        temperature=0.5,
        output_limit=300,
        tools=["calculator"],
        prompt_is_public=True,
        history_settings={"length": 3},
        processors=[{"use": "tool_call_filter"}],
        context=[{"name": "date", "text": "Today is {date}."}],
    )


def test_a_snapshot_holds_what_a_generation_needs(full):
    assert json.loads(json.dumps(snapshot(full).as_dict())) == {
        "slug": "full",
        "name": "Full",
        "version": 1,
        "source": "agent full v1",
        "model": "small/model",
        "system_prompt": "Be kind.",
        "temperature": 0.5,
        "output_limit": 300,
        "tools": ["calculator"],
        "mcp": "",
        "prompt_is_public": True,
        "history_settings": {"length": 3},
        "processors": {"history": [], "network": [], "agent": [{"use": "tool_call_filter"}]},
        "context": [{"name": "date", "text": "Today is {date}."}],
        "network": None,
        "transfers": [],
        "asks": [],
        "notes": [],
    }


def test_a_snapshot_comes_back_from_its_json_byte_for_byte(full):
    full.allowed_models = ["openai/gpt-4o"]
    taken = replace(
        snapshot(full, model="openai/gpt-4o"),
        mcp="0" * 64,
        network={"slug": "desk", "name": "Desk"},
        transfers=(Transfer("transfer_to_bob", "bob", "Bob", "Knows bobs."),),
        asks=(Delegate("ask_eve", "eve", "Eve", ""),),
    )
    stored = json.dumps(taken.as_dict())

    assert json.dumps(AgentSnapshot.from_dict(json.loads(stored)).as_dict()) == stored
    assert AgentSnapshot.from_dict(json.loads(stored)) == taken


def test_what_a_snapshot_lacks_has_its_default():
    assert AgentSnapshot.from_dict({}) == AgentSnapshot()


def test_a_chat_may_use_another_model_of_the_list(full):
    full.allowed_models = ["openai/gpt-4o"]

    taken = snapshot(full, model="openai/gpt-4o")

    assert taken.model == "openai/gpt-4o"
    assert taken.notes == (note(Rule.MODEL_CHOSEN, model="openai/gpt-4o", own="small/model"),)


@pytest.mark.parametrize("own", ["", "small/model"])
def test_its_own_model_needs_no_explanation(full, own):
    assert snapshot(full, model=own).notes == ()


def test_a_model_that_is_no_longer_on_the_list_is_not_used(full):
    taken = snapshot(full, model="openai/gpt-4o")

    assert taken.model == "small/model"
    assert [each.fact.rule for each in taken.notes] == [Rule.MODEL_NOT_ALLOWED]


def test_a_snapshot_holds_the_sites_processors_too(full):
    limiter = [{"use": "token_limiter", "limit": 500}]
    SiteDefaults.objects.create(processors=limiter)

    assert snapshot(full).processors["history"] == limiter


def test_a_snapshot_does_not_follow_the_template(full):
    taken = snapshot(full)
    full.tools.append("current_time")
    full.history_settings["length"] = 9

    assert (taken.tools, taken.history_settings) == (["calculator"], {"length": 3})


def test_a_template_without_a_model_is_sent_to_the_default_one(template):
    assert snapshot(template).model == "large/model"
