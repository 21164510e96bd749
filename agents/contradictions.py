"""Contradictory settings, worded the same on every page, command and check."""

from collections.abc import Iterator

from django.conf import settings as site

from agents.catalogue import catalogue
from history.core.facts import Rule
from history.core.settings.contradictions import Contradiction, find
from history.core.settings.resolved import Settings
from history.core.settings.spec import LayerName
from history.wording.contradictions import sentence_of


def contradictions(settings: Settings) -> tuple[str, ...]:
    """Return sentences; none if the settings agree."""
    return tuple(map(sentence_of, every(settings)))


def contradictions_of(layer: LayerName, settings: Settings) -> tuple[str, ...]:
    """Return only contradictions in which this layer has a part."""
    return tuple(sentence_of(found) for found in every(settings) if layer in found.layers)


def every(settings: Settings) -> tuple[Contradiction, ...]:
    """Return the contradictions between settings, and an unusable summary model."""
    return (*find(settings, site.HISTORY_CAPS), *_summary_model(settings))


def _summary_model(settings: Settings) -> Iterator[Contradiction]:
    asked = settings["summary_model"]
    if asked.value and (fault := catalogue().fault(asked.value)):
        yield Contradiction(Rule.MODEL_REFUSED, (asked,), figures={"why": fault})
