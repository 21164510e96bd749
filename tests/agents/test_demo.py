import pytest
from django.core.management import call_command

from agents.demo import (
    DEMO_AGENTS,
    MEMBERS,
    LoadOutcome,
    load_demo_agents,
    load_demo_network,
)
from agents.effective import effective
from agents.models import AgentTemplate, template_layer
from agents.networks.models import Network

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("slug", "policy", "length"),
    [
        ("demo", "lastN", 20),
        ("archivist", "all", 20),
        ("goldfish", "lastN", 3),
        ("seeker", "lastN", 10),
        ("oneshot", "none", 20),
        ("courier", "lastN", 20),
    ],
)
def test_each_demo_agent_remembers_differently(slug, policy, length):
    load_demo_agents()

    settings = effective(template_layer(AgentTemplate.objects.get(slug=slug)))

    assert (settings.value("policy"), settings.value("length")) == (policy, length)


def test_every_demo_agent_has_words_for_its_page():
    assert all(
        agent.description and agent.system_prompt and len(agent.starters.splitlines()) == 3
        for agent in DEMO_AGENTS
        if agent.slug != "demo"
    )


def test_loading_again_changes_nothing():
    load_demo_agents()
    before = list(AgentTemplate.objects.values())

    outcomes = load_demo_agents()

    assert set(outcomes.values()) == {LoadOutcome.KEPT}
    assert list(AgentTemplate.objects.values()) == before


def test_loading_again_keeps_an_edit_and_brings_back_what_is_missing():
    load_demo_agents()
    demo = AgentTemplate.objects.get(slug="demo")
    demo.name = "Ours"
    demo.save()
    AgentTemplate.objects.get(slug="goldfish").delete()

    outcomes = load_demo_agents()

    assert outcomes == {
        "demo": LoadOutcome.KEPT,
        "archivist": LoadOutcome.KEPT,
        "goldfish": LoadOutcome.CREATED,
        "seeker": LoadOutcome.KEPT,
        "oneshot": LoadOutcome.KEPT,
        "courier": LoadOutcome.KEPT,
    }
    assert AgentTemplate.objects.get(slug="demo").name == "Ours"


def test_the_command_says_what_it_did(capsys):
    call_command("load_demo_agents")
    call_command("load_demo_agents")

    assert capsys.readouterr().out.splitlines() == [
        *(f"{agent.slug}: created" for agent in (*DEMO_AGENTS, *MEMBERS)),
        "support: created",
        *(f"{agent.slug}: unchanged" for agent in DEMO_AGENTS),
        "support: unchanged",
    ]


def test_the_demo_network_is_offered_and_its_members_are_not():
    load_demo_network()

    network = Network.objects.get(slug="support")
    members = AgentTemplate.objects.filter(slug__in=network.members)
    assert (network.enabled, network.entry) == (True, "greeter")
    assert {(m.slug, m.enabled) for m in members} == {
        ("greeter", False),
        ("researcher", False),
        ("accountant", False),
    }


def test_loading_the_network_again_keeps_what_was_made_of_it():
    load_demo_network()
    Network.objects.update(name="Ours")

    assert load_demo_network() == {"support": LoadOutcome.KEPT}
    assert Network.objects.get().name == "Ours"


def test_a_member_of_the_same_name_stays_as_it_is():
    AgentTemplate.objects.create(slug="greeter", name="Ours")

    assert load_demo_network() == {
        "researcher": LoadOutcome.CREATED,
        "accountant": LoadOutcome.CREATED,
        "support": LoadOutcome.CREATED,
    }
    assert AgentTemplate.objects.get(slug="greeter").name == "Ours"
