"""What an import saves, and what it refuses."""

import pytest

from agents.files.fields import carried
from agents.files.formats import written
from agents.files.importing import ImportOutcome, import_agents
from agents.files.reading import FilesRefused, read
from agents.models import AgentTemplate
from history.core.settings.layers import environment_layer
from tests.told import no_number

CARRIED = carried(AgentTemplate)

pytestmark = pytest.mark.django_db


@pytest.fixture
def file_with(tmp_path):
    """Return a function that writes agents to a file and returns its path."""

    def write(*agents, name="agents.yaml"):
        path = tmp_path / name
        text = written({"version": 1, "agents": list(agents)}, path.suffix[1:])
        path.write_text(text, encoding="utf-8")
        return path

    return write


def complaints(*paths):
    """Return the messages of the refusal without the folder, which differs in each test."""
    with pytest.raises(FilesRefused) as refused:
        import_agents(read(paths))
    return [message.replace(f"{paths[0].parent}/", "") for message in refused.value.messages]


def test_a_file_may_hold_several_agents_and_there_may_be_several_files(template, file_with):
    found = import_agents(
        read(
            [
                file_with({"slug": "helper", "name": "Aide"}, {"slug": "new", "name": "New"}),
                file_with({"slug": "third", "name": "Third"}, name="more.json"),
            ]
        )
    )

    assert [(each.filed.slug, each.outcome) for each in found] == [
        ("helper", ImportOutcome.CHANGED),
        ("new", ImportOutcome.CREATED),
        ("third", ImportOutcome.CREATED),
    ]
    assert sorted(AgentTemplate.objects.values_list("slug", "name")) == [
        ("helper", "Aide"),
        ("new", "New"),
        ("third", "Third"),
    ]


def test_what_a_file_does_not_name_stays(template, file_with):
    import_agents(read([file_with({"slug": "helper", "description": "Helps."})]))

    now = AgentTemplate.objects.get()
    assert (now.name, now.description, now.version) == ("Helper", "Helps.", 2)
    assert now.history_settings == {"policy": "lastN", "length": 12}


def test_only_what_differs_is_saved(template, file_with):
    path = file_with({"slug": "helper", "name": "Aide"})
    import_agents(read([path]))
    (again,) = import_agents(read([path]))

    assert again.outcome is ImportOutcome.UNCHANGED
    assert AgentTemplate.objects.get().versions.count() == 2


def test_a_dry_run_saves_nothing(template, file_with):
    path = file_with({"slug": "helper", "name": "Aide"}, {"slug": "new", "name": "New"})

    found = import_agents(read([path]), dry_run=True)

    assert [each.outcome for each in found] == [ImportOutcome.CHANGED, ImportOutcome.CREATED]
    assert [(t.name, t.version) for t in AgentTemplate.objects.all()] == [("Helper", 1)]


def test_one_bad_agent_keeps_all_others_out(template, file_with):
    path = file_with({"slug": "new", "name": "New"}, {"slug": "helper", "temperature": 3})

    assert complaints(path) == [
        "agents.yaml, agent helper, temperature: Ensure this value is less than or equal to 2."
    ]
    assert list(AgentTemplate.objects.values_list("slug", flat=True)) == ["helper"]


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        pytest.param("name", False, "must be text; put it in quotes", id="yes and no"),
        pytest.param("enabled", "yes", "must be true or false", id="no boolean"),
        pytest.param("temperature", "0.5", "must be a number", id="no number"),
        pytest.param("temperature", float("nan"), "must be a number", id="not a number"),
        pytest.param("output_limit", 1.5, "must be a whole number", id="no whole number"),
        pytest.param("output_limit", 10**30, "must be a whole number", id="enormous"),
        pytest.param("output_limit", True, "must be a whole number", id="boolean"),
        pytest.param("name", None, "must be text; put it in quotes", id="nothing"),
        pytest.param("tools", "calculator", "must be a list", id="no list"),
        pytest.param("history_settings", [], "must be an object", id="no names"),
        pytest.param(
            "processors",
            [{"use": {1: 2}}],
            "may only contain text, numbers, true and false; put dates in quotes",
            id="number as a name",
        ),
        pytest.param(
            "name",
            "a\x00",
            "contains a NUL character; remove it",
            id="nul",
        ),
        pytest.param(
            "history_settings",
            {"length": -1},
            no_number("length", -1),
            id="setting",
        ),
        pytest.param("tools", ["gone"], "Unknown tools: gone.", id="tool"),
        pytest.param(
            "history_settings",
            {"summary_model": "no/model"},
            "summary_model: “Summary model” no/model (agent helper v1) can't be used: no such "
            "provider",
            id="summary model",
        ),
        pytest.param("nmae", "A", f"unknown field; available: {', '.join(CARRIED)}", id="misspelt"),
        pytest.param("version", 3, f"unknown field; available: {', '.join(CARRIED)}", id="counted"),
    ],
)
def test_a_bad_value_names_file_agent_and_field(template, file_with, field, value, complaint):
    path = file_with({"slug": "helper", field: value})

    assert complaints(path) == [f"agents.yaml, agent helper, {field}: {complaint}"]
    assert AgentTemplate.objects.get().version == 1


