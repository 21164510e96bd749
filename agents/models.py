"""Agent templates and the site's defaults: what an administrator decides."""

from collections.abc import Iterator, Set
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from simple_history.models import HistoricalRecords

from agents.context import ContextErrors, check_context
from agents.mcp.models import McpServer
from agents.networks.models import Network, is_list_of_slugs
from agents.saving import VersionCounted, check_model, check_processors
from agents.tools import TOOLS
from history.core.settings.resolution import LayerName, SettingErrors, validate

__all__ = ["AgentTemplate", "McpServer", "Network", "SiteDefaults"]


class AgentTemplate(VersionCounted):
    """Who answers, with which model, prompt and history settings. Every save is a version.

    `arriving` are slugs that are saved together with it: it may ask them as if they were there.
    """

    arriving: Set[str] = frozenset()

    slug = models.SlugField(unique=True, help_text="Its name in /chat?agent=...")
    name = models.CharField(max_length=80)
    description = models.CharField(max_length=200, blank=True)
    model = models.CharField(
        max_length=120,
        blank=True,
        help_text="As litellm names it, e.g. openai/gpt-4o. Empty: DEFAULT_MODEL.",
    )
    system_prompt = models.TextField(blank=True)
    temperature = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(2)]
    )
    output_limit = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text="Tokens per answer."
    )
    tools = models.JSONField(default=list, blank=True)
    asks = models.JSONField(
        default=list, blank=True, help_text="Agents that it may ask to do a task."
    )
    history_settings = models.JSONField(default=dict, blank=True)
    processors = models.JSONField(default=list, blank=True)
    context = models.JSONField(default=list, blank=True)
    starters = models.TextField(blank=True, help_text="Suggested first messages, one a line.")
    prompt_is_public = models.BooleanField(
        default=False, help_text="Owners of a conversation may read the system prompt."
    )
    enabled = models.BooleanField(default=True, help_text="Offered for new conversations.")

    versions = HistoricalRecords(excluded_fields=["changed"])

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def source(self) -> str:
        """How a setting names this template as where it came from."""
        return f"template {self.slug} v{self.version}"

    def clean(self) -> None:
        check_model(self.model)
        _check_history_settings(LayerName.TEMPLATE, self.history_settings)
        check_processors("agent", self.processors)
        _check_context(self.context)
        servers = {server.selection for server in McpServer.objects.only("slug")}
        if unknown := set(self.tools) - set(TOOLS) - servers:
            raise ValidationError({"tools": f"No such tool: {', '.join(sorted(unknown))}"})
        if faults := list(self.faults()):
            raise ValidationError({"asks": faults})

    def faults(self) -> Iterator[str]:
        """Why the agents that it may ask cannot be asked."""
        if self.asks and not is_list_of_slugs(self.asks):
            yield "must be a list of agents' slugs, each once."
            return
        if self.slug in self.asks:
            yield f"{self.slug} cannot ask itself."
        known = AgentTemplate.objects.filter(slug__in=self.asks).values_list("slug", flat=True)
        if gone := sorted({*self.asks} - {*known, *self.arriving, self.slug}):
            yield f"No such agent: {', '.join(gone)}"


class SiteDefaults(models.Model):
    """One row: the history settings of every agent that does not set its own."""

    history_settings = models.JSONField(default=dict, blank=True)
    processors = models.JSONField(default=list, blank=True)
    changed = models.DateTimeField(auto_now=True)

    versions = HistoricalRecords(excluded_fields=["changed"])

    class Meta:
        verbose_name = verbose_name_plural = "site defaults"
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="agents_one_site")]

    def __str__(self) -> str:
        return "Site defaults"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = 1
        super().save(*args, **kwargs)

    def clean(self) -> None:
        _check_history_settings(LayerName.SITE, self.history_settings)
        check_processors("history", self.processors)


def _check_history_settings(layer: LayerName, values: dict[str, Any]) -> None:
    """Not tied to the field `history_settings`: the admin form shows one field per setting."""
    try:
        validate(layer, values)
    except SettingErrors as error:
        raise ValidationError(list(error.messages)) from error


def _check_context(context: object) -> None:
    try:
        check_context(context)
    except ContextErrors as error:
        raise ValidationError({"context": error.messages}) from error
