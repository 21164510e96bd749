"""What an agent adds to a turn: texts made once per generation, and MCP servers' tools."""

from collections.abc import Mapping
from dataclasses import replace

from django.db.models import QuerySet
from django.utils import timezone

from agents.context import NOTHING, ContextText, ContextTexts, Facts, gathered, parse_context
from agents.mcp import NO_OFFER, Offer
from agents.mcp.offer import offer_from
from agents.snapshot import AgentSnapshot
from history.core.plan.injected import (
    CONTINUE,
    CONTINUE_INSTRUCTION,
    SYSTEM_PROMPT,
    Injected,
    Place,
)
from history.core.transcript.messages import Role
from history.core.words.facts import Rule, warning
from history.core.words.storable import storable
from history.models import Branch, ContextPlan, Generation
from history.services.texts import stored_text
from history.tokens import count_message


def context_of(generation: Generation, step: int = 1) -> ContextTexts:
    """Make the texts for an agent's first request. The agent's later requests in the generation
    reuse exactly these texts, also when they are planned again.
    """
    agent = generation.snapshot_at(step).agent
    if not agent.context:
        return NOTHING
    first = plans_since(generation, step).values_list("texts", flat=True).first()
    if first is not None:
        return _kept(agent, first)
    return context_now(agent, generation.branch, generation.turn)


def plans_since(generation: Generation, step: int) -> QuerySet[ContextPlan]:
    """List plans from the first request by the step's agent on, in order."""
    first = generation.snapshot_at(step).step
    return generation.plans.filter(step__gte=first).order_by("step")


def context_now(agent: AgentSnapshot, branch: Branch, turn: int) -> ContextTexts:
    """Make the texts for a message sent now."""
    if not agent.context:
        return NOTHING
    owner = branch.conversation.owner
    facts = Facts(
        now=timezone.localtime(),
        person=(owner.get_full_name() or owner.get_username()) if owner else "a visitor",
        agent=agent.name,
        turn=turn,
        conversation=branch.conversation.pk,
        user=owner.pk if owner else None,
    )
    context = gathered(parse_context(agent.context), facts)
    return replace(context, texts=tuple(replace(t, text=storable(t.text)) for t in context.texts))


def _kept(agent: AgentSnapshot, hashes: Mapping[str, str]) -> ContextTexts:
    """Read the stored texts. A text that is not stored was left out of the first request, whose
    plan says why.
    """
    parts = parse_context(agent.context)
    texts = (
        ContextText(part.label, stored_text(hashes[part.label]), part.place)
        for part in parts
        if part.label in hashes
    )
    notes = (
        warning(Rule.CONTEXT_LEFT_OUT_BEFORE, label=part.label)
        for part in parts
        if part.label not in hashes
    )
    return ContextTexts(tuple(texts), tuple(notes))


def injected_texts(prompt: str, context: ContextTexts, *, continues: bool) -> tuple[Injected, ...]:
    """Return the texts to send that are no messages of the transcript."""
    parts = [_injected(SYSTEM_PROMPT, Role.SYSTEM, prompt, "start")] if prompt else []
    parts += [_injected(t.label, Role.USER, t.text, t.place) for t in context.texts if t.text]
    if continues:
        parts.append(_injected(CONTINUE, Role.USER, CONTINUE_INSTRUCTION, "end"))
    return tuple(parts)


def _injected(label: str, role: Role, text: str, place: Place) -> Injected:
    return Injected(label, role, text, count_message(role, text, ()), place)


def offer_of(agent: AgentSnapshot) -> Offer:
    """Return the MCP tools, kept by hash in the snapshot like the prompt."""
    return offer_from(stored_text(agent.mcp)) if agent.mcp else NO_OFFER
