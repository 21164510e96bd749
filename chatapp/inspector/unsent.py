"""The next message, as far as it is known: the settings for it, and what they change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.effective import remembered_by
from agents.models import AgentTemplate
from chatapp.inspector.forms import RecordQuery
from chatapp.inspector.settings import SETTINGS, SettingsZone
from chatapp.inspector.summaries import summary_changes
from chatapp.inspector.zone import ShownRecord, Zone
from history.core.settings.resolved import Settings
from history.core.stages.policies import policy_of
from history.core.words.facts import Note
from history.core.words.wording import number
from history.models import Conversation
from history.services.access import Actor
from history.services.explain.claims import NO_CLAIMS, Claims, claims_of
from history.services.path.marks import Marks, marks_on
from history.services.planning.unsent import unsent_next
from history.services.settings.answerer import answering
from history.services.settings.beginning import to_come
from history.services.settings.layers import resolve_settings
from history.wording.notes import WordedNote, worded
from history.wording.remembering import remembers, set_by
from history.wording.settings import changes


@dataclass(frozen=True, slots=True)
class UnsentPanel:
    """The panel without a plan: it shows the settings that a message sent now would have.

    `sentence` says why there is no plan, and `claims` is what an imported chat's file says in place
    of one.
    """

    agent: AgentTemplate
    settings: SettingsZone
    sentence: str
    unsent: tuple[Note, ...] = ()
    claims: Claims = NO_CLAIMS

    @property
    def zones(self) -> Sequence[tuple[Zone[Any], SettingsZone]]:
        return [(SETTINGS, self.settings)]

    @property
    def resolved(self) -> Settings:
        return self.settings.resolved

    @property
    def remembers(self) -> str:
        return remembered_by(self.agent, self.resolved)

    @property
    def notes(self) -> tuple[WordedNote, ...]:
        return worded((*policy_of(self.resolved).notes, *self.unsent))


def unsent_panel(
    actor: Actor, conversation: Conversation, record_query: RecordQuery, query: str
) -> UnsentPanel:
    """Show the next message's settings; `query` is the open chat's."""
    agent = answering(conversation)
    resolved = resolve_settings(agent, actor, query, conversation)
    return UnsentPanel(
        agent,
        SettingsZone(resolved, agent, actor),
        _why(record_query),
        unsent_next(agent, conversation.model, resolved),
        claims_of(conversation, record_query.turn),
    )


def panel_to_come(actor: Actor, agent: AgentTemplate, query: str) -> UnsentPanel:
    """Show the settings of a chat that has not begun."""
    resolved = resolve_settings(agent, actor, query, to_come(query))
    unsent = unsent_next(agent, "", resolved)
    return UnsentPanel(agent, SettingsZone(resolved, agent, actor), _why(RecordQuery()), unsent)


def _why(record_query: RecordQuery) -> str:
    """Say why there is no request to show yet."""
    if record_query == RecordQuery():
        return _("Nothing has been sent yet. The next message will use these settings.")
    if record_query.turn is None:
        return _("No request is stored for this answer. The next message will use these settings.")
    return _(
        "No request is stored for turn {turn} here. The next message will use these settings."
    ).format(turn=record_query.turn)


def upcoming(panel: ShownRecord) -> tuple[str, ...]:
    """Say how the next message's request would differ from the newest one: first, in plain words,
    how much the model will remember, if that changes; then setting by setting.
    """
    if panel.chat_query is None or not panel.is_newest:
        return ()
    conversation, plan = panel.conversation, panel.plan
    agent = answering(conversation)
    now = resolve_settings(agent, panel.actor, panel.chat_query, conversation)
    unsent = unsent_next(agent, conversation.model, now)
    sentences = [note.sentence for note in worded(n for n in unsent if n not in plan.notes)]
    if agent.slug != panel.explanation.agent.slug:
        return (_("{agent} answers").format(agent=agent.name), *sentences)
    marked = _marked(marks_on(panel.record.generation.branch), Marks.from_dict(panel.record.marks))
    differing = (*changes(plan.settings, now), *summary_changes(panel, now))
    return (*_memory(plan.settings, now), *differing, *marked, *sentences)


def _memory(before: Settings, now: Settings) -> tuple[str, ...]:
    """Say how much the model will remember, if that changes: the settings alone don't show how far
    a window grows.
    """
    if remembers(now) == remembers(before):
        return ()
    return (remembers(now, why=set_by(now)),)


def _marked(now: Marks, before: Marks) -> tuple[str, ...]:
    """Say how many messages a person has marked since the request, or freed from a mark."""
    pinned, excluded = len(now.pins - before.pins), len(now.exclusions - before.exclusions)
    unmarked = len(before.positions - now.positions)
    sentences = {
        ngettext("{n} more message pinned", "{n} more messages pinned", pinned): pinned,
        ngettext("{n} more message excluded", "{n} more messages excluded", excluded): excluded,
        ngettext("{n} mark removed", "{n} marks removed", unmarked): unmarked,
    }
    return tuple(sentence.format(n=number(n)) for sentence, n in sentences.items() if n)
