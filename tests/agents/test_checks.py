"""The warnings of `manage.py check` about contradictory settings."""

import pytest
from django.core.checks import run_checks
from django.db import connection

from agents.models import AgentTemplate, SiteDefaults
from agents.providers.models import Provider
from history.core.settings.caps import Caps
from history.core.settings.layers import environment_layer
from tests.told import no_processor


def found(**options):
    checked = run_checks(**options)
    return [(w.id, str(w.obj or ""), w.msg) for w in checked if w.id.startswith("agents.")]


def test_the_environment_may_contradict_what_is_built_in(settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"HISTORY_KEEP_RECENT": "100"})

    ((id_, obj, sentence),) = found()
    assert (id_, obj) == ("agents.W001", "")
    assert sentence.startswith(
        "“Recent messages not summarised” 100 (the server's HISTORY_KEEP_RECENT) "
    )
    assert "“Summarise at” 100 (built-in)" in sentence


def test_no_way_out_is_named_that_a_cap_forbids(settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"HISTORY_SUMMARIZE": "true"})
    settings.HISTORY_CAPS = Caps(length=10)

    ((_, _, sentence),) = found()

    assert "raise “History length”" not in sentence
    assert "HISTORY_LENGTH_MAX" in sentence


def test_the_defaults_need_no_word():
    assert found() == []


@pytest.mark.parametrize(
    ("stored", "complaint"),
    [
        pytest.param(
            {"history_settings": {"output_reserve": 128_000}},
            (
                "agents.W002",
                "“Output reserve” 128,000 (agent plain v1) uses up all of “Context window” "
                "128,000 (model catalogue): lower “Output reserve” or raise “Context window”.",
            ),
            id="contradiction",
        ),
        pytest.param(
            {"history_settings": {"pruner": "gone"}},
            (
                "agents.W003",
                "agent plain v1: Pruner gone: must be fifo, sliding_window or summarize",
            ),
            id="a pruner that is gone",
        ),
        pytest.param(
            {"history_settings": {"summary_model": "nope/model"}},
            (
                "agents.W002",
                "“Summary model” nope/model (agent plain v1) can't be used: no such provider",
            ),
            id="unknown provider",
        ),
        pytest.param(
            {"processors": [{"use": "gone"}]},
            (
                "agents.W003",
                no_processor("agent", 1, "gone"),
            ),
            id="a processor that is gone",
        ),
        pytest.param({"history_settings": {"summary_model": "local/x"}}, None, id="a local model"),
    ],
)
@pytest.mark.django_db
def test_what_is_stored_is_checked_with_the_database(stored, complaint):
    AgentTemplate.objects.create(slug="plain", name="Plain", **stored)
    expected = [(complaint[0], "Plain", complaint[1])] if complaint else []

    assert found(databases=["default"]) == expected
    assert found() == []


@pytest.mark.django_db
def test_the_sites_part_is_told_for_each_template(template):
    SiteDefaults.objects.create(history_settings={"keep_recent": 50, "trigger_at": 40})

    assert [(w[0], w[1]) for w in found(databases=["default"])] == [("agents.W002", "Helper")]


def test_before_the_tables_are_made_there_is_nothing_to_check(db):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE agents_agenttemplate RENAME TO elsewhere")

    assert found(databases=["default"]) == []


def test_a_key_that_cannot_be_read_and_a_model_that_is_gone_are_told(db, settings):
    provider = Provider(slug="work", address="https://llm.example.org/v1")
    provider.set_key("sk-canary-0123456789")
    provider.save()
    AgentTemplate.objects.create(slug="plain", name="Plain", allowed_models=["gone/model"])
    settings.SECRET_KEY = "another secret of some length, 1234"

    (_, _, about_model), (_, obj, about_key) = found(databases=["default"])

    assert about_model == "agent plain v1: other models: gone/model: no such provider"
    assert obj == "work"
    assert about_key.startswith("The key of the provider work can't be decrypted.")
