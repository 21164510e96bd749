"""Find out which agent answers. The path decides, so that each branch has its own agent.

Every message by an agent names this agent, and the result of a hand-over names the agent that takes
over. The agent with the newest such name on the path answers next.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from agents.models import AgentTemplate
from history.core.words.facts import Note, Rule, note
from history.models import Branch, ContextPlan, Conversation, Message
from history.services.errors import Conflict
from history.services.prepared import follow


@dataclass(frozen=True, slots=True)
class Answerer:
    """The agent that answers next. `note` says so if the path names another, which is gone."""

    template: AgentTemplate
    note: Note | None = None


def answerer_on(conversation: Conversation, branch: Branch | None) -> Answerer:
    """Find the agent that answers next on a branch. In a chat without a network of agents, no
    message is read for this.
    """
    follow(conversation, "agent")
    network = conversation.network
    if network is None or branch is None:
        return Answerer(conversation.agent)
    slug = _newest(branch)
    if slug in {"", conversation.agent.slug}:
        return Answerer(conversation.agent)
    member = AgentTemplate.objects.filter(slug=slug).first() if slug in network.members else None
    if member is None:
        agent = conversation.agent
        names = {"network": network.name, "slug": slug, "agent": agent.name}
        return Answerer(agent, note(Rule.ANSWERER_GONE, **names))
    return Answerer(member)


def answering(conversation: Conversation) -> AgentTemplate:
    """Return the agent that answers a message sent now, on the open branch."""
    return answerer_on(conversation, conversation.branch).template


def refuse_delegated(conversation: Conversation) -> None:
    """Raise Conflict if the conversation was delegated, because people can only read it."""
    if conversation.asked_by_id is not None:
        sentence = _(
            "This chat belongs to a delegated task and is read-only. Continue in the original chat."
        )
        raise Conflict("delegated", sentence)


def template_of(record: ContextPlan) -> AgentTemplate | None:
    """Return the present template of the agent a request was made for; None if it was deleted."""
    generation = record.generation
    slug = generation.snapshot_at(record.step).agent.slug
    own = generation.conversation.agent
    return own if own.slug == slug else AgentTemplate.objects.filter(slug=slug).first()


def _newest(branch: Branch) -> str:
    for span in branch.spans():
        messages = Message.objects.on_span(span).exclude(agent="").order_by("-position")
        if slug := messages.values_list("agent", flat=True).first():
            return slug
    return ""
