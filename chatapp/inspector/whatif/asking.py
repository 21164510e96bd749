"""The line beside "Ask the model": what asking will cost, or why the model can't be asked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from chatapp.inspector.whatif.form import MODEL, WhatIfForm
from chatapp.llm.catalogue import DEMO_MODEL
from history.core.money.cost import dollars
from history.core.words.errors import CannotPlan, SettingError
from history.core.words.wording import number
from history.models import ContextPlan
from history.services.access import Actor, may_see_cost
from history.services.errors import Refused
from history.services.whatif.asking import refuse_without_key
from history.services.whatif.estimating import Estimate, estimate
from history.services.whatif.experiments import experiment_of
from history.wording.faults import word_supposed_error


@dataclass(frozen=True, slots=True)
class AskingLine:
    """`refused` says why the model can't be asked; if empty, `body` is the command to ask it."""

    sentence: str = ""
    notes: tuple[str, ...] = ()
    body: str = ""
    refused: str = ""


def asking_line(actor: Actor, record: ContextPlan, form: WhatIfForm) -> AskingLine:
    """Prepare the experiment without storing anything. The form must be valid and changed."""
    conversation = record.generation.conversation
    try:
        experiment = experiment_of(actor, record, form.variant)
        refuse_without_key(actor, experiment.model)
        forecast = estimate(experiment)
    except Refused as refusal:
        return AskingLine(refused=refusal.message)
    except (CannotPlan, SettingError) as error:
        return AskingLine(refused=word_supposed_error(error))
    sentence = cost_sentence(forecast, with_money=may_see_cost(actor, conversation))
    notes = (*experiment.notes, *([_tools()] if forecast.has_tools else []))
    return AskingLine(sentence, notes, _body(record, form))


def cost_sentence(forecast: Estimate, *, with_money: bool) -> str:
    """Write `About 1,240 tokens in, up to 4,096 out: at most $0.013 with openai/gpt-4o.`"""
    tokens = _("About {sent} tokens in").format(sent=number(forecast.sent))
    if forecast.answer is not None:
        tokens = _("{tokens}, up to {answer} out").format(
            tokens=tokens, answer=number(forecast.answer)
        )
    if not with_money:
        return _("{tokens}, with {model}.").format(tokens=tokens, model=forecast.model)
    return _("{tokens}: {money}").format(tokens=tokens, money=_money(forecast))


def _money(forecast: Estimate) -> str:
    model = forecast.model
    if model == DEMO_MODEL:
        return _("free, with the built-in demo model.")
    if forecast.is_free:
        return _("free with {model}.").format(model=model)
    if forecast.money is not None:
        text = _("at most {money} with {model}.")
        return text.format(money=dollars(forecast.money), model=model)
    if forecast.is_priced and forecast.answer is None:
        return _(
            "the length of {model}'s answer isn't limited, so its cost can't be estimated."
        ).format(model=model)
    return _("the price of {model} is not known.").format(model=model)


def _tools() -> str:
    return _(
        "This agent has tools. Each round of calls is another request, and the tools really run or "
        "ask for approval."
    )


def _body(record: ContextPlan, form: WhatIfForm) -> str:
    settings = {name: value for name, value in form.changes.items() if name != MODEL}
    return asking_body(record, settings, str(form.changes.get(MODEL, "")))


def asking_body(record: ContextPlan, settings: Mapping[str, object], model: str) -> str:
    """Write the command that asks for a request's turn under other settings, as JSON."""
    request_id = {"generation": str(record.generation_id), "step": record.step}
    return json.dumps({**request_id, "settings": dict(settings), "model": model})
