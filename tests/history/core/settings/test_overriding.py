"""Values put above every layer are checked like any other."""

import pytest

from history.core.projection.project import project
from history.core.projection.request import ProjectionRequest
from history.core.settings.layers import Layer
from history.core.settings.resolution import for_model, overridden, resolve
from history.core.settings.resolved import CandidateOutcome
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME
from history.core.words.errors import SettingErrors
from history.core.words.facts import Rule, fact
from tests.history.core.making import of_transcript
from tests.transcripts import turns

LOCKED = resolve(
    [
        Layer(LayerName.ENVIRONMENT, "environment", {"length": "5"}),
        Layer(LayerName.URL, "URL", {"length": "9"}),
        Layer(LayerName.TEMPLATE, "agent demo v1", {"length": 8, "length_stride": 4}),
        Layer(LayerName.BUILT_IN, "model catalogue", {"context_window": 32_000}),
    ]
)


def test_a_value_stands_above_every_layer_and_the_losers_stay():
    length = overridden(LOCKED, {"length": "8"}, "what if")["length"]

    assert (length.value, length.winner.source, length.locked) == (8, "what if", False)
    assert [(c.layer, c.outcome, c.reason.rule) for c in length.candidates[1:]] == [
        ("environment", CandidateOutcome.OUTRANKED, Rule.LOWER_RANK),
        ("url", CandidateOutcome.LOCKED, Rule.LOCKED),
        ("template", CandidateOutcome.OUTRANKED, Rule.SAME_VALUE),
        ("built_in", CandidateOutcome.OUTRANKED, Rule.LOWER_RANK),
    ]


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        pytest.param("summarize", "true", True, id="text, as in the environment"),
        pytest.param("summarize", True, True, id="a JSON boolean"),
        pytest.param("token_budget", 8_000, 8_000, id="a JSON number"),
        pytest.param("token_budget", None, None, id="unset"),
        pytest.param("length", None, 20, id="as if no layer had set it"),
        pytest.param("context_window", None, 32_000, id="what the catalogue says"),
    ],
)
def test_values_come_as_text_or_as_json(name, raw, value):
    assert overridden(LOCKED, {name: raw}, "what if").value(name) == value


def test_every_bad_value_is_named():
    with pytest.raises(SettingErrors) as bad:
        overridden(LOCKED, {"length": "5abc", "no\nsuch": 1, "policy": "all"}, "what if")

    assert bad.value.by_setting == {
        "length": fact(Rule.NO_NUMBER, name="length", value="5abc", least=0, most=10_000),
        "no\nsuch": fact(
            Rule.NO_SUCH_NAME, name="no\N{REPLACEMENT CHARACTER}such", known=list(BY_NAME)
        ),
    }


PINNED = {"pins": frozenset({0})}
ENFORCED = resolve([Layer(LayerName.ENVIRONMENT, "environment", {"policy": "lastN"})])


@pytest.mark.parametrize(
    ("settings", "letters", "says"),
    [
        pytest.param(resolve([]), "KTK", False, id="as if the conversation asked for it"),
        pytest.param(LOCKED, "KTK", False, id="the environment sets the length only"),
        pytest.param(ENFORCED, "TTK", True, id="only the environment could"),
    ],
)
def test_a_pin_under_a_tried_policy_is_sent_as_it_would_be(settings, letters, says):
    tried = overridden(settings, {"policy": "none"}, "what if")
    plan = project(turns(2)[:3], ProjectionRequest(tried, **PINNED)).plan

    assert of_transcript(plan) == letters
    assert (Rule.PINS_UNDER_NONE in {note.fact.rule for note in plan.notes}) == says


def test_without_values_nothing_changes():
    assert overridden(LOCKED, {}, "what if") == LOCKED


def test_another_model_has_another_window_where_nobody_set_it():
    known = Layer(LayerName.BUILT_IN, "model catalogue", {"context_window": 200_000})
    unknown = Layer(LayerName.BUILT_IN, "model catalogue", {"context_window": None})

    assert for_model(LOCKED, known)["context_window"].winner.value == 200_000
    assert for_model(LOCKED, unknown)["context_window"].winner.source == "assumed"
    assert (
        for_model(overridden(LOCKED, {"context_window": 512}, "what if"), known).value(
            "context_window"
        )
        == 512
    )
    assert for_model(LOCKED, known).value("length") == 5
