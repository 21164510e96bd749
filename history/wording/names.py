"""How sentences name things: counted messages, turns and tokens, verdicts, parts of a request."""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from history.core.plan.injected import (
    CONTEXT,
    CONTINUE,
    FRAMING,
    NEW_PROMPT,
    OPENING,
    SYSTEM_PROMPT,
    TOOL_SCHEMAS,
)
from history.core.plan.verdict import Verdict
from history.core.settings.output import LIMIT
from history.core.settings.spec import gettext_noop
from history.core.settings.table import BY_NAME
from history.core.words.wording import number, runs_of
from history.wording.faults import Say, fill

CHECKPOINT = "checkpoint "  # The label of a summary begins like this.
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
MEANINGS = {
    Verdict.KEPT: gettext_lazy("sent unchanged"),
    Verdict.ALTERED: gettext_lazy("sent shortened or changed"),
    Verdict.PLACEHOLDER: gettext_lazy("an older tool result, sent as a placeholder"),
    Verdict.TRIMMED: gettext_lazy("left out because it is older than what the settings keep"),
    Verdict.FILTERED: gettext_lazy("left out by one of the agent's processors"),
    Verdict.SUMMARISED: gettext_lazy("left out; a summary is sent in its place"),
    Verdict.EXCLUDED: gettext_lazy("left out by hand"),
    Verdict.REPAIRED: gettext_lazy("left out because providers would reject it"),
    Verdict.INJECTED: gettext_lazy("sent although no message contains it"),
}
WINDOW = {
    "sent": gettext_lazy("sent"),
    "system_prompt": gettext_lazy("system prompt"),
    "tool_schemas": gettext_lazy("tools and message overhead"),
    "summaries": gettext_lazy("summaries"),
    "injected": gettext_lazy("other injected texts"),
    "history": gettext_lazy("history"),
    "texts": gettext_lazy("texts and tools"),
    "reasoning": gettext_lazy("reasoning"),
    "images": gettext_lazy("images"),
    "files": gettext_lazy("files"),
    "calibration": gettext_lazy("difference in counting"),
    "output_reserve": gettext_lazy("output reserve"),
    "free": gettext_lazy("free"),
    "beyond_budget": gettext_lazy("beyond the token budget"),
}
TEXTS = {
    SYSTEM_PROMPT: gettext_lazy("system prompt"),
    TOOL_SCHEMAS: gettext_lazy("tool schemas"),
    FRAMING: gettext_lazy("framing"),
    OPENING: gettext_lazy("opening"),
    CONTINUE: gettext_lazy("continue instruction"),
}
OF_AGENTS = {  # An agent's settings that are not history settings, by their names in requests.
    LIMIT: gettext_noop("Output limit"),
    "max_tokens": gettext_noop("Output limit"),
    "temperature": gettext_noop("Temperature"),
}
PROCESSOR_NAMES = {
    "tool_call_filter": gettext_noop("Remove tool calls"),
    "token_limiter": gettext_noop("Limit the tokens"),
}


def label_of(name: str, say: Say = gettext) -> str:
    """Name a setting for people; a setting that this version does not know keeps its name."""
    if name in BY_NAME:
        return say(BY_NAME[name].label)
    return say(OF_AGENTS[name]) if name in OF_AGENTS else name


def quoted(name: str, say: Say = gettext) -> str:
    """Put a setting's label in quotation marks, for a sentence; other names stay as they are."""
    label = label_of(name, say)
    return say(gettext_noop("“{name}”")).format(name=label) if label != name else name


def naming(sentence: Any) -> Callable[..., str]:
    """Return a function that fills in the sentence.

    The names of settings in the figures `name` and `bound` become labels, `bound` in quotation
    marks.
    """

    def say(**figures: Any) -> str:
        labels = {name: label_of(figures[name]) for name in ("name",) if name in figures}
        labels |= {name: quoted(figures[name]) for name in ("bound",) if name in figures}
        return fill(str(sentence), figures | labels)

    return say


def processor_name(name: str) -> str:
    """Name a processor in a sentence as an agent's form does; a registered one keeps its name."""
    return _("“{name}”").format(name=_(PROCESSOR_NAMES[name])) if name in PROCESSOR_NAMES else name


def tokens(count: int) -> str:
    return ngettext("{count} token", "{count} tokens", count).format(count=number(count))


def percentage(share: float) -> str:
    """Write a share of what is sent, given in percent with one decimal; it is never called 0%."""
    return f"{share}%" if share else _("under 0.1%")


def calibrated(factor: float) -> str:
    """Say by which factor the model's token count differs from ours."""
    return _("The model counts {factor} tokens for each that Vitrine counts").format(
        factor=f"{factor:.2f}"
    )


def message_count(count: int) -> str:
    return ngettext("{count} message", "{count} messages", count).format(count=number(count))


def turn_count(count: int) -> str:
    return ngettext("{count} turn", "{count} turns", count).format(count=number(count))


def group_count(count: int) -> str:
    """Say into how many groups the messages fall, each with its own reason."""
    text = _("In {count} groups, each for its own reason")
    return text.format(count=number(count))


def turns(first: int, last: int) -> str:
    """Write `turn 9` for one turn; for several, `turns` with both numbers and a dash."""
    if first == last:
        return _("turn {number}").format(number=number(last))
    return _("turns {first}\N{EN DASH}{last}").format(first=number(first), last=number(last))


def messages(first: int, last: int) -> str:
    """Write `message 9` for one position; for several, `messages` with both numbers and a dash."""
    where = places([range(first, last + 1)])
    return ngettext("message {places}", "messages {places}", last - first + 1).format(places=where)


def places(runs: Iterable[range]) -> str:
    """Write the messages at these positions, which readers count from 1."""
    *others, last = runs_of(runs)
    if not others:
        return last
    return _("{others} and {last}").format(others=", ".join(others), last=last)


def verdict_word(verdict: Verdict) -> str:
    return str(VERDICTS[verdict])


def verdict_meaning(verdict: Verdict) -> str:
    return str(MEANINGS[verdict])


def part_of_window(name: str) -> str:
    return str(WINDOW[name])


def injected_text(label: str) -> str:
    """Name a text that no message contains; a text without a name here keeps its label."""
    if label.startswith(CHECKPOINT):
        return _("summary {number}").format(number=label.removeprefix(CHECKPOINT))
    if label.startswith(CONTEXT):
        return _("context {name}").format(name=label.removeprefix(CONTEXT))
    if label.startswith(NEW_PROMPT):
        return _("system prompt from turn {turn}").format(turn=label.removeprefix(NEW_PROMPT))
    return str(TEXTS.get(label, label))


def window_starts(turn: int) -> str:
    return _("The model's view starts here (turn {turn})").format(turn=number(turn))


def capitalised(sentence: str) -> str:
    """Capitalise a sentence, unless it begins with the name of a setting or of a call."""
    first = sentence.split(" ", 1)[0].rstrip(",;:")
    is_word = first.isalpha() and first.islower()
    return sentence[0].upper() + sentence[1:] if is_word else sentence
