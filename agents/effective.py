"""The settings in force for a template or the site, and the contradictions between them.

Checks of single settings cannot find contradictions. Each contradiction is worded the same on every
page, and in every command and check.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from django.conf import settings
from django.utils.translation import gettext as _

from agents.catalogue import catalogue
from agents.choice import chosen_model
from agents.models import (
    AgentTemplate,
    SiteDefaults,
    built_in_layer,
    site_layer,
    template_layer,
    usual_reserve,
)
from agents.snapshot import AgentSnapshot
from agents.tools.recall import RECALL
from history.core.settings.contradictions import Contradiction, find
from history.core.settings.layers import Layer
from history.core.settings.output import EFFORT, OutputRules, find_in_output, limit_of, with_reserve
from history.core.settings.parts import UNSET_EFFORT
from history.core.settings.resolution import resolve
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME
from history.core.words.facts import Rule
from history.wording.deciding.contradictions import sentence_of
from history.wording.remembering import remembers, set_by
from history.wording.settings import SettingRow, setting_rows, unknown_rows

Fault: TypeAlias = tuple[str, str]  # The setting that the page marks, and a sentence on its fault.


@dataclass(frozen=True, slots=True)
class Output:
    """The model that answers and the longest answer in tokens; `source` names who set that
    limit.
    """

    model: str
    limit: int | None = None
    source: str = ""

    @classmethod
    def of(cls, template: AgentTemplate, name: str = "") -> "Output":
        """Return the model and limit of a template; `name` is the model that a chat has
        chosen.
        """
        model = chosen_model(template, name).model
        return cls(model, template.output_limit, template.source)

    @classmethod
    def of_agent(cls, agent: AgentSnapshot) -> "Output":
        """Return the model and output limit of an agent in a generation's snapshot."""
        return cls(agent.model, agent.output_limit, agent.source)

    def rules(self, effort: str | None) -> OutputRules:
        rules = catalogue().output_rules(self.model, effort)
        return replace(rules, usual=usual_reserve(catalogue().limits(self.model)))

    def reserving(self, settings: Settings) -> Settings:
        """Return the settings with as many tokens reserved as an answer of this agent needs."""
        return with_reserve(settings, self.rules(asked_effort(settings)), self.limit)

    def contradictions(self, settings: Settings) -> Iterator[Contradiction]:
        rules, limit = self.rules(asked_effort(settings)), limit_of(self.limit, self.source)
        return find_in_output(settings, rules, limit)


def asked_effort(settings: Settings) -> str | None:
    """Return the effort that the settings ask for; None leaves it to the provider."""
    effort = str(settings.value(EFFORT))
    return None if effort == UNSET_EFFORT else effort


@dataclass(frozen=True, slots=True)
class Preview:
    """A preview of the settings in force. `warnings` say which of them contradict each other.

    `memory` says how much of a conversation these settings let the model see.
    """

    rows: tuple[SettingRow, ...]
    warnings: tuple[str, ...]
    memory: str = ""


def effective(*layers: Layer) -> Settings:
    """Resolve these layers with the environment, ignoring settings that no longer exist."""
    known_layers = [replace(layer, values=_known(layer.values)) for layer in layers]
    return resolve([settings.HISTORY_ENVIRONMENT, *known_layers], settings.HISTORY_CAPS)


def for_template(layer: Layer, site: Layer, output: Output) -> Settings:
    """Resolve a template's settings for its model, with the room that its answers need."""
    return output.reserving(effective(layer, site, built_in_layer(output.model)))


def contradictions(resolved: Settings, output: Output | None = None) -> tuple[str, ...]:
    """Return a sentence for each contradiction between the settings, or with `output` if given."""
    return tuple(map(sentence_of, every(resolved, output)))


def contradictions_of(
    layer: LayerName, resolved: Settings, output: Output | None = None
) -> tuple[str, ...]:
    """Return sentences only for contradictions that involve a setting of this layer."""
    return tuple(sentence_of(each) for each in every(resolved, output) if layer in each.layers)


def without_room(resolved: Settings) -> str:
    """Say that the answer's reserve uses up the token budget; empty if it does not."""
    sentences = (
        sentence_of(each)
        for each in find(resolved, settings.HISTORY_CAPS)
        if each.rule is Rule.RESERVE_TAKES_ALL and "token_budget" in each.settings
    )
    return next(sentences, "")


def of_environment() -> tuple[str, ...]:
    """Return the environment's contradictions with built-in values and the default model."""
    output = Output(settings.DEFAULT_MODEL)
    in_output = output.contradictions(output.reserving(effective(built_in_layer(output.model))))
    return (*contradictions(effective()), *map(sentence_of, in_output))


