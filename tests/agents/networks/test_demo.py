import pytest

from agents.demo import LoadOutcome
from agents.models import AgentTemplate
from agents.networks.demo import load_demo_network
from agents.networks.models import Network

pytestmark = pytest.mark.django_db


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


def test_loading_again_keeps_what_was_made_of_it():
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
