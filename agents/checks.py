"""Django checks for contradictory settings, and for stored values that cannot be used.

`manage.py check` looks at the environment, `manage.py check --database default` at the database.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from django.core import checks
from django.db import DatabaseError

from agents.catalogue import catalogue
from agents.context import ContextErrors, check_context
from agents.effective import Output, contradictions, for_template, of_environment
from agents.models import AgentTemplate, SiteDefaults, site_layer, template_layer
from agents.networks.models import Network
from agents.providers.keys import KeyUnreadable
from agents.providers.models import Provider
from agents.snapshot import processors_by_level
from history.core.settings.resolved import Settings
from history.core.stages.processors import parse_levels
from history.core.words.errors import SettingErrors
from history.wording.deciding.sources import source_name
from history.wording.faults import word_faults
from history.wording.settings import reason_of


def check_environment(**options: Any) -> list[checks.Warning]:
    """Warn of environment settings that contradict built-in values. If they contradict each other,
    the server does not start at all.
    """
    return [checks.Warning(sentence, id="agents.W001") for sentence in of_environment()]


def check_templates(databases: Sequence[str] | None = None, **options: Any) -> list[checks.Warning]:
    if "default" not in (databases or ()):
        return []
    try:
        templates, site = list(AgentTemplate.objects.all()), SiteDefaults.objects.first()
        networks = list(Network.objects.all())
        providers = list(Provider.objects.all())
    except DatabaseError:
        return []  # Nothing can be checked before the tables exist with all columns.
    warnings = [warning for template in templates for warning in _check(template, site)]
    warnings += [warning for network in networks for warning in _check_network(network)]
    return warnings + [warning for provider in providers for warning in _check_provider(provider)]


def _check(template: AgentTemplate, site: SiteDefaults | None) -> Iterator[checks.Warning]:
    output = Output.of(template)
    settings = for_template(template_layer(template), site_layer(site), output)
    for sentence in contradictions(settings, output):
        yield checks.Warning(sentence, obj=template, id="agents.W002")
    for sentence in _unusable(template, settings):
        yield checks.Warning(sentence, obj=template, id="agents.W003")


def _check_network(network: Network) -> Iterator[checks.Warning]:
    for sentence in network.faults():
        yield checks.Warning(sentence, obj=network, id="agents.W004")
    try:
        parse_levels({"network": network.processors})
    except SettingErrors as error:
        for message in word_faults(error):
            yield checks.Warning(message, obj=network, id="agents.W004")


def _check_provider(provider: Provider) -> Iterator[checks.Warning]:
    try:
        _key = provider.key
    except KeyUnreadable as unreadable:
        yield checks.Warning(str(unreadable), obj=provider, id="agents.W005")


def _unusable(template: AgentTemplate, settings: Settings) -> Iterator[str]:
    if template.model and (fault := catalogue().fault(template.model)):
        yield f"{template.source}: model={template.model}: {fault}"
    yield from (f"{template.source}: other models: {fault}" for fault in template.model_faults())
    yield from template.faults()
    for _, candidate in settings.invalid:
        yield f"{source_name(candidate)}: {reason_of(candidate)}"
    try:
        parse_levels(processors_by_level(template))
    except SettingErrors as error:
        yield from word_faults(error)
    try:
        check_context(template.context)
    except ContextErrors as error:
        yield from error.messages
