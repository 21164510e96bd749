"""Contradictory settings, worded the same on every page, command and check."""

from collections.abc import Iterator

from django.conf import settings as site

from agents.catalogue import catalogue
from history.core.settings.contradictions import Contradiction, find
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName


def contradictions(settings: Settings) -> tuple[str, ...]:
    """Return sentences; none if the settings agree."""
    return tuple(found.sentence for found in every(settings))


def contradictions_of(layer: LayerName, settings: Settings) -> tuple[str, ...]:
    """Return only contradictions in which this layer has a part."""
    return tuple(found.sentence for found in every(settings) if layer in found.layers)


def every(settings: Settings) -> tuple[Contradiction, ...]:
    """Return the contradictions between settings, and an unusable summary model."""
    return (*find(settings, site.HISTORY_CAPS), *_summary_model(settings))


def _summary_model(settings: Settings) -> Iterator[Contradiction]:
    asked = settings["summary_model"].winner
    if asked.value and (fault := catalogue().fault(str(asked.value))):
        sentence = f"summary_model {asked.value} ({asked.source}) cannot be asked: {fault}"
        yield Contradiction(("summary_model",), frozenset({asked.layer}), sentence)
