"""`manage.py agents` in a terminal: its arguments, and the lines that it writes."""

import pytest
import yaml
from django.core.management import CommandError, call_command

from agents.models import AgentTemplate

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(capsys):
    """Return a function that runs the command and returns the lines it wrote."""

    def run(*arguments):
        call_command("agents", *map(str, arguments))
        return capsys.readouterr().out.splitlines()

    return run


def test_all_are_exported_by_slug(template, run):
    AgentTemplate.objects.create(slug="aide", name="Zed")

    exported = yaml.safe_load("\n".join(run("export")))

    assert [agent["slug"] for agent in exported["agents"]] == ["aide", "helper"]
    assert exported["version"] == 1


@pytest.mark.parametrize(
    ("name", "start"),
    [("agents.yaml", "version: 1\n"), ("agents.json", '{\n  "version": 1'), ("-.txt", None)],
)
def test_the_file_s_name_tells_the_format(template, run, tmp_path, name, start):
    path = tmp_path / name
    if start is None:
        with pytest.raises(CommandError, match=r"must end in .*, or give --format$"):
            run("export", "--output", path)
    else:
        assert run("export", "helper", "--output", path) == []
        assert path.read_text().startswith(start)


def test_an_unknown_agent_is_no_empty_file(template, run, tmp_path):
    with pytest.raises(CommandError, match=r"^Unknown agents: gone\. Available: helper\.$"):
        run("export", "gone", "--output", tmp_path / "agents.yaml")

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_told(template, run, tmp_path):
    with pytest.raises(CommandError, match="cannot be written: No such file or directory"):
        run("export", "--output", tmp_path / "gone" / "agents.yaml")


def test_export_edit_dry_run_import(template, run, tmp_path):
    path = tmp_path / "agents.yaml"
    run("export", "--output", path)
    path.write_text(path.read_text().replace("length: 12", "length: 7"))
    difference = ["helper: changed", "  history_settings.length: 12 -> 7"]

    assert run("import", path, "--dry-run") == [*difference, "Dry run: nothing was saved."]
    assert AgentTemplate.objects.get().version == 1
    assert run("import", path) == difference
    assert run("import", path) == ["helper: unchanged"]
    assert AgentTemplate.objects.get().history_settings == {"policy": "lastN", "length": 7}


def test_what_has_no_counterpart_is_said(run, tmp_path):
    path = tmp_path / "template.json"
    path.write_text('{"agentId": "a", "name": "A", "tags": ["b"]}')

    assert run("import", path) == [
        "a: created",
        '  slug: "" -> "a"',
        '  name: "" -> "A"',
        "  no counterpart: tags",
    ]


def test_a_refusal_says_what_to_do(run, tmp_path):
    path = tmp_path / "agents.yaml"
    path.write_text("version: 1\nagents:\n  - slug: no\n")

    with pytest.raises(CommandError) as refused:
        run("import", path)

    assert str(refused.value).splitlines() == [
        f"{path}: agent False: the slug must be text",
        "Nothing was imported. Fix this and import again; --dry-run saves nothing.",
    ]
