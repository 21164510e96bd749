"""The parts of a request and of the window, and what a verdict is called."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from history.core.plan.injected import (
    CONTEXT,
    CONTINUE,
    FRAMING,
    OPENING,
    SYSTEM_PROMPT,
    TOOL_SCHEMAS,
)
from history.core.plan.plan import Verdict
from history.core.wording import number

CHECKPOINT = "checkpoint "  # How a summary's label begins.
VERDICTS = {
    Verdict.KEPT: gettext_lazy("kept"),
    Verdict.ALTERED: gettext_lazy("altered"),
    Verdict.PLACEHOLDER: gettext_lazy("placeholder"),
    Verdict.TRIMMED: gettext_lazy("trimmed"),
    Verdict.FILTERED: gettext_lazy("filtered"),
    Verdict.SUMMARISED: gettext_lazy("summarised"),
    Verdict.EXCLUDED: gettext_lazy("excluded"),
    Verdict.REPAIRED: gettext_lazy("repaired"),
    Verdict.INJECTED: gettext_lazy("injected"),
}
WINDOW = {
    "system_prompt": gettext_lazy("system prompt"),
    "tool_schemas": gettext_lazy("tools and framing"),
    "summaries": gettext_lazy("summaries"),
    "injected": gettext_lazy("injected"),
    "history": gettext_lazy("history"),
    "calibration": gettext_lazy("calibration"),
    "output_reserve": gettext_lazy("output reserve"),
    "free": gettext_lazy("free"),
}
TEXTS = {
    SYSTEM_PROMPT: gettext_lazy("system prompt"),
    TOOL_SCHEMAS: gettext_lazy("tool schemas"),
    FRAMING: gettext_lazy("framing"),
    OPENING: gettext_lazy("opening"),
    CONTINUE: gettext_lazy("continue instruction"),
}


def verdict_word(verdict: Verdict) -> str:
    return str(VERDICTS[verdict])


def part_of_window(name: str) -> str:
    return str(WINDOW[name])


def injected_text(label: str) -> str:
    """What a text is called that is sent though no message holds it; its own words, if it has."""
    if label.startswith(CHECKPOINT):
        return _("checkpoint {number}").format(number=label.removeprefix(CHECKPOINT))
    if label.startswith(CONTEXT):
        return _("context {name}").format(name=label.removeprefix(CONTEXT))
    return str(TEXTS.get(label, label))


def window_starts(turn: int) -> str:
    return _("The model's view starts here (turn {turn})").format(turn=number(turn))
