"""The layers of settings that apply to a turn, and the snapshot of them that a generation keeps."""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from agents.effective import Output
from agents.models import AgentTemplate, SiteDefaults, built_in_layer, site_layer, template_layer
from agents.snapshot import AgentSnapshot, snapshot
from agents.tools import usable
from history.core.settings.layers import Layer, Refusal, url_layer, validate
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName, Value
from history.core.words.errors import SettingErrors
from history.core.words.facts import Note, Rule
from history.models import Conversation
from history.services.access import Actor, access_conversation
from history.services.prepared import prepared
from history.services.settings.answerer import answering
from history.services.settings.calibration import factor_of
from history.services.texts import store_text
from history.wording.deciding.contradictions import sentence_of


@dataclass(frozen=True, slots=True)
class TriedSettings:
    """What an experiment tries, for each agent of its turn. A `model` of None is the chat's own."""

    settings: Mapping[str, Value] = field(default_factory=dict)
    model: str | None = None

    @classmethod
    def of(cls, snapshot: Mapping[str, Any]) -> "TriedSettings":
        """Read a generation's snapshot; an answer that is not an experiment tries nothing."""
        return cls(**snapshot.get("tried", {}))

    def as_dict(self) -> dict[str, Any]:
        return {"settings": dict(self.settings), "model": self.model}

    def applied_to(self, conversation: Conversation) -> Conversation:
        """Return the chat as it would be with this model, without storing it."""
        if self.model is None:
            return conversation
        chat = copy(conversation)
        chat.model = self.model
        return chat


NOTHING_TRIED = TriedSettings()


@dataclass(frozen=True, slots=True)
class TurnSnapshot:
    """The agent and the settings with which a generation would run, including their whole texts.

    `factor` stays the same, so that no window moves within an answer. `trial` is None if nothing is
    tried.
    """

    agent: AgentSnapshot
    settings: Settings
    query: str
    factor: float
    trial: TriedSettings | None = None


def resolve_settings(  # noqa: PLR0913 -- all that takes part in the decision
    template: AgentTemplate,
    actor: Actor,
    query: str,
    conversation: Conversation | None = None,
    site: SiteDefaults | None = None,
    *,
    trial: TriedSettings = NOTHING_TRIED,
) -> Settings:
    """Resolve all settings for a message that is sent now from an address with this query.

    `site`: the site's defaults, if the caller has read them already.
    """
    refused = refusal(actor)
    output = output_for(template, conversation)
    own = conversation.history_settings if conversation else {}
    resolved = resolve(
        [
            settings.HISTORY_ENVIRONMENT,
            Layer(LayerName.WHAT_IF, "what if", trial.settings, refused),
            replace(url_layer(query), refused=refused),
            Layer(LayerName.CONVERSATION, "conversation", own, refused),
            template_layer(template),
            *inherited_layers(conversation),
            site_layer(site or SiteDefaults.objects.first()),
            built_in_layer(output.model),
        ],
        settings.HISTORY_CAPS,
    )
    return output.reserving(resolved)


def output_for(template: AgentTemplate, conversation: Conversation | None) -> Output:
    return Output.of(template, conversation.model if conversation else "")


def inherited_layers(conversation: Conversation | None) -> Iterator[Layer]:
    """Yield the delegating agent's history window, which applies if the template sets none."""
    asked_by = conversation.asked_by if conversation else None
    if asked_by is None:
        return
    part = asked_by.snapshot_at()
    winner = part.settings["max_items"].winner
    if winner.value is not None:
        source = f"inherited from {part.agent.name} ({winner.source})"
        yield Layer(LayerName.TEMPLATE, source, {"max_items": winner.value})


def changed_settings(conversation: Conversation, changes: object) -> dict[str, Any]:
    """Return the conversation's own settings after a change: null removes one, all others stay.

    Raise `SettingErrors` for a value that must not be stored.
    """
    new = validate(LayerName.CONVERSATION, changes)
    names = changes.keys() if isinstance(changes, Mapping) else ()
    own = conversation.history_settings.items()
    return {name: value for name, value in own if name not in names} | new


