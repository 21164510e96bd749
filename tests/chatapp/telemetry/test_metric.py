"""Metrics cost nothing while they are off, and their labels have a limited number of values."""

import sys
from subprocess import run

from chatapp.env import ROOT
from chatapp.telemetry import measuring, metrics
from chatapp.telemetry.metric import LabelLimit
from chatapp.telemetry.prometheus import switch_off, switch_on


def test_the_first_values_of_a_label_are_kept_and_all_others_are_one():
    bounded = LabelLimit(2)

    assert [bounded(value) for value in "abcad"] == [
        "a",
        "b",
        "other",
        "a",
        "other",
    ]


def test_what_is_counted_before_it_is_switched_on_or_after_it_is_off_is_nowhere():
    measuring.tool_ended(failed=True, milliseconds=5)
    registry = switch_on()
    measuring.tool_ended(failed=False, milliseconds=5)
    switch_off()
    measuring.tool_ended(failed=False, milliseconds=5)

    counted = registry.get_sample_value
    assert counted("vitrine_tool_calls_total", {"outcome": "ok"}) == 1
    assert counted("vitrine_tool_calls_total", {"outcome": "failed"}) is None
    assert counted("vitrine_tool_seconds_count") == 1
    assert not metrics.TOOL_CALLS.is_on


def test_unknown_costs_and_tokens_are_not_counted():
    registry = switch_on()
    measuring.used("openai/a", None, None)
    measuring.used("openai/b", {"prompt": 3, "completion": None}, {"total": "0.25"})
    measuring.first_token("openai/a", None)
    switch_off()

    counted = registry.get_sample_value
    assert counted("vitrine_tokens_total", {"model": "openai/a", "type": "input"}) is None
    assert counted("vitrine_tokens_total", {"model": "openai/b", "type": "input"}) == 3
    assert counted("vitrine_tokens_total", {"model": "openai/b", "type": "output"}) is None
    assert counted("vitrine_cost_dollars_total", {"model": "openai/b"}) == 0.25
    assert counted("vitrine_cost_dollars_total", {"model": "openai/a"}) is None


def test_neither_library_is_loaded_without_its_setting():
    code = (
        "import sys; from chatapp.env import use_settings; use_settings('chatapp.settings');"
        "import django; django.setup(); import chatapp.process.observing;"
        "print({'prometheus_client', 'opentelemetry.sdk'} & set(sys.modules))"
    )
    done = run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={"ENV_FILE": "/dev/null", "PATH": ""},
    )

    assert done.stdout.strip() == "set()"
