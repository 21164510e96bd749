"""What a newcomer has to know of a chat's model: whether it's the demo model, or can't answer."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from agents.catalogue import catalogue
from agents.choice import own_model
from agents.models import AgentTemplate
from chatapp.llm.catalogue import DEMO_MODEL
from chatapp.llm.providers.missing_key import missing_key


@dataclass(frozen=True, slots=True)
class ModelState:
    """Whether a model can answer. `problem` is a sentence, empty if it can, as far as is known."""

    is_demo: bool
    problem: str


def state_of(model: str) -> ModelState:
    return ModelState(model == DEMO_MODEL, _problem(model))


def another_answers(model: str) -> bool:
    """Return whether an enabled agent has another provider's model, which can be asked."""
    models = {own_model(agent) for agent in AgentTemplate.objects.filter(enabled=True)}
    others = (each for each in models if _provider(each) != _provider(model))
    return any(not _problem(each) for each in others)


def _provider(model: str) -> str:
    return model.partition("/")[0]


def _problem(model: str) -> str:
    if why := catalogue().fault(model):
        return _("{model} can't answer: {why}.").format(model=model, why=why)
    if (variable := catalogue().key_missing(model)) is not None:
        return missing_key(model, variable).message
    return ""
