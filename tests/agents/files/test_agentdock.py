"""AgentDock's templates: which of their fields we take, and which we report as unused."""

import json

import pytest

from agents.files.agentdock import converted, is_template, without_counterpart
from agents.files.importing import ImportOutcome, import_agents
from agents.files.reading import FilesRefused, read
from agents.models import AgentTemplate
from tests.told import no_number

GARDENER = {
    "version": "1.0",
    "agentId": "gardener",
    "name": "Gardener",
    "description": "Knows when to sow.",
    "tags": ["plants"],
    "priority": 2,
    "isEnabled": True,
    "personality": ["You are a gardener.", "You like rain."],
    "nodes": ["llm.gemini", "calculator", "weather"],
    "nodeConfigurations": {
        "llm.gemini": {
            "model": "gemini-2.5-flash",
            "temperature": 0.4,
            "maxTokens": 2048,
            "useCustomApiKey": False,
        },
        "weather": {"units": "metric"},
    },
    "chatSettings": {
        "historyPolicy": "lastN",
        "historyLength": 12,
        "initialMessages": ["Hello, what grows?"],
        "chatPrompts": ["When do I sow peas?", "What eats\nmy kale?"],
    },
    "options": {"maxSteps": 5},
}
CONVERTED = {
    "slug": "gardener",
    "name": "Gardener",
    "description": "Knows when to sow.",
    "enabled": True,
    "system_prompt": "You are a gardener.\nYou like rain.",
    "tools": ["calculator"],
    "model": "gemini/gemini-2.5-flash",
    "temperature": 0.4,
    "output_limit": 2048,
    "history_settings": {"policy": "lastN", "length": 12},
    "starters": "When do I sow peas?\nWhat eats my kale?",
}


def test_a_template_in_our_words():
    assert converted(GARDENER) == CONVERTED


def test_what_has_no_counterpart_is_reported():
    assert list(without_counterpart(GARDENER)) == [
        "tags",
        "priority",
        "options",
        "node weather: unknown tool",
        "nodeConfigurations.llm.gemini.useCustomApiKey",
        "nodeConfigurations.weather.units",
        "chatSettings.initialMessages",
    ]


@pytest.mark.parametrize(
    ("part", "values"),
    [
        pytest.param({}, {"slug": "a"}, id="the least"),
        pytest.param(
            {"personality": "You are one text."},
            {"slug": "a", "system_prompt": "You are one text."},
            id="personality as text",
        ),
        pytest.param(
            {"modules": ["llm.openai", "current_time"]},
            {"slug": "a", "tools": ["current_time"]},
            id="modules, and a model that is not named",
        ),
        pytest.param(
            {"nodeConfigurations": {"llm.groq": {"model": "qwen/qwen3-32b"}}},
            {"slug": "a", "model": "groq/qwen/qwen3-32b"},
            id="a model that is configured only",
        ),
        pytest.param(
            {"chatSettings": {"historyPolicy": "all"}},
            {"slug": "a", "history_settings": {"policy": "all"}},
            id="policy alone",
        ),
    ],
)
def test_parts_may_be_missing(part, values):
    assert converted({"agentId": "a"} | part) == values
    assert list(without_counterpart({"agentId": "a"} | part)) == []


def test_an_agent_has_one_model():
    template = {
        "agentId": "a",
        "nodes": ["llm.openai", "llm.groq"],
        "nodeConfigurations": {"llm.groq": {"model": "g"}, "llm.openai": {"model": "o"}},
    }

    assert converted(template)["model"] == "openai/o"
    assert list(without_counterpart(template)) == [
        "node llm.groq: the agent's model comes from llm.openai",
        "nodeConfigurations.llm.groq.model",
    ]


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        ({"nodes": "search"}, "nodes: must be a list"),
        ({"chatSettings": []}, "chatSettings: must be a JSON object"),
        ({"chatSettings": {"chatPrompts": "Hello"}}, "chatPrompts: must be a list"),
        ({"nodeConfigurations": {"llm.a": 1}}, "llm.a: must be a JSON object"),
    ],
)
def test_a_part_of_another_shape_is_refused(part, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}$"):
        converted({"agentId": "a"} | part)


def test_an_agentdock_template_is_recognised_by_its_id():
    assert [is_template(GARDENER), is_template({"agents": []}), is_template([])] == [
        True,
        False,
        False,
    ]


@pytest.fixture
def file_of(tmp_path):
    def write(template):
        path = tmp_path / "template.json"
        path.write_text(json.dumps(template))
        return path

    return write


@pytest.mark.django_db
def test_an_agentdock_template_is_imported_like_any_file(file_of):
    (found,) = import_agents(read([file_of(GARDENER)]))

    made = AgentTemplate.objects.get()
    assert found.outcome is ImportOutcome.CREATED
    assert {name: getattr(made, name) for name in CONVERTED} == CONVERTED
    assert found.filed.unused == tuple(without_counterpart(GARDENER))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        ({"personality": ["a", 1]}, "agent gardener, system_prompt: must be text; "),
        ({"nodes": {}}, "nodes: must be a list"),
        (
            {"chatSettings": {"historyLength": -1}},
            f"agent gardener, history_settings: {no_number('length', -1)}",
        ),
        ({"agentId": 7}, "agent Gardener: the slug must be text"),
    ],
)
def test_a_bad_value_is_refused_by_its_own_name(file_of, part, complaint):
    path = file_of(GARDENER | part)

    with pytest.raises(FilesRefused) as refused:
        import_agents(read([path]))

    assert str(refused.value).startswith((f"{path}: {complaint}", f"{path}, {complaint}"))
