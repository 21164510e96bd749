"""Networks in files, together with their agents."""

import json

import pytest
from django.db.models import NOT_PROVIDED

from agents.files.fields import carried, document, rows_of, values_of
from agents.files.formats import written
from agents.files.importing import ImportOutcome, import_agents
from agents.files.reading import FilesRefused, read
from agents.models import AgentTemplate
from agents.networks.models import Network

AGENTS = [{"slug": "ada", "name": "Ada"}, {"slug": "bob", "name": "Bob"}]
PAIR = {"slug": "pair", "name": "Pair", "entry": "ada", "members": ["ada", "bob"]}

pytestmark = pytest.mark.django_db


def filed(tmp_path, **parts):
    path = tmp_path / "agents.json"
    path.write_text(json.dumps({"version": 1, **parts}))
    return read([path])


def refusal(tmp_path, **parts):
    with pytest.raises(FilesRefused) as refused:
        import_agents(filed(tmp_path, **parts))
    return [message.removeprefix(f"{tmp_path}/") for message in refused.value.messages]


def test_a_network_and_its_agents_come_from_one_file(tmp_path):
    found = import_agents(filed(tmp_path, networks=[PAIR], agents=AGENTS))

    assert [each.outcome for each in found] == [ImportOutcome.CREATED] * 3
    assert Network.objects.get().members == ["ada", "bob"]


@pytest.mark.parametrize("format_name", ["yaml", "json"])
def test_a_network_comes_back_as_it_was_and_changes_nothing(tmp_path, format_name):
    import_agents(filed(tmp_path, agents=AGENTS, networks=[PAIR]))
    before = values_of(Network.objects.get())
    path = tmp_path / f"again.{format_name}"
    path.write_text(written(document(rows_of([])), format_name))

    found = import_agents(read([path]))
    Network.objects.all().delete()
    import_agents(read([path]))

    assert [each.outcome for each in found] == [ImportOutcome.UNCHANGED] * 3
    assert values_of(Network.objects.get()) == before


def test_a_dry_run_saves_neither(tmp_path):
    import_agents(filed(tmp_path, agents=AGENTS, networks=[PAIR]), dry_run=True)

    assert (AgentTemplate.objects.count(), Network.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("parts", "messages"),
    [
        pytest.param(
            {"networks": [PAIR]},
            ["agents.json, network pair, members: Unknown agents: ada, bob."],
            id="agents that do not exist",
        ),
        pytest.param(
            {
                "agents": [{**AGENTS[0], "tools": ["none"]}, AGENTS[1]],
                "networks": [{**PAIR, "entry": "bob"}],
            },
            [
                "agents.json, agent ada, tools: Unknown tools: none.",
                "agents.json, network pair, members: Unknown agents: ada.",
            ],
            id="an agent that is refused itself",
        ),
        pytest.param(
            {"networks": [{**PAIR, "agents": []}]},
            [
                "agents.json, network pair, agents: unknown field; available: slug, name, "
                "description, entry, members, processors, starters, enabled"
            ],
            id="a field of another kind",
        ),
        pytest.param(
            {"agents": AGENTS, "networks": [PAIR, PAIR]},
            ["agents.json, network pair, slug: already in agents.json; keep one of the two"],
            id="one slug twice",
        ),
    ],
)
def test_every_fault_is_told_and_nothing_is_saved(tmp_path, parts, messages):
    said = [m.replace(f"{tmp_path}/", "") for m in refusal(tmp_path, **parts)]

    assert said == messages
    assert (AgentTemplate.objects.count(), Network.objects.count()) == (0, 0)


def test_every_field_that_a_person_edits_is_carried():
    fields = {field.name: field for field in Network._meta.concrete_fields}

    assert carried(Network).keys() == fields.keys() - {"id", "version", "changed"}
    assert fields["members"].default is not NOT_PROVIDED
