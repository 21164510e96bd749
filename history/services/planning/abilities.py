"""How a request depends on its model: how images are counted, and the reasoning effort."""

from dataclasses import replace
from functools import partial
from typing import Any

from agents.catalogue import catalogue
from agents.effective import asked_effort
from history.core.settings.resolved import Settings
from history.core.settings.spec import ADMINISTRATORS
from history.core.words.facts import Rule
from history.tokens.images import image_price, image_rule


def image_facts(model: str, factor: float) -> dict[str, Any]:
    """Return the fields of a `ProjectionRequest` that concern images."""
    rule = image_rule(model)
    return {
        "image_price": partial(image_price, rule, factor),
        "image_rule": rule.name,
        "takes_images": catalogue().takes_images(model),
    }


def effort_of(settings: Settings, model: str) -> str | None:
    """Return the effort to ask for; None leaves it to the provider."""
    effort = asked_effort(settings)
    return None if effort and why_no_effort(settings, model) else effort


def model_facts(
    effort: str | None, model: str, factor: float, withheld: str | None = None
) -> dict[str, Any]:
    """Return the fields of a `ProjectionRequest` that depend on the model; `effort` is what is
    really asked for. `withheld` is the `withheld_by` of a past request; None means today's.
    """
    taking = catalogue().taking_of(model, effort)
    if withheld is not None:
        taking = replace(taking, withheld_by=withheld)
    takes_prompts = catalogue().takes_new_prompts(model)
    return {**image_facts(model, factor), "taking": taking, "takes_new_prompts": takes_prompts}


def why_no_effort(settings: Settings, model: str) -> Rule | None:
    """Say why an effort is not sent, if the model would refuse it. Where that is unknown, only
    administrators may try.
    """
    takes = catalogue().takes_effort(model)
    if takes is None and settings["reasoning_effort"].winner.layer not in ADMINISTRATORS:
        return Rule.THINKING_UNKNOWN
    return Rule.NOT_TAKEN if takes is False else None
