"""The layer of an experiment: the environment outranks it, and it outranks all others. It may set
what a chat may set, and also a stride.
"""

import pytest

from history.core.settings.caps import Caps
from history.core.settings.layers import Layer, environment_layer, url_layer
from history.core.settings.resolution import resolve
from history.core.settings.resolved import CandidateOutcome
from history.core.settings.spec import LayerName

OTHERS = (
    url_layer("historyLength=7"),
    Layer(LayerName.CONVERSATION, "conversation", {"length": 8, "max_items": 30}),
    Layer(LayerName.TEMPLATE, "agent demo v1", {"length": 9, "length_stride": 10}),
)


def tried(*others, caps=None, **values):
    layers = [Layer(LayerName.WHAT_IF, "what if", values), *OTHERS, *others]
    return resolve(layers, caps or Caps())


def test_it_outranks_address_chat_and_template():
    winner = tried(length=3)["length"].winner

    assert (winner.value, winner.source) == (3, "what if")


def test_what_it_does_not_set_stays():
    settings = tried(max_items=4)

    assert (settings.value("max_items"), settings.value("length")) == (4, 7)


@pytest.mark.parametrize("variable", ["DEFAULT_HISTORY_LENGTH", "DEFAULT_HISTORY_POLICY"])
def test_the_environment_locks_it_out(variable):
    value = "5" if variable.endswith("LENGTH") else "lastN"
    own = tried(environment_layer({variable: value}), length=3)["length"].candidates

    outcomes = [c.outcome for c in own if c.layer is LayerName.WHAT_IF]
    assert outcomes == [CandidateOutcome.LOCKED]


def test_caps_lower_it():
    winner = tried(length=300, caps=Caps(length=50))["length"].winner

    assert (winner.value, winner.capped) == (50, True)


def test_it_may_not_set_what_a_chat_may_not():
    stride = tried(results_stride=2)["results_stride"]

    refused = [c for c in stride.candidates if c.layer is LayerName.WHAT_IF]
    assert [c.outcome for c in refused] == [CandidateOutcome.REFUSED]


@pytest.mark.parametrize(
    ("values", "stride"),
    [({"length": 3}, 1), ({"length": 3, "length_stride": 10}, 10), ({"length_stride": 10}, 10)],
    ids=["a length", "a length with its stride", "the stride of what was recorded"],
)
def test_a_length_in_it_is_exact_unless_its_stride_is_there_too(values, stride):
    assert tried(**values).value("length_stride") == stride
