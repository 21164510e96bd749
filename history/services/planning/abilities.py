"""What a request depends on of its model: how it counts images, and how much it is to think."""

from functools import partial
from typing import Any

from agents.catalogue import catalogue
from history.core.settings.parts import UNSET_EFFORT
from history.core.settings.resolved import Settings
from history.tokens.images import image_price, image_rule


def image_facts(model: str, factor: float) -> dict[str, Any]:
    """Return the fields of a `ProjectionRequest` that concern images and reasoning."""
    rule = image_rule(model)
    return {
        "image_price": partial(image_price, rule, factor),
        "image_rule": rule.name,
        "takes_images": catalogue().takes_images(model),
        "reasoning_family": catalogue().reasoning_family(model),
    }


def effort_of(settings: Settings) -> str | None:
    """Return the effort to ask for; None leaves it to the provider."""
    effort = str(settings.value("reasoning_effort"))
    return None if effort == UNSET_EFFORT else effort
