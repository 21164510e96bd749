"""Experiments: the model answers a turn again under a variant, on a branch of its own.

Nothing that exists is changed: the open branch stays open, and the chat keeps its settings.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext as _

from agents.choice import selectable
from agents.mcp.offer import offer_from
from agents.models import AgentTemplate
from agents.snapshot import AgentSnapshot
from history.core.settings.resolved import Settings
from history.core.settings.spec import STRIDE, LayerName, Value
from history.core.settings.table import SETTINGS
from history.models import Branch, ContextPlan, Conversation, Message
from history.services.access import Actor
from history.services.errors import Conflict, Refused
from history.services.explain.raw.request import turn_then
from history.services.media.refusing import refuse_images
from history.services.path.marks import marks_on
from history.services.path.reading import user_message_of
from history.services.planning.projecting import PlanInput
from history.services.settings.answerer import answerer_on, refuse_delegated
from history.services.settings.choosing import checked_model
from history.services.settings.layers import (
    TriedSettings,
    TurnSnapshot,
    draft_for,
    refusal,
    resolve_settings,
)
from history.services.whatif.lost import changed_since, not_per_chat, why_lost
from history.services.whatif.then import template_then
from history.services.whatif.trying import Variant, tried_settings
from history.wording.deciding.sources import why_refused
from history.wording.names import label_of
from history.wording.settings import shown_setting

TRIABLE = tuple(spec.name for spec in SETTINGS if spec.allows(LayerName.CONVERSATION))


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment before any of it is stored. `branch` ends with the message `question`; its
    generation would run with `draft`. `notes` say how it differs from the what-if that was tried.
    """

    conversation: Conversation
    branch: Branch
    question: Message
    draft: TurnSnapshot
    notes: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        return self.draft.agent.model

    @property
    def first_request(self) -> PlanInput:
        agent = self.draft.agent
        return PlanInput(
            branch=self.branch,
            number=self.question.turn,
            agent=agent,
            settings=self.draft.settings,
            prompt=agent.system_prompt,
            marks=marks_on(self.branch),
            factor=self.draft.factor,
            processors=agent.processors,
            offer=offer_from(agent.mcp),
        )


def experiment_of(actor: Actor, record: ContextPlan, variant: Variant) -> Experiment:
    """Prepare to ask the model again about a record's turn. Only settings that a chat may set for
    itself can be tried, and none that the environment decides.

    Raise `SettingErrors` for invalid values, and `Refused` with all that is not allowed.
    """
    conversation = record.generation.conversation
    refuse_delegated(conversation)
    message = user_message_of(record.branch, record.generation.turn)
    if message is None:
        raise Conflict("no_message", _("This request answers no message, so it can't be repeated."))
    lineage = record.branch.fork_lineage(message.position)
    branch = Branch(conversation=conversation, lineage=lineage)
    answerer = answerer_on(conversation, branch)
    template = _asked_again(record, answerer.template)
    what_if = _wanted(actor, record, variant)
    trial = _tried(actor, record, variant, what_if, template)
    query = record.generation.snapshot["query"]
    draft = draft_for(conversation, template, actor, query, answerer.note, trial=trial)
    if template is not answerer.template:
        processors = _agent(record).processors
        draft = replace(draft, agent=replace(draft.agent, processors=processors))
    _refuse_lost(actor, variant, trial, draft.settings)
    parts, others = message.as_core().parts, selectable(answerer.template)
    refuse_images(draft.agent.model, parts, others)
    experiment = Experiment(conversation, branch, message, draft)
    return replace(experiment, notes=tuple(_changed(record, what_if, experiment, template)))


def _asked_again(record: ContextPlan, answering: AgentTemplate) -> AgentTemplate:
    """Return the agent that answers now; if it also made the record, return it as it was then."""
    then = _agent(record)
    return template_then(answering, then) if then.slug == answering.slug else answering


