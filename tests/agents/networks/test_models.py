import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

from agents.networks.models import Network
from tests.told import no_processor


def faults_of(network):
    with pytest.raises(ValidationError) as refused:
        network.full_clean()
    return refused.value.message_dict


def test_a_network_of_known_agents_is_good(network):
    network.full_clean()

    assert list(network.faults()) == []


@pytest.mark.parametrize(
    ("fields", "faults"),
    [
        pytest.param(
            {"members": ["ada", "zoe"]}, {"members": ["Unknown agents: zoe."]}, id="a stranger"
        ),
        pytest.param(
            {"entry": "eve", "members": ["ada", "bob"]},
            {"members": ["The entry agent (eve) must be one of the members."]},
            id="an entry agent from outside",
        ),
        pytest.param(
            {"members": ["ada", "bob", "ada"]},
            {"members": ["Listed more than once: ada."]},
            id="a member twice",
        ),
        pytest.param(
            {"members": "ada"},
            {"members": ["Must be a list of agents, each named by its slug."]},
            id="no list",
        ),
        pytest.param(
            {"processors": [{"use": "nothing"}]},
            {"processors": [no_processor("network", 1, "nothing")]},
            id="a processor that does not exist",
        ),
    ],
)
def test_a_network_that_cannot_work_is_refused(network, fields, faults):
    for name, value in fields.items():
        setattr(network, name, value)

    assert faults_of(network) == faults


def test_every_save_is_a_version(network):
    network.name = "Three"
    network.save()

    assert network.version == 2
    assert [v.version for v in network.versions.order_by("version")] == [1, 2]


def test_the_check_tells_of_a_member_that_is_gone(network, agents, capsys):
    agents["eve"].delete()

    call_command("check", database=["default"])

    assert "(agents.W004) Unknown agents: eve." in capsys.readouterr().err
    assert Network.objects.get().members == ["ada", "bob", "eve"]
