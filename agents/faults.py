"""What a page of the admin refuses: settings that are good one by one, but cannot all hold."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from agents.contradictions import every
from agents.layers import template_layer
from agents.models import AgentTemplate
from agents.preview import effective, for_template, of_window
from history.core.settings.contradictions import Contradiction
from history.core.settings.resolution import Layer, LayerName, Settings

Fault: TypeAlias = tuple[str, str]  # A setting of the page, and the sentence about it.


def template_faults(own: Layer, site: Layer, model: str) -> Iterator[Fault]:
    return _faults(own.name, for_template(own, site, model), lambda found: True)


def site_faults(own: Layer) -> Iterator[Fault]:
    """Those of the site alone, then what leaves an agent no room in its window, with its name."""
    yield from _faults(own.name, effective(own), lambda found: not of_window(found))
    names: dict[Fault, list[str]] = {}
    for template in AgentTemplate.objects.all() or [AgentTemplate(name="a new agent")]:
        settings = for_template(template_layer(template), own, template.model)
        for fault in _faults(own.name, settings, of_window):
            names.setdefault(fault, []).append(template.name)
    for fault, concerned in names.items():
        setting, sentence = fault
        yield setting, f"{', '.join(concerned)}: {sentence}"


def _faults(
    layer: LayerName, settings: Settings, wanted: Callable[[Contradiction], bool]
) -> Iterator[Fault]:
    """What the layer has a part in, each at the first setting that is its own."""
    for found in filter(wanted, every(settings)):
        own = (name for name in found.settings if settings[name].winner.layer is layer)
        if name := next(own, ""):
            yield name, found.sentence
