"""Every page shows the same token figure for a request; the provider's report is named as such."""

import re
from io import StringIO

import pytest
from django.core.management import call_command

from chatapp.templatetags.page import short
from history.core.words.wording import number
from history.models import TokenCalibration
from tests.chatapp.inspector.pages import map_of, text_of
from tests.factories import add_plan, add_turn, begin_turn, end_turn

pytestmark = [pytest.mark.django_db, pytest.mark.words]
REPORTED = {"prompt": 4_321, "completion": 5, "cache_read": 2_160}


@pytest.fixture(params=[None, 1.25], ids=["uncalibrated", "calibrated"])
def record(request, conversation):
    """Make a newest turn for whose request the provider reported far more tokens than estimated."""
    if request.param:
        TokenCalibration.objects.create(
            model="demo/mirror", factor=request.param, requests=99, estimated=100, reported=125
        )
    add_turn(conversation, "A question that is longer than the others before it. " * 40)
    generation = begin_turn(conversation)
    record = add_plan(generation, usage=REPORTED)
    end_turn(generation)
    return record


def figure(pattern, text):
    return int(re.search(pattern, text)[1].replace(",", ""))


def test_every_place_shows_the_estimate_and_calls_the_report_by_its_name(
    owner, conversation, record
):
    window = record.core_plan.window
    chat = owner.get(f"/chat/{conversation.pk}")
    panel = owner.get(f"/chat/{conversation.pk}/panel")
    text = text_of(panel)
    explained = StringIO()
    call_command("context", "explain", str(conversation.pk), stdout=explained)
    tried = text_of(
        owner.get(
            f"/chat/{conversation.pk}/panel/what-if?generation={record.generation_id}&step=1"
            "&set.policy=all"
        )
    )

    assert window.sent not in (0, REPORTED["prompt"])
    assert {
        "first screen": figure(r"([\d,]+) tokens sent: [\d.]+% of the model's window", text),
        "Window": figure(r"([\d,]+) of [\d,]+ tokens sent \(", text),
        "Window, beside the report": figure(r"Estimated ([\d,]+) tokens", text),
        "turns": figure(r"([\d,]+) tokens sent, 50% read from cache", text),
        "map": sum(sent_of(row) for row in map_of(panel)) + window.calibration,
        "what if": figure(r"Tokens sent ([\d,]+)", tried),
        "terminal": figure(r"window: ([\d,]+) of", explained.getvalue()),
    } == dict.fromkeys(
        (
            *("first screen", "Window", "Window, beside the report", "turns", "map"),
            *("what if", "terminal"),
        ),
        window.sent,
    )
    assert f"Context: {short(window.sent)} of 128k tokens" in text_of(chat)


def sent_of(row):
    """Return the sent tokens of a row of the map."""
    return int(row["text"].split()[-2].replace(",", "")) if row["data-verdicts"] in "KA+" else 0


def test_the_report_is_beside_the_estimate_and_alone_in_the_cost(owner, conversation, record):
    text = text_of(owner.get(f"/chat/{conversation.pk}/panel"))
    reported = number(REPORTED["prompt"])

    assert f"provider reported {reported}" in text
    assert "Cost shows what the provider reported." in text
    assert re.findall(rf"([\w ]+) {reported}\b", text) == [" provider reported"]
    assert f"Read from cache sent before {number(REPORTED['cache_read'])}" in text
