"""An experiment uses the model and the agent's version of its turn, as the zone "What-if" does."""

from operator import attrgetter

import pytest

from history.services.errors import Refused
from history.services.whatif.experiments import experiment_of
from history.services.whatif.trying import Variant, recorded, varied
from tests.factories import add_turn, make_agent, make_conversation
from tests.history.services.conftest import ADA

pytestmark = pytest.mark.django_db

EVERYTHING = Variant(settings={"policy": "all"})


@pytest.mark.words
def test_the_model_that_is_shown_is_never_replaced_by_a_new_default(settings, catalogue):
    settings.DEFAULT_MODEL = "small/model"
    conversation = make_conversation(make_agent(model=""), visitor=ADA.visitor)
    record = add_turn(conversation)
    settings.DEFAULT_MODEL = "large/model"

    assert recorded(record).turn.agent.model == "small/model"
    with pytest.raises(Refused, match="Demo may not use small/model, only large/model"):
        experiment_of(ADA, record, EVERYTHING)
    assert experiment_of(ADA, record, Variant(model="large/model")).model == "large/model"


def test_the_agent_is_asked_as_the_version_that_is_shown(db):
    agent = make_agent(
        model="large/model",
        system_prompt="First prompt.",
        temperature=0.5,
        tools=["calculator"],
        history_settings={"output_reserve": 500},
    )
    conversation = make_conversation(agent, visitor=ADA.visitor)
    record = add_turn(conversation)
    agent.system_prompt, agent.temperature, agent.tools = (
        "Third.",
        1.5,
        ["calculator", "current_time"],
    )
    agent.history_settings = {"output_reserve": 900}
    agent.processors = [{"type": "drop_tool_calls"}]
    agent.save()

    experiment = experiment_of(ADA, record, EVERYTHING)

    shown, now = varied(recorded(record).turn, EVERYTHING), experiment.first_request
    same = attrgetter("slug", "version", "source", "model", "temperature", "output_limit", "tools")
    assert same(now.agent) == same(shown.agent)
    assert (now.prompt, now.processors, now.tools) == (shown.prompt, shown.processors, shown.tools)
    assert now.settings.value("output_reserve") == 500
    assert experiment.notes == ()


@pytest.mark.words
def test_a_tool_that_the_agent_lost_does_not_come_back(db):
    agent = make_agent(model="large/model", tools=["calculator", "current_time"])
    conversation = make_conversation(agent, visitor=ADA.visitor)
    record = add_turn(conversation)
    agent.tools = ["current_time"]
    agent.save()

    experiment = experiment_of(ADA, record, EVERYTHING)

    assert experiment.first_request.agent.tools == ["current_time"]
    assert experiment.notes == (
        "Its tools have changed since: it has only those that it still may use.",
    )
