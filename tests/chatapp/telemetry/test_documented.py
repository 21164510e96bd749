"""The documents, the alert rules and the scrape configuration name exactly the exported metrics."""

import re

import pytest
import yaml

from chatapp.env import ROOT
from chatapp.process.observing import watch_gauges
from chatapp.telemetry.metrics import METRICS
from chatapp.telemetry.prometheus import exposition, switch_off, switch_on

PROMETHEUS = ROOT / "deploy" / "prometheus"
ROW = re.compile(r"^\| `((?:vitrine|process)_\w+)` \| (\w+) \| (.*?) \|", re.MULTILINE)
NAMED = re.compile(r"\b(?:vitrine|process)_\w+")
PARTS = ("_bucket", "_sum", "_count")


@pytest.fixture(scope="module")
def exported():
    watch_gauges()
    registry = switch_on()
    text = exposition(registry, {})[0].decode()
    switch_off()
    return text


def families(text):
    """Map each exported metric to its kind."""
    return dict(re.findall(r"^# TYPE (\S+) (\w+)$", text, re.MULTILINE))


def test_the_table_in_the_documents_has_every_metric_and_no_other(exported):
    rows = ROW.findall((ROOT / "docs" / "operations.md").read_text())

    assert {name: kind for name, kind, _ in rows} == families(exported)
    assert len(rows) == len(families(exported))
    labels = {metric.name: set(metric.labels) for metric in METRICS}
    for name, _, written in rows:
        assert set(re.findall(r"`(\w+)`", written)) == labels.get(name, set()), name


def test_every_metric_says_what_it_is(exported):
    said = dict(re.findall(r"^# HELP (\S+) (.+)$", exported, re.MULTILINE))

    assert said.keys() == families(exported).keys()
    assert [name for name, sentence in said.items() if len(sentence) < 20] == []
    assert [metric.name for metric in METRICS if not metric.help.endswith(".")] == []


def test_the_alerts_name_only_metrics_that_exist(exported):
    (group,) = yaml.safe_load((PROMETHEUS / "alerts.yaml").read_text())["groups"]
    there = families(exported)
    known = {*there, *(f"{name}{part}" for name in there for part in PARTS)}

    assert len(group["rules"]) == 5
    for rule in group["rules"]:
        named = set(NAMED.findall(rule["expr"]))
        assert named <= known, rule["alert"]
        assert NAMED.search(rule["expr"]) or "up{" in rule["expr"]
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["labels"]["severity"] in {"warning", "critical"}


def test_the_sample_of_a_scrape_asks_for_the_path_that_there_is():
    (job,) = yaml.safe_load((PROMETHEUS / "scrape.yaml").read_text())["scrape_configs"]

    assert job["job_name"] == "vitrine"
    assert job["metrics_path"] == "/metrics"
    assert job["authorization"]["type"] == "Bearer"


def test_labels_have_no_values_of_people():
    allowed = {"kind", "limit", "model", "outcome", "state", "status", "type", "version"}

    assert {label for metric in METRICS for label in metric.labels} <= allowed
