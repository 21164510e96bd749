"""Panel, API, command and the zone "Raw" agree with the request that the provider received.

Each case is a random conversation under random settings, to which a message is sent over HTTP.
"""

import json
import re

import pytest
from hypothesis import assume, event, example, given, settings

from history.core.plan.neutral_request import request_hash
from history.core.plan.verdict import Verdict
from tests.running.app_person import AppPerson
from tests.running.import_conversations import Importer
from tests.running.panel_html import Page, figures, opened_rows
from tests.running.request_checks import as_handed_over, assert_sent, assert_sums
from tests.running.scenarios import long_talk, scenarios
from tests.servers import manage

FOLDED = long_talk(130, context_window=100_000, policy="lastN", length=60)
ALL_OF_IT = long_talk(130, context_window=100_000, policy="all")
NOT_LISTED = {"wires": None}  # Lists of plans leave out wires.
TOO_LARGE = long_talk(1, context_window=512, output_reserve=300)
FIELDS = r"Messages ([\d,]+) sent of ([\d,]+) in the transcript"
SENT = r"([\d,]+) of ([\d,]+) tokens sent"


@pytest.fixture(scope="module")
def person(served, module_provider):
    with Importer(served) as importer:
        yield AppPerson(served, module_provider, importer)


@settings(max_examples=50, print_blob=True)
@given(scenario=scenarios())
@example(scenario=FOLDED)
@example(scenario=ALL_OF_IT)
@example(scenario=TOO_LARGE)
def test_every_door_tells_what_the_provider_received(person, scenario):
    said = person.say(scenario)

    assert len(said.records) == len(said.bodies)
    assert bool(said.bodies) == (said.end["status"] == "done")
    event(f"{len(said.bodies)} requests, {said.end['status']}")
    transcript = person.transcript(said.conversation)
    for record, received in zip(said.records, said.bodies, strict=True):
        plan, body = record["plan"], as_handed_over(received, record["parameters"]["model"])
        assert_sent(plan, transcript, body, scenario.agent["system_prompt"])
        assert_sums(plan, transcript, body)
        assert_settings(plan, scenario)
        assert_api(person, record)
        assert_hash_and_raw(person, record, body)
        assert_panel(person, record, transcript)
        assert_what_if(person, record)


@settings(max_examples=5, print_blob=True)  # Each example starts a process.
@given(scenario=scenarios())
def test_the_command_tells_what_the_api_tells(person, scenario):
    said = person.say(scenario)

    assume(said.records)
    newest = said.records[-1]
    arguments = ("context", "explain", said.conversation, "--turn", str(newest["turn"]))
    told = manage(person.server.folder, *arguments, "--json", **person.server.environment)
    assert {**json.loads(told), **NOT_LISTED} == newest


def assert_settings(plan, scenario):
    """Check that the plan has the strongest layer's value of each setting."""
    values = {name: setting["candidates"][0] for name, setting in plan["settings"].items()}
    for name, value in scenario.effective().items():
        assert values[name]["value"] == value


def assert_api(person, record):
    path = f"/turns/{record['turn']}/context?{_query(record)}"
    assert person.ask("GET", record["conversation"], path) | NOT_LISTED == record


def assert_hash_and_raw(person, record, body):
    assert record["request_hash"] == request_hash(body)
    raw = person.page(f"{_panel(record)}/raw/request.json?{_query(record)}")
    assert json.loads(raw) == body


def assert_panel(person, record, transcript):
    plan = record["plan"]
    page = Page(person.page(f"{_panel(record)}?{_query(record)}"))
    rows = list(opened_rows(page, person.page))
    assert [(row.place, row.tokens) for row in rows] == list(_expected_rows(plan, transcript))
    counts, window = plan["counts"], plan["window"]
    assert figures(FIELDS, page.text) == (counts["sent"], counts["transcript"])
    parts = ("system_prompt", "tool_schemas", "summaries", "injected", "history", "calibration")
    sent = sum(window[name] for name in parts)
    assert figures(SENT, page.text) == (sent, window["context_window"])
    counted = {v: sum(e["count"] for e in plan["entries"] if e["verdict"] == v) for v in Verdict}
    for verdict, count in counted.items():
        named = rf"{re.escape(verdict)} {verdict.name.lower()} ([\d,]+)"
        assert figures(named, page.text)[0] == count if count else not re.search(named, page.text)


def assert_what_if(person, record):
    """Check that a what-if without changes gives the recorded request."""
    asked = {"variants": [{}], "generation": record["generation"], "step": record["step"]}
    recorded, again = person.ask("POST", record["conversation"], "/what-if", json=asked)["tried"]
    assert recorded["plan"] == record["plan"]
    assert (again["plan"], again["changes"]) == (record["plan"], [])


def _expected_rows(plan, transcript):
    """Yield the rows that the map should have: letter, position, tokens, differing sent tokens."""
    for entry in plan["entries"]:
        if entry["first"] is None:
            yield (entry["verdict"], None), (entry["sent_tokens"], None)
            continue
        is_single = entry["count"] == 1 and entry["sent_tokens"] not in (0, entry["tokens"])
        for position in range(entry["first"], entry["last"] + 1):
            tokens = transcript[position]["tokens"], entry["sent_tokens"] if is_single else None
            yield (entry["verdict"], position), tokens


def _panel(record):
    return f"/chat/{record['conversation']}/panel"


def _query(record):
    return f"generation={record['generation']}&step={record['step']}"
