"""A plan says beforehand which of the agent's parameters its model will not get."""

import pytest

from agents.providers.directory import Directory, hold
from agents.providers.models import KnownModel
from history.core.words.facts import Rule, note
from history.wording.notes import sentence_of
from tests.factories import begin_turn, make_agent, make_conversation, store_step

pytestmark = pytest.mark.django_db
LOCAL = "ollama_chat/our-own"
EFFORT = {"reasoning_effort": "low"}
UNSENT = {Rule.NOT_TAKEN, Rule.NOT_WHILE_THINKING, Rule.THINKING_UNKNOWN}


def planned(conversation):
    """Plan a request; return the effort that is sent, and what is said to be left out."""
    step = store_step(begin_turn(conversation))
    notes = step.projection.plan.notes
    return step.parts.reasoning_effort, [each for each in notes if each.fact.rule in UNSENT]


def notes_of(**fields):
    return planned(make_conversation(make_agent(**fields)))[1]


def know(**abilities):
    known = KnownModel(name=LOCAL, **abilities)
    hold(Directory({}, frozenset(), {LOCAL: known}))


def test_the_plan_of_the_next_request_names_it():
    (found,) = notes_of(model="openai/gpt-5", temperature=0.3)

    assert found == note(Rule.NOT_TAKEN, name="temperature", value=0.3, model="openai/gpt-5")


@pytest.mark.words
def test_it_is_worded():
    (found,) = notes_of(model="openai/gpt-5", temperature=0.3)

    assert sentence_of(found) == (
        "Temperature 0.3 is not sent because openai/gpt-5 doesn't take it."
    )


@pytest.mark.parametrize(("asked", "rules"), [(EFFORT, [Rule.NOT_WHILE_THINKING]), ({}, [])])
def test_claude_gets_no_temperature_while_it_thinks(asked, rules):
    claude = {"model": "anthropic/claude-sonnet-4-5", "temperature": 0.3}

    assert [each.fact.rule for each in notes_of(**claude, history_settings=asked)] == rules


@pytest.mark.parametrize("model", ["openai/gpt-4o", "demo/mirror"])
def test_it_is_silent_where_everything_is_sent(model):
    assert notes_of(model=model, temperature=0.3, output_limit=900) == []


@pytest.mark.parametrize(
    ("thinks", "sent", "rules"),
    [
        pytest.param(True, "low", [], id="a model that thinks"),
        pytest.param(False, None, [Rule.NOT_TAKEN], id="a model that cannot"),
        pytest.param(None, "low", [], id="unknown, and an administrator asks"),
    ],
)
def test_ollama_gets_an_effort_unless_its_model_cannot_think(thinks, sent, rules):
    know(reasoning=thinks)
    agent = make_agent(model=LOCAL, history_settings=EFFORT)

    effort, notes = planned(make_conversation(agent))
    assert effort == sent
    assert [each.fact.rule for each in notes] == rules


@pytest.mark.words
def test_where_nobody_knows_whether_it_thinks_a_chat_cannot_ask_for_it():
    conversation = make_conversation(make_agent(model=LOCAL), history_settings=EFFORT)

    effort, (said,) = planned(conversation)
    assert effort is None
    assert sentence_of(said) == (
        "Reasoning effort low is not sent because nobody knows whether ollama_chat/our-own can "
        "think, and its server refuses the request if it can't. Say so under “Known models”."
    )
