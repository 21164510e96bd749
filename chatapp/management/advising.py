"""`manage.py context explain`: what other settings would have cost, in a chat or for an agent."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError

from agents.models import AgentTemplate
from history.models import Conversation
from history.services.access import Actor
from history.services.whatif.offering import offer_for
from history.services.whatif.sampling import (
    COMPUTED,
    agent_advice,
    agent_sentences,
    computed_advice,
)
from history.wording.replays.advice import details_of, example_of, sentence_of

NOTHING = (
    "{name}: nothing to advise. No variant would have been cheaper by a tenth in the newest "
    f"{COMPUTED} chats with its own settings and shown the model no less, or a price is unknown."
)


def add_options(explain: ArgumentParser) -> None:
    explain.add_argument(
        "--agent", metavar="SLUG", help="instead: advice for an agent, from its newest chats"
    )


def refuse_both(options: dict[str, Any]) -> None:
    """Raise CommandError unless `explain` gets exactly one: a conversation or an agent."""
    if options["action"] != "explain":
        return
    if (options["conversation"] is None) is (options["agent"] is None):
        raise CommandError("explain: give either a conversation's id or --agent SLUG")


def of_conversation(conversation: Conversation) -> Iterator[str]:
    """Yield the lines of the advice that the inspector offers for the conversation, if any."""
    if offer := offer_for(Actor(), conversation):
        yield ""
        yield f"Advice: {sentence_of(offer.advice.facts, offer.variant)}"
        yield from details_of(offer.advice.facts, offer.variant)
        if example := example_of(offer.advice.facts):
            yield example


def of_agent(slug: str) -> Iterator[str]:
    """Yield the agent's stored advice, or else the advice from a replay of a few chats."""
    template = AgentTemplate.objects.filter(slug=slug).first()
    if template is None:
        raise CommandError(f"--agent {slug}: no such agent.")
    advice = agent_advice(template) or computed_advice(template)
    if advice is None:
        yield NOTHING.format(name=template.name)
        return
    yield from agent_sentences(advice)
