"""Sentences on what is wrong with a setting's value: in errors, and for a candidate that lost."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from django.utils.translation import gettext

from history.core.settings.spec import LayerName, shown_value
from history.core.settings.spec import gettext_noop as _
from history.core.words.errors import CannotPlan, SettingError, SettingErrors
from history.core.words.facts import Fact, Rule
from history.core.words.wording import nearest, place

Say: TypeAlias = Callable[[str], str]  # The function is `gettext`, or `str` before Django is ready.

VALUES: Mapping[Rule, str] = {
    Rule.NO_CHOICE: _("must be {choices}"),
    Rule.NO_NUMBER: _("must be a whole number from {least} to {most}"),
    Rule.NO_BOOLEAN: _("must be true or false"),
    Rule.NO_MODEL: _(
        "must be a model name such as openai/gpt-4o: up to {longest} "
        "characters (letters, digits and . _ - + ~ : / @), without :// or .."
    ),
    Rule.REPEATED: _("appears {times} times, but may appear only once"),
    Rule.NO_NAMES: _("must be a list of tool names that is not empty"),
}
FAULTS: Mapping[Rule, str] = {
    Rule.TOLD: "{sentence}",
    Rule.MAY_NOT_SET: _("{name}: can't be set by {layer}, only by {allowed}"),
    Rule.NO_OBJECT: _("the settings of {layer} must be an object of names and values"),
    Rule.NO_SETTING: _("{name}: no such setting for {layer}; available: {known}"),
    Rule.NO_SUCH_NAME: _("{name}: no such setting; available: {known}"),
    Rule.VARIABLES_DIFFER: _("{given}: set only one of them"),
    Rule.NO_LEVELS: _("processors: must be lists by level ({known})"),
    Rule.NO_LEVEL: _("processors: there is no level {names}. The levels are {known}"),
    Rule.NO_LIST: _("processors, {level} level: must be a list"),
    Rule.BAD_PROCESSOR: _("processors, {level} level, {place}: {why}"),
    Rule.NO_USE: _('must be an object with "use", such as {example}'),
    Rule.NO_PROCESSOR: _("{name}: no such processor; available: {known}"),
    Rule.NO_OPTION: _("{name}: no option {option}; available: {known}"),
    Rule.OPTION_MISSING: _("{name}: the option {option} is missing; give it as in {example}"),
    Rule.BOTH_FILTERS: _("{name}: give either exclude or include, not both"),
    Rule.NO_FUNCTION: _("{name}: its factory returned {kind}, not a function"),
    Rule.PROCESSOR_FAILED: _("The processor {name} at the {level} level failed: {why}"),
    Rule.PRUNER_FAILED: _("The pruner {name} failed: {why}"),
    Rule.NO_TURN: _("it returned {kind}, not the place of a turn"),
    Rule.MESSAGE_CHANGED: _("it returned message {position} changed or twice"),
    Rule.DOES_NOT_FIT: _(
        "This request is {over} tokens too large for the model, so it was not sent. Instructions, "
        "tools and summaries take {rest} tokens, messages that must be sent take {history} "
        "({largest}), and {reserve} of the context window of {window} are reserved for the answer. "
        "Send a shorter message, or ask an administrator to change the agent's prompt, tools or "
        "limits."
    ),
    Rule.LARGEST: _("the largest is message {position} with {tokens}"),
    Rule.LARGEST_SHORTENED: _(
        "the largest is message {position} with {tokens}, {now} when shortened"
    ),
    Rule.NO_MESSAGE: _("there are none"),
}
LAYERS: Mapping[str, str] = {
    LayerName.ENVIRONMENT: _("the server"),
    LayerName.WHAT_IF: _("a what-if"),
    LayerName.URL: _("an address"),
    LayerName.CONVERSATION: _("a chat"),
    LayerName.TEMPLATE: _("an agent"),
    LayerName.SITE: _("the site defaults"),
    LayerName.BUILT_IN: _("the built-in defaults"),
}
SUPPOSED: Mapping[Rule, str] = {
    Rule.DOES_NOT_FIT: _(
        "This request would be {over} tokens too large for the model, so it could not be sent. "
        "Instructions, tools and summaries take {rest} tokens, messages that must be sent take "
        "{history} ({largest}), and {reserve} of the context window of {window} are reserved for "
        "the answer. A larger context window or a smaller output reserve would make room."
    ),
}
PLAIN: Mapping[Rule, str] = {
    Rule.NO_USE: _("choose a processor"),
    Rule.NO_PROCESSOR: _("no processor is called {name}; available: {known}"),
    Rule.NO_OPTION: _("it has no option {option}; available: {known}"),
    Rule.OPTION_MISSING: _("give the option {option}"),
    Rule.BOTH_FILTERS: _("name the tools in one of the two fields, not in both"),
}


def word_error(error: SettingError | CannotPlan) -> str:
    return "; ".join(word_faults(error))


def word_faults(error: SettingError | CannotPlan, say: Say = gettext) -> list[str]:
    """Return one sentence for each wrong setting."""
    return [word_fault(each, say) for each in _facts(error)]


def word_supposed_error(error: SettingError | CannotPlan) -> str:
    """Word what is wrong with a request that a what-if plans."""
    return "; ".join(map(word_supposed, _facts(error)))


def word_supposed(fact: Fact) -> str:
    if fact.rule in SUPPOSED:
        return fill(gettext(SUPPOSED[fact.rule]), fact.figures)
    return word_fault(fact)


def word_fault(fact: Fact, say: Say = gettext) -> str:
    """Word a fault. A fault about a value begins with the setting's name and the value."""
    if fact.rule in VALUES and "name" in fact.figures:
        names = {"name": fact.figures["name"], "value": fact.figures["value"]}
        return say(_("{name}={value}: {fault}")).format(**names, fault=word_rule(fact, say))
    if fact.rule in VALUES:
        return word_rule(fact, say)
    return fill(say(FAULTS[fact.rule]), fact.figures, say)


