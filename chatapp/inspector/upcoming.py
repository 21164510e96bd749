"""What will be different about the next request, as far as it can be known."""

from django.utils.translation import gettext as _

from chatapp.inspector.zone import ShownRecord
from history.core.settings.resolved import Settings
from history.services.planning.unsent import unsent_next
from history.services.settings.answerer import answering
from history.services.settings.layers import resolve_settings
from history.wording.notes import worded
from history.wording.remembering import remembers
from history.wording.settings import changes


def upcoming(shown: ShownRecord) -> tuple[str, ...]:
    """Compare the newest request with a message sent now."""
    if shown.query is None or not shown.is_newest:
        return ()
    conversation, plan = shown.conversation, shown.plan
    agent = answering(conversation)
    now = resolve_settings(agent, shown.actor, shown.query, conversation)
    unsent = unsent_next(agent, conversation.model, now)
    sentences = [note.sentence for note in worded(n for n in unsent if n not in plan.notes)]
    if agent.slug != shown.explanation.agent["slug"]:
        return (_("{agent} answers").format(agent=agent.name), *sentences)
    return (*changes(plan.settings, now), *_memory(plan.settings, now), *sentences)


def _memory(before: Settings, now: Settings) -> tuple[str, ...]:
    """Say what is remembered if that changes: the settings alone don't tell how far a window
    grows.
    """
    return (remembers(now),) if remembers(now) != remembers(before) else ()
