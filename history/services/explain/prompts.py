"""Who may read what the author of a template wrote."""

from collections.abc import Iterator

from history.core.plan.injected import is_prompt
from history.models import ContextPlan
from history.services.access import Actor
from history.services.planning.prompts import FIRST_PROMPT
from history.services.settings.answerer import template_of
from history.services.texts import stored_text


def may_read_prompt(actor: Actor, record: ContextPlan) -> bool:
    """Return whether the actor may read the prompt. Staff may. For an owner, both the template's
    present version and the version that was sent must allow it: each prompt was written under its
    own version's rule, and the present rule is what the administrator wants.
    """
    if actor.is_staff:
        return True
    then = record.generation.snapshot_at(record.step).agent.prompt_is_public
    template = template_of(record)
    return bool(then and template and template.prompt_is_public)


def private_texts(record: ContextPlan) -> Iterator[str]:
    """Yield the texts that only people who may read the prompt may see."""
    for name, digest in record.texts.items():
        if digest and (name == FIRST_PROMPT or is_prompt(name)):
            yield stored_text(digest)
