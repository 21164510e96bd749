"""An exported file contains everything that a template contains."""

import pytest
from django.db.models import BooleanField
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.files.fields import carried, document, rows_of, values_of
from agents.files.formats import written
from agents.files.importing import ImportOutcome, import_agents
from agents.files.reading import read
from agents.models import AgentTemplate

CARRIED = carried(AgentTemplate)
STORABLE = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
TEXT = st.text(STORABLE)
LIMITER = st.fixed_dictionaries({"use": st.just("token_limiter"), "limit": st.integers(1, 10**9)})
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00{}")).map(
    "a".__add__
)
HISTORY = {
    "policy": st.sampled_from(["none", "lastN", "all"]),
    "length": st.integers(0, 10_000),
    "preserve_system_messages": st.booleans(),
    "length_stride": st.integers(1, 1_000),
}
DRAWN = {
    "slug": st.just("drawn"),
    "name": st.text(STORABLE, min_size=1, max_size=80),
    "description": st.text(STORABLE, max_size=200),
    "model": st.just("") | st.from_regex(r"small/[A-Za-z0-9.:_-]{1,90}", fullmatch=True),
    "allowed_models": st.lists(st.from_regex(r"small/[a-z0-9]{1,9}", fullmatch=True), unique=True),
    "system_prompt": TEXT,
    "temperature": st.none() | st.floats(0, 2),
    "output_limit": st.none() | st.integers(1, 4_096),
    "tools": st.lists(st.sampled_from(["calculator", "current_time"]), unique=True),
    "asks": st.just([]),  # Delegations must name existing agents.
    "history_settings": st.fixed_dictionaries({}, optional=HISTORY),
    "processors": st.lists(LIMITER, max_size=3),
    "context": st.lists(
        st.builds(lambda n, text: {"name": f"n{n}", "text": text}, st.integers(0, 99), WORDS),
        max_size=3,
        unique_by=lambda part: part["name"],
    ),
    "starters": TEXT,
}
SWITCHES = {
    name: st.booleans() for name, field in CARRIED.items() if isinstance(field, BooleanField)
}


def through_a_file(templates, folder, format_name):
    path = folder / f"agents.{format_name}"
    path.write_text(written(document(templates), format_name), encoding="utf-8", newline="\n")
    return import_agents(read([path]))


@pytest.mark.parametrize("format_name", ["yaml", "json"])
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(values=st.fixed_dictionaries(DRAWN | SWITCHES))
def test_a_template_comes_back_as_it_was(db, tmp_path, format_name, values):
    AgentTemplate.objects.all().delete()
    AgentTemplate.objects.create(**values)
    exported = rows_of([])
    AgentTemplate.objects.all().delete()

    through_a_file(exported, tmp_path, format_name)

    assert values_of(AgentTemplate.objects.get()) == values


@pytest.mark.parametrize("format_name", ["yaml", "json"])
def test_what_was_exported_changes_nothing(template, tmp_path, format_name):
    AgentTemplate.objects.create(slug="plain", name="Plain", system_prompt="Be kind.\nBe brief.")

    found = through_a_file(rows_of([]), tmp_path, format_name)

    assert [each.outcome for each in found] == [ImportOutcome.UNCHANGED, ImportOutcome.UNCHANGED]
    assert [t.versions.count() for t in AgentTemplate.objects.all()] == [1, 1]


def test_outdated_values_do_not_prevent_importing_an_own_export(template, tmp_path):
    """An unchanged agent with a tool that no longer exists can be imported."""
    AgentTemplate.objects.update(tools=["gone"])

    (found,) = through_a_file(rows_of([]), tmp_path, "yaml")

    assert found.outcome is ImportOutcome.UNCHANGED


def test_every_field_that_a_person_edits_is_carried(template):
    kept_back = {"id", "version", "changed"}
    fields = {field.name for field in AgentTemplate._meta.get_fields() if field.concrete}

    assert CARRIED.keys() == fields - kept_back
