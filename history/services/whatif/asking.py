"""Begin an experiment, in which the model really answers, in a single transaction."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from agents.catalogue import catalogue
from history.models import Generation
from history.services.access import Actor, access_conversation
from history.services.answers.preconditions import refuse_unless_free
from history.services.answers.queueing import Ack, Admit, admit_all, queued
from history.services.errors import Refused
from history.services.explain.lookup import TurnRequest, shown_plan
from history.services.operators import runs_the_server
from history.services.settings.layers import frozen
from history.services.whatif.experiments import Experiment, experiment_of
from history.services.whatif.trying import Variant


def ask(
    actor: Actor,
    conversation_id: UUID,
    request: TurnRequest,
    variant: Variant,
    admit: Admit = admit_all,
) -> Ack:
    """Queue an answer to the request's turn under the variant, on a branch of its own.

    The same rules apply as for Retry: whose chat it is, one answer at a time, and every limit.
    Raise `Refused` or `SettingErrors`; then nothing is stored.
    """
    with transaction.atomic():
        conversation = access_conversation(actor, conversation_id, hold=True)
        refuse_unless_free(conversation)
        record = shown_plan(conversation, generation=request.generation, step=request.step)
        experiment = experiment_of(actor, record, variant)
        refuse_without_key(actor, experiment.model)
        admit(0)
        return Ack(conversation, _queued(experiment), None)


def refuse_without_key(actor: Actor, model: str) -> None:
    if (variable := catalogue().key_missing(model)) is None:
        return
    sentence = _("{model} needs {variable}, which is not set.")
    if not variable:
        sentence = _("{model} needs a key. Save it on the provider's page.")
    if not runs_the_server(actor):
        sentence = _("{model} needs a key. Ask the administrator.")
    raise Refused("no_key", sentence.format(model=model, variable=variable))


def _queued(experiment: Experiment) -> Generation:
    experiment.branch.save()
    generation = Generation.objects.create(
        conversation=experiment.conversation,
        branch=experiment.branch,
        turn=experiment.question.turn,
        kind=Generation.Kind.WHAT_IF,
        snapshot=frozen(experiment.draft),
    )
    queued.send(Generation, generation=generation)
    return generation
