"""API calls for experiments: let the model answer under other settings, and read the answers."""

from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from chatapp.api.commands import AckOut, admitting, started
from chatapp.api.generations import caller
from chatapp.databases.threads import in_database
from chatapp.live.viewers import switcher_frame, viewers
from chatapp.transcript.fragments import render_switcher
from history.core.money.cost import plain
from history.models import Generation
from history.schemas import Incoming
from history.services.access import access_conversation, may_see_cost
from history.services.answers.commands import WantedModel
from history.services.explain.lookup import TurnRequest, shown_plan
from history.services.settings.layers import TriedSettings
from history.services.whatif.answered import TurnAnswer, answer_of, experiments_beside
from history.services.whatif.asking import ask
from history.services.whatif.trying import Variant

router = Router(tags=["conversations"])
Step = Annotated[int, Field(ge=1, lt=2**31)]
ADDRESS = "/conversations/{conversation_id}/experiments"


class ExperimentIn(Incoming):
    """The request whose turn is answered again, and what should differ. Only settings that a chat
    may set for itself are allowed. Their values are texts or JSON; null means as if nobody had set
    it. `model` must be on the agent's list.
    """

    generation: UUID
    step: Step = 1
    settings: dict[str, Any] = {}
    model: WantedModel = ""


class AnsweredOut(Schema):
    """The answer on one branch. `sent` and `output` are the tokens of all its requests, `money` is
    a decimal number of US dollars; null means unknown.
    """

    generation: UUID
    branch: int
    status: str
    model: str
    tried: dict[str, Any]
    text: str
    requests: int
    sent: int
    output: int | None
    money: str | None
    error: dict[str, Any] | None


class ExperimentsOut(Schema):
    """The original answer, and what the model answered to the same message in experiments, the
    newest first.
    """

    original: AnsweredOut
    experiments: list[AnsweredOut]


@router.post(ADDRESS, response=AckOut)
async def ask_model(
    request: HttpRequest, conversation_id: UUID, experiment: ExperimentIn
) -> dict[str, Any]:
    """Answer a turn again under other settings, on a branch of its own; the open branch stays. It
    is a real answer: its cost is real, it counts towards every limit, and it can be stopped.
    """
    variant = Variant("", experiment.settings, model=experiment.model)
    turn_request = TurnRequest(experiment.generation, experiment.step)
    with admitting(request) as admit:
        ack = await in_database(ask, caller(request), conversation_id, turn_request, variant, admit)
        answer = await started(ack)
    html = await in_database(render_switcher, ack.generation.branch)
    viewers.show(conversation_id, switcher_frame(conversation_id, html))
    return answer


@router.get(ADDRESS, response=ExperimentsOut)
def list_experiments(
    request: HttpRequest,
    conversation_id: UUID,
    generation: UUID,
    step: Annotated[int, Query(ge=1, lt=2**31)] = 1,
) -> dict[str, Any]:
    """List the experiments with a request's turn, beside its original answer."""
    actor = caller(request)
    conversation = access_conversation(actor, conversation_id)
    record = shown_plan(conversation, generation=generation, step=step)
    with_money = may_see_cost(actor, conversation)
    original = answer_of(record.generation, record.branch)
    beside = [answer_of(each, each.branch) for each in experiments_beside(record)]
    return {
        "original": _record(original, with_money=with_money),
        "experiments": [_record(each, with_money=with_money) for each in beside],
    }


def _record(answer: TurnAnswer, *, with_money: bool) -> dict[str, Any]:
    generation: Generation = answer.generation
    return {
        "generation": generation.pk,
        "branch": generation.branch_id,
        "status": generation.status,
        "model": generation.parts[0].agent.model,
        "tried": TriedSettings.of(generation.snapshot).as_dict(),
        "text": answer.text,
        "requests": answer.requests,
        "sent": answer.sent,
        "output": answer.output,
        "money": plain(answer.money) if with_money else None,
        "error": generation.error,
    }
