"""A plan says beforehand which of the agent's parameters its model will not get."""

import pytest

from history.core.facts import Rule, note
from history.services.planning.planning import plan_step
from history.wording.notes import sentence_of
from tests.factories import begin_turn, make_agent, make_conversation

pytestmark = pytest.mark.django_db


def notes_of(**fields):
    generation = begin_turn(make_conversation(make_agent(**fields)))
    notes = plan_step(generation, 1, dict).projection.plan.notes
    return [each for each in notes if each.fact.rule is Rule.NOT_TAKEN]


def test_the_plan_of_the_next_request_names_it():
    (found,) = notes_of(model="openai/gpt-5", temperature=0.3)

    assert found == note(Rule.NOT_TAKEN, name="temperature", value=0.3, model="openai/gpt-5")


@pytest.mark.words
def test_it_is_worded():
    (found,) = notes_of(model="openai/gpt-5", temperature=0.3)

    assert sentence_of(found) == (
        "temperature 0.3 is not sent because openai/gpt-5 doesn't take it."
    )


@pytest.mark.parametrize("model", ["openai/gpt-4o", "demo/mirror"])
def test_it_is_silent_where_everything_is_sent(model):
    assert notes_of(model=model, temperature=0.3, output_limit=900) == []