def _wanted(actor: Actor, record: ContextPlan, variant: Variant) -> Settings:
    """Return the what-if's settings. Raise `Refused` for a setting that only a what-if may try."""
    if not variant.settings and not variant.model:
        raise Refused("nothing", _("Change a setting first. To repeat the answer, use Retry."))
    if variant.settings and (why := refusal(actor)):
        text = _("You can't change this: {reason}.")
        raise Refused("locked", text.format(reason=why_refused(why.who)))
    then = record.generation.snapshot_at(record.step).settings
    what_if = tried_settings(then, variant)
    if refused := [not_per_chat(name) for name in variant.settings if name not in TRIABLE]:
        raise Refused("locked", " ".join(refused))
    return what_if


def _tried(
    actor: Actor, record: ContextPlan, variant: Variant, what_if: Settings, template: AgentTemplate
) -> TriedSettings:
    """Return the values to set, so that an answer now gets the same settings as the what-if."""
    model = _model(record, variant, template, _agent(record).model)
    conversation = TriedSettings(model=model).applied_to(record.generation.conversation)
    resolved = partial(
        resolve_settings, template, actor, record.generation.snapshot["query"], conversation
    )
    is_same = _agent(record).slug == template.slug
    names = TRIABLE if is_same else tuple(variant.settings)
    trial = TriedSettings(_values(names, variant, what_if, resolved()), model)
    stride = what_if.value(STRIDE)
    if is_same and resolved(trial=trial).value(STRIDE) != stride:
        return TriedSettings({**trial.settings, STRIDE: stride}, model)
    return trial


def _agent(record: ContextPlan) -> AgentSnapshot:
    """Return the snapshot of the agent that made the record's request."""
    return record.generation.snapshot_at(record.step).agent


def _model(record: ContextPlan, variant: Variant, template: AgentTemplate, then: str) -> str | None:
    """Return the model as a chat stores it; None if the chat has this model now."""
    is_same = _agent(record).slug == template.slug
    name = variant.model or (then if is_same or then in selectable(template) else "")
    if not name:
        return None
    model = checked_model(template, name)
    return None if model == record.generation.conversation.model else model


def _values(
    names: tuple[str, ...], variant: Variant, what_if: Settings, now: Settings
) -> dict[str, Value]:
    """Return those values of the what-if that a message sent now would not have: changes, and what
    else is different since the record was made. Raise `Refused` for a setting that can't be
    emptied.
    """
    differing = (name for name in names if what_if.value(name) != now.value(name))
    values = {name: what_if.value(name) for name in differing}
    emptied = [name for name, value in values.items() if value is None]
    if stuck := [_not_emptied(name, now) for name in emptied if name in variant.settings]:
        raise Refused("locked", " ".join(stuck))
    return {name: value for name, value in values.items() if value is not None}


def _not_emptied(name: str, now: Settings) -> str:
    text = _("{setting} can't be emptied for one answer: it is {value}.")
    return text.format(setting=label_of(name), value=shown_setting(name, now.value(name)))


def _refuse_lost(actor: Actor, variant: Variant, trial: TriedSettings, settings: Settings) -> None:
    """Raise `Refused` if a change would have no effect."""
    values = {name: trial.settings[name] for name in variant.settings if name in trial.settings}
    layer = LayerName.WHAT_IF
    lost = [
        why_lost(settings[name], value, layer, is_staff=actor.is_staff)
        for name, value in values.items()
    ]
    if any(lost):
        raise Refused("locked", " ".join(filter(None, lost)))


def _changed(
    record: ContextPlan, what_if: Settings, experiment: Experiment, template: AgentTemplate
) -> Iterator[str]:
    """Yield what differs from the what-if, because it was changed after the record was made."""
    if _agent(record).slug != template.slug:
        yield _("{agent} answers now, with settings of its own.").format(agent=template.name)
        return
    request = experiment.first_request
    for name, setting in request.settings.items():
        if name in what_if and setting.value != what_if.value(name):
            yield changed_since(name, setting.value)
    if request.tools != turn_then(record).tools:
        yield _("Its tools have changed since: it has only those that it still may use.")
