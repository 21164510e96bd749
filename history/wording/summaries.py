"""The reasons why there is no summary, as the end of a sentence that begins "No summary:"."""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

REASONS: Mapping[str, Any] = {
    "abandoned": gettext_lazy("the server stopped while writing it"),
    "broken": gettext_lazy("something went wrong on the server (it was logged)"),
    "bad_model": gettext_lazy("the model {model} can't be used: {fault}"),
    "called_tool": gettext_lazy("the model called a tool instead of writing prose"),
    "cut_off": gettext_lazy("the summary was cut off at the model's output limit"),
    "never_ended": gettext_lazy("the model never finished"),
    "empty": gettext_lazy("the model answered with nothing"),
    "lost": gettext_lazy("part of what the model wrote was lost on its way (it was logged)"),
    "protocol": gettext_lazy("the model answered with reasoning or tool protocol instead of prose"),
    "call": gettext_lazy("the model answered with a tool call instead of prose"),
    "json": gettext_lazy("the model answered with JSON instead of prose"),
    "too_long": gettext_lazy(
        "the model's summary was no shorter than its source: {tokens:,} tokens instead of "
        "{source:,}"
    ),
    "told": "{sentence}",
}


def no_summary(reason: str) -> str:
    """Return the words that say why there is no summary. `reason` is a checkpoint's, with its
    figures, as JSON; older checkpoints store the words themselves.
    """
    if not reason.startswith("{"):
        return reason
    figures = json.loads(reason)
    return str(REASONS[figures["why"]].format(**figures))
