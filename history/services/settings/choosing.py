"""Choose the model of a conversation, from the list of the agent that answers in it."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from agents.choice import own_model, selectable
from agents.models import AgentTemplate
from history.models import Branch, Conversation
from history.services.access import Actor, access_conversation
from history.services.errors import Refused
from history.services.settings.answerer import answerer_on, answering


def checked_model(template: AgentTemplate, model: str) -> str:
    """Return the model in a conversation's form, empty for the agent's own. Raise `Refused`."""
    if model == own_model(template):
        return ""
    if model and model not in selectable(template):
        raise Refused("model", _not_allowed(template, model))
    return model


def _not_allowed(template: AgentTemplate, model: str) -> str:
    """Return a sentence on which models are allowed, and where that is set."""
    sentence = _(
        "{agent} may not use {model}, only {models}. An administrator can add it to the agent, "
        "under Other models."
    )
    models = ", ".join(selectable(template))
    return sentence.format(agent=template.name, model=model, models=models)


def take_choice(conversation: Conversation, branch: Branch, model: str) -> None:
    """Accept the model that came with a message, if one did. Raise `Refused`; store nothing."""
    if model:
        conversation.model = checked_model(answerer_on(conversation, branch).template, model)


@transaction.atomic
def choose_model(actor: Actor, conversation_id: UUID, model: str) -> Conversation:
    """Store the model for the messages that follow. Raise NotFound or Refused."""
    conversation = access_conversation(actor, conversation_id, hold=True)
    conversation.model = checked_model(answering(conversation), model)
    conversation.save(update_fields=["model"])
    return conversation