def every(resolved: Settings, output: Output | None = None) -> tuple[Contradiction, ...]:
    """Return the contradictions between settings, and the fault of an unusable summary model."""
    in_output = output.contradictions(resolved) if output else ()
    return (*find(resolved, settings.HISTORY_CAPS), *_summary_model(resolved), *in_output)


def _summary_model(resolved: Settings) -> Iterator[Contradiction]:
    setting = resolved["summary_model"]
    if setting.value and (fault := catalogue().fault(setting.value)):
        yield Contradiction(Rule.MODEL_REFUSED, (setting,), figures={"why": fault})


def disagreements(template: AgentTemplate) -> tuple[str, ...]:
    """Return the contradictions because of which the template's settings may not be stored."""
    return tuple(map(sentence_of, disagreeing(template)))


def disagreeing(template: AgentTemplate) -> tuple[Contradiction, ...]:
    """Return the contradictions that involve the template's own settings."""
    defaults = site_layer(SiteDefaults.objects.first())
    output = Output.of(template)
    resolved = for_template(template_layer(template), defaults, output)
    return tuple(each for each in every(resolved, output) if LayerName.TEMPLATE in each.layers)


def template_faults(own: Layer, site: Layer, output: Output) -> Iterator[Fault]:
    resolved = for_template(own, site, output)
    return _faults(own.name, every(resolved, output))


def site_faults(own: Layer) -> Iterator[Fault]:
    """Yield the contradictions in the site's defaults, and then those that the defaults cause in an
    agent, with the agent's name.

    The defaults cause a contradiction if they don't fit the agent's context window or output.
    """
    yield from _faults(own.name, (each for each in every(effective(own)) if not of_window(each)))
    names: dict[Fault, list[str]] = {}
    for template in AgentTemplate.objects.all() or [AgentTemplate(name=_("a new agent"))]:
        output = Output.of(template)
        resolved = for_template(template_layer(template), own, output)
        concern = (*filter(of_window, every(resolved)), *output.contradictions(resolved))
        for fault in _faults(own.name, concern):
            names.setdefault(fault, []).append(template.name)
    for fault, concerned in names.items():
        setting, sentence = fault
        yield setting, f"{', '.join(concerned)}: {sentence}"


def _faults(layer: LayerName, concern: Iterable[Contradiction]) -> Iterator[Fault]:
    """Yield the contradictions that involve the layer, each with the layer's first setting in
    it.
    """
    for each in concern:
        own = (setting.name for setting in each.about if setting.winner.layer is layer)
        if name := next(own, ""):
            yield name, sentence_of(each)


def template_preview(template: AgentTemplate, site: SiteDefaults | None) -> Preview:
    layer = template_layer(template)
    output = Output.of(template)
    resolved = for_template(layer, site_layer(site), output)
    rows, warnings = _rows(layer, setting_rows(resolved)), contradictions(resolved, output)
    return Preview(rows, warnings, remembered_because(template, resolved))


def remembered(template: AgentTemplate, site: SiteDefaults | None) -> str:
    """Say what an agent remembers in a chat without settings of its own."""
    resolved = for_template(template_layer(template), site_layer(site), Output.of(template))
    return remembered_by(template, resolved)


def remembered_by(template: AgentTemplate, resolved: Settings) -> str:
    return remembers(resolved, can_search=can_search(template))


def remembered_because(template: AgentTemplate, resolved: Settings) -> str:
    """Say what an agent remembers with these settings, and who decided that if the agent didn't."""
    return remembers(resolved, can_search=can_search(template), why=set_by(resolved))


def can_search(template: AgentTemplate) -> bool:
    """Whether the agent can search the messages that it isn't sent."""
    return RECALL.name in template.tools


def site_preview(site: SiteDefaults | None) -> Preview:
    """Preview the site's defaults, without contradictions that depend on a template or its
    model.
    """
    layer = site_layer(site)
    resolved = effective(layer)
    own = (row for row in setting_rows(resolved) if BY_NAME[row.name].allows(LayerName.SITE))
    warnings = tuple(sentence_of(c) for c in every(resolved) if not of_window(c))
    return Preview(_rows(layer, own), warnings, remembers(resolved, why=set_by(resolved)))


def of_window(contradiction: Contradiction) -> bool:
    """Whether the contradiction concerns the context window, which depends on the template."""
    return "context_window" in contradiction.settings


def _known(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if name in BY_NAME}


def _rows(layer: Layer, rows: Iterable[SettingRow]) -> tuple[SettingRow, ...]:
    gone = _("unknown setting; saving this page removes it")
    return (*rows, *unknown_rows(layer.values, layer.source, gone))
