"""What will be different about the next request, as far as it can be known."""

from django.utils.translation import gettext as _

from history.core.settings.resolved import Settings
from history.models import Conversation
from history.services.access import Actor
from history.services.explain.explanation import Explanation
from history.services.planning.unsent import unsent_next
from history.services.settings.answerer import answering
from history.services.settings.layers import resolve_settings
from history.wording.notes import worded
from history.wording.remembering import remembers
from history.wording.settings import changes


def upcoming(
    actor: Actor, conversation: Conversation, explanation: Explanation, query: str | None
) -> tuple[str, ...]:
    """Compare the newest request with a message sent now; `query` is the open chat's."""
    if query is None or explanation.turn < explanation.turns:
        return ()
    agent, plan = answering(conversation), explanation.plan
    now = resolve_settings(agent, actor, query, conversation)
    unsent = unsent_next(agent, conversation.model, now)
    sentences = [note.sentence for note in worded(n for n in unsent if n not in plan.notes)]
    if agent.slug != explanation.agent["slug"]:
        return (_("{agent} answers").format(agent=agent.name), *sentences)
    return (*changes(plan.settings, now), *_memory(plan.settings, now), *sentences)


def _memory(before: Settings, now: Settings) -> tuple[str, ...]:
    """Say what is remembered if that changes: the settings alone don't tell how far a window
    grows.
    """
    return (remembers(now),) if remembers(now) != remembers(before) else ()
