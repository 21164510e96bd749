"""Demo agents of an older installation get steps as a new version, unless somebody changed them."""

from importlib import import_module

import pytest
from django.apps import apps

from agents.demo import DEMO_AGENTS, MEMBERS, load_demo_agents, load_demo_network
from agents.effective import effective
from agents.models import AgentTemplate, template_layer

pytestmark = pytest.mark.django_db
STEPS = import_module("agents.migrations.0012_steps")


@pytest.fixture
def shipped():
    """The demo agents as they were."""
    load_demo_agents()
    load_demo_network()
    for template in AgentTemplate.objects.all():
        settings = {n: v for n, v in template.history_settings.items() if n != "length_stride"}
        prompt = template.system_prompt
        for old, new in STEPS.TOLD:
            prompt = prompt.replace(new, old)
        was = {"history_settings": settings, "system_prompt": prompt}
        if template.slug in STEPS.IGNORED:
            was["processors"] = []
        AgentTemplate.objects.filter(pk=template.pk).update(**was)
        template.versions.update(**was)


def stored():
    names = ("slug", "history_settings", "system_prompt", "processors", "version")
    return {row[0]: row[1:] for row in AgentTemplate.objects.values_list(*names)}


def test_the_untouched_are_then_as_new_ones(shipped):
    before = stored()

    STEPS.move_in_steps(apps, None)
    STEPS.move_in_steps(apps, None)

    now = stored()
    moved = {slug for slug in now if now[slug] != before[slug]}
    assert moved == set(STEPS.SHIPPED)
    for agent in (*DEMO_AGENTS, *MEMBERS):
        version = 2 if agent.slug in moved else 1
        new = (agent.history_settings, agent.system_prompt, agent.processors, version)
        assert now[agent.slug] == new
        template = AgentTemplate.objects.get(slug=agent.slug)
        assert template.versions.count() == version
        assert template.versions.first().history_settings == agent.history_settings


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"history_settings": {"policy": "lastN", "length": 12}}, id="another length"),
        pytest.param({"system_prompt": "Ours."}, id="another prompt"),
        pytest.param({"starters": "Hello!"}, id="anything else"),
    ],
)
def test_what_somebody_changed_stays(shipped, changes):
    demo = AgentTemplate.objects.get(slug="demo")
    for name, value in changes.items():
        setattr(demo, name, value)
    demo.save()
    before = stored()["demo"]

    STEPS.move_in_steps(apps, None)

    assert stored()["demo"] == before


def test_an_own_agent_of_the_same_name_stays():
    settings = {"policy": "lastN", "length": 20}
    AgentTemplate.objects.create(slug="demo", name="Ours", history_settings=settings)

    STEPS.move_in_steps(apps, None)

    assert stored()["demo"][0] == settings


@pytest.mark.parametrize(
    ("slug", "stride"),
    [("demo", 10), ("seeker", 10), ("courier", 10), ("goldfish", 1), ("archivist", 1)],
)
def test_new_ones_have_them_from_the_start(slug, stride):
    load_demo_agents()

    settings = effective(template_layer(AgentTemplate.objects.get(slug=slug)))

    assert settings.value("length_stride") == stride