def save_settings(actor: Actor, conversation_id: UUID, changes: Mapping[str, Any]) -> Conversation:
    """Change the conversation's own settings. Raise NotFound, and the errors of `changed_settings`
    and `refuse_contradictory`.
    """
    with transaction.atomic():
        conversation = access_conversation(actor, conversation_id, hold=True)
        conversation.history_settings = changed_settings(conversation, changes)
        refuse_contradictory(actor, conversation, answering(conversation), changes)
        conversation.save(update_fields=["history_settings"])
    return conversation


def refuse_contradictory(
    actor: Actor, conversation: Conversation, template: AgentTemplate, changes: Mapping[str, Any]
) -> None:
    """Raise `SettingErrors` if a change contradicts the length limit of the agent's answers."""
    output = output_for(template, conversation)
    resolved = resolve_settings(template, actor, "", conversation)
    wrong = {
        setting.name: sentence_of(contradiction)
        for contradiction in output.contradictions(resolved)
        for setting in contradiction.about
        if setting.name in changes and setting.winner.layer is LayerName.CONVERSATION
    }
    if wrong:
        raise SettingErrors(wrong)


def draft_for(  # noqa: PLR0913 -- all that an answer depends on
    conversation: Conversation,
    template: AgentTemplate,
    actor: Actor,
    query: str,
    note: Note | None = None,
    *,
    trial: TriedSettings = NOTHING_TRIED,
) -> TurnSnapshot:
    """Return the snapshot with which a generation would run, without storing anything.

    `note` is for the generation's plans: it says why another agent answers than the last one.
    """
    conversation = trial.applied_to(conversation)
    may_ask = conversation.depth < settings.DELEGATION_DEPTH
    site = site_defaults.first() or SiteDefaults()
    agent = snapshot(
        template,
        actor.audience,
        conversation.network,
        may_ask=may_ask,
        site=site,
        model=conversation.model,
    )
    notes = (*agent.notes, note) if note else agent.notes
    return TurnSnapshot(
        agent=replace(
            agent,
            tools=usable(agent.tools, actor.audience),
            notes=notes if trial.model is None else tuple(map(_as_tried, notes)),
        ),
        settings=resolve_settings(template, actor, query, conversation, site, trial=trial),
        query=query,
        factor=factor_of(agent.model).value,
        trial=None if trial is NOTHING_TRIED else trial,
    )


@prepared()
def site_defaults() -> QuerySet[SiteDefaults]:
    return SiteDefaults.objects.order_by("pk")[:1]


def _as_tried(note: Note) -> Note:
    """Say that a what-if chose the model, not the chat."""
    if note.fact.rule is not Rule.MODEL_CHOSEN:
        return note
    return replace(note, fact=replace(note.fact, rule=Rule.MODEL_TRIED))


def frozen(turn: TurnSnapshot) -> dict[str, Any]:
    """Return the turn's snapshot as its generation keeps it, so that later changes have no effect:
    texts are stored, and named by their hashes.
    """
    agent = turn.agent
    by_hash = replace(
        agent,
        system_prompt=store_text(agent.system_prompt),
        mcp=store_text(agent.mcp) if agent.mcp else "",
    )
    return {
        "agent": by_hash.as_dict(),
        "settings": turn.settings.as_dict(),
        "query": turn.query,
        "factor": turn.factor,
        **({"tried": turn.trial.as_dict()} if turn.trial else {}),
    }


def refusal(actor: Actor) -> Refusal | None:
    """Say why this actor's values in the URL and the conversation don't count; None if they do."""
    who = settings.HISTORY_URL_OVERRIDES
    counts = {
        "everyone": True,
        "signed_in": actor.user is not None,
        "staff": actor.is_staff,
        "off": False,
    }[who]
    return None if counts else Refusal("HISTORY_URL_OVERRIDES", who)