def plain(fact: Fact, say: Say = gettext) -> str:
    """Word a fault without the name of its field, because the sentence stands beside the field."""
    if fact.rule in VALUES:
        return word_rule(fact, say)
    return fill(say({**FAULTS, **PLAIN}[fact.rule]), fact.figures, say)


def word_rule(fact: Fact, say: Say = gettext) -> str:
    """Say which values are allowed, without the setting's name, and suggest a similar one."""
    text = fill(say(VALUES[fact.rule]), fact.figures, say)
    near = nearest(str(fact.figures.get("value", "")), fact.figures.get("choices", ()))
    return say(_("{text} (did you mean {near}?)")).format(text=text, near=near) if near else text


def fill(text: str, figures: Mapping[str, Any], say: Say = gettext) -> str:
    texts = {name: _figure(value, say) for name, value in figures.items()}
    if "position" in figures:
        texts["position"] = place(figures["position"])
    if "layer" in figures:
        texts["layer"] = say(LAYERS[figures["layer"]])
    if "allowed" in figures:
        texts["allowed"] = either([say(LAYERS[each]) for each in figures["allowed"]], say)
    if "choices" in figures:
        texts["choices"] = either(figures["choices"], say)
    return text.format(**texts)


def fill_later(sentence: Any) -> Callable[..., str]:
    """Return a function that fills a lazy sentence with the figures that it is given."""
    return lambda **figures: fill(str(sentence), figures)


def either(words: Sequence[str], say: Say = gettext) -> str:
    """Join alternatives, as in `none, lastN or all`."""
    *others, last = words
    both = say(_("{others} or {last}"))
    return both.format(others=", ".join(others), last=last) if others else last


def _facts(error: SettingError | CannotPlan) -> Iterable[Fact]:
    return error.by_setting.values() if isinstance(error, SettingErrors) else [error.fact]


def _figure(value: object, say: Say) -> str:
    """Write a figure; if it is a fact itself, word it."""
    if isinstance(value, Mapping) and "rule" in value:
        return word_fault(Fact.from_dict(value), say)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={one}" for name, one in value.items())
    return ", ".join(value) if isinstance(value, list) else shown_value(value)