def test_settings_that_contradict_each_other_are_refused_as_on_the_admins_page(file_with):
    settings = {"summarize": True, "trigger_at": 5, "keep_recent": 9}

    (message,) = complaints(file_with({"slug": "new", "name": "New", "history_settings": settings}))

    assert message.startswith("agents.yaml, agent new, history_settings: ")
    assert "keep_recent" in message


def test_what_the_environment_alone_contradicts_is_no_fault_of_the_file(file_with, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"HISTORY_TOKEN_BUDGET": "20000"})

    (found,) = import_agents(read([file_with({"slug": "new", "name": "New"})]))

    assert found.outcome is ImportOutcome.CREATED


def test_an_agent_in_two_files_is_refused(file_with):
    one = file_with({"slug": "new", "name": "One"})
    two = file_with({"slug": "new", "name": "Two"}, name="two.yaml")

    assert complaints(one, two) == [
        f"two.yaml, agent new, slug: already in {one}; keep one of the two".replace(
            f"{one.parent}/", ""
        )
    ]


def test_every_fault_of_every_file_is_told_at_once(file_with, tmp_path):
    bad = file_with({"slug": "one", "name": 1}, {"slug": "two", "nmae": ""})

    assert complaints(bad, tmp_path / "gone.yaml", tmp_path / "agents.txt") == [
        "agents.yaml, agent one, name: must be text; put it in quotes",
        f"agents.yaml, agent two, nmae: unknown field; available: {', '.join(CARRIED)}",
        "gone.yaml: cannot be read: No such file or directory",
        "agents.txt: the name must end in .yaml, .yml, .json",
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param(b"{}", "must contain ", id="empty"),
        pytest.param(b"[]", "must contain ", id="list"),
        pytest.param(b"\xff", "is not UTF-8; save it as UTF-8", id="encoding"),
        pytest.param(
            b'{"version": 2, "agents": []}', "version=2: this release reads version 1", id="newer"
        ),
        pytest.param(
            b'{"agents": [], "tols": 1}', "tols: unknown part; the file must contain ", id="part"
        ),
        pytest.param(
            b'{"version": 1, "agents": [{"name": "A"}]}',
            "agent A: the slug must be text",
            id="no slug",
        ),
        pytest.param(
            b'{"version": 1, "agents": ["demo"]}',
            "agent demo: the slug must be text",
            id="no agent",
        ),
    ],
)
def test_a_file_of_another_shape_is_refused(tmp_path, content, complaint):
    path = tmp_path / "agents.json"
    path.write_bytes(content)

    (message,) = complaints(path)

    assert message.startswith(f"agents.json: {complaint}")


ASKING_EACH_OTHER = (
    {"slug": "ada", "name": "Ada", "asks": ["bob"]},
    {"slug": "bob", "name": "Bob", "asks": ["ada"]},
)


@pytest.mark.parametrize("dry_run", [True, False], ids=["dry run", "in earnest"])
def test_agents_of_the_same_files_may_ask_each_other(file_with, dry_run):
    first, second = ASKING_EACH_OTHER
    paths = [file_with(first), file_with(second, name="more.json")]

    found = import_agents(read(paths), dry_run=dry_run)

    assert [each.outcome for each in found] == [ImportOutcome.CREATED] * 2
    assert AgentTemplate.objects.count() == (0 if dry_run else 2)


def test_agents_that_ask_each_other_come_back_and_change_nothing(file_with):
    path = file_with(*ASKING_EACH_OTHER)
    import_agents(read([path]))

    again = import_agents(read([path]))

    assert [each.outcome for each in again] == [ImportOutcome.UNCHANGED] * 2
    assert list(AgentTemplate.objects.values_list("slug", "asks", "version")) == [
        ("ada", ["bob"], 1),
        ("bob", ["ada"], 1),
    ]


def test_an_agent_that_no_file_and_no_row_has_cannot_be_asked(file_with):
    path = file_with({"slug": "ada", "name": "Ada", "asks": ["bob"]})

    assert complaints(path) == ["agents.yaml, agent ada, asks: Unknown agents: bob."]
