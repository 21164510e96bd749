"""Plans as version 4 stored them keep their reasons and notes. The samples are what it wrote."""

import json
from pathlib import Path

import pytest

from history.core.plan.plan import Plan
from history.services.explain.explanation import Explanation
from history.services.explain.lines import RULE, lines_of
from history.wording.plans import worded_plan
from history.wording.settings import invalid_sentences

SAMPLES = [
    json.loads(line)
    for line in Path(__file__).with_name("plans_of_version_4.jsonl").read_text().splitlines()
]
SHOWN = pytest.mark.parametrize("sample", [pytest.param(s, id=s["name"]) for s in SAMPLES])


def explained(sample):
    plan = Plan.from_dict(sample["plan"])
    agent = {"name": "sample", "source": "stored", "model": "m"}
    return Explanation(plan, agent, plan.counts.last_turn, plan.counts.last_turn)


def settings_map_and_notes(lines):
    """Leave out titles and built-in values, which later versions may change."""
    part = ""
    for line in lines:
        if line.startswith(RULE * 2):
            part = line
        elif part and "window:" not in part and line and ", left at defaults:" not in line:
            yield line


@pytest.mark.words
@SHOWN
def test_an_earlier_plan_reads_as_it_did(sample):
    found = explained(sample)

    assert list(settings_map_and_notes(lines_of(found))) == sample["lines"]
    assert found.cut == sample["cut"]
    assert list(invalid_sentences(found.plan.settings)) == sample["invalid"]


@SHOWN
def test_an_earlier_plan_keeps_its_warnings(sample):
    assert [note.is_warning for note in explained(sample).notes] == sample["warnings"]


@SHOWN
def test_programs_get_it_as_it_was_stored(sample):
    assert worded_plan(sample["plan"]) == sample["plan"]
