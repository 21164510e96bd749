"""A cap on the length limits the turns that are sent, strides included; it never adds any."""

from hypothesis import example, given
from hypothesis import strategies as st

from history.core.settings.caps import LENGTH_MAX, NO_CAPS, Caps
from history.core.settings.layers import Layer, environment_layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import STRIDE, LayerName
from history.core.stages.policies import policy_of
from history.core.words.facts import Rule, fact
from tests.history.core.making import template

OF_OTHERS = [LayerName.WHAT_IF, LayerName.CONVERSATION, LayerName.TEMPLATE, LayerName.SITE]
NUMBERS = st.none() | st.integers(0, 40)
VALUES = st.fixed_dictionaries(
    {},
    optional={"policy": st.sampled_from(["none", "lastN", "all"]), "length": NUMBERS},
)
STEPS = st.none() | st.integers(1, 40)
OWN_STEPS = {"HISTORY_LENGTH_STRIDE": "10"}


@st.composite
def layers(draw):
    """Draw policies, lengths and strides for every layer except the environment."""
    named = [(name, draw(VALUES)) for name in OF_OTHERS]
    return [
        Layer(name, str(name), given if name is LayerName.CONVERSATION else with_steps(draw, given))
        for name, given in named
    ]


def with_steps(draw, values):
    return {**values, STRIDE: draw(STEPS)}


def turns_sent(settings, last, cold=0):
    first = policy_of(settings).first_turn(last, cold)
    return last - max(first, 1) + 1


MOST, LAST = st.integers(1, 30), st.integers(1, 60)


@given(layers(), MOST, LAST)
@example([template(length=20, length_stride=10)], 10, 19)
@example([template(length=8, length_stride=10)], 10, 17)
@example([Layer(LayerName.WHAT_IF, "what if", {"length": 40, "length_stride": 5})], 10, 14)
def test_no_more_turns_are_sent_than_the_cap_says(asked, most, last):
    assert turns_sent(resolve(asked, Caps(length=most)), last) <= most


@given(layers(), MOST, LAST, st.integers(0, 60), st.booleans())
def test_a_cap_never_widens_what_is_sent(asked, most, last, cold, in_own_steps):
    given = [*asked, environment_layer(OWN_STEPS if in_own_steps else {})]
    with_cap, without = resolve(given, Caps(length=most)), resolve(given, NO_CAPS)
    began = min(cold, last)

    assert turns_sent(with_cap, last, began) <= turns_sent(without, last, began)


def test_steps_beyond_the_cap_say_why_they_are_refused():
    settings = resolve([template(length=20, length_stride=10)], Caps(length=10))
    (lost, built_in) = settings[STRIDE].candidates

    assert (settings.value("length"), settings.value(STRIDE)) == (10, 1)
    assert (lost.raw, lost.reason) == (10, fact(Rule.STEPS_BEYOND, cap=10, variable=LENGTH_MAX))
    assert built_in.layer is LayerName.BUILT_IN


def test_steps_within_the_cap_stay():
    settings = resolve([template(length=6, length_stride=5)], Caps(length=10))

    assert (settings.value("length"), settings.value(STRIDE)) == (6, 5)


def test_the_environments_own_steps_stay():
    given = [environment_layer(OWN_STEPS), template(length=20)]

    assert resolve(given, Caps(length=10)).value(STRIDE) == 10
