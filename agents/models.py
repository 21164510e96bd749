"""Agent templates and the site's defaults: what an administrator decides."""

from collections.abc import Iterator, Set
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from agents.catalogue import ModelLimits, catalogue
from agents.context import ContextErrors, check_context
from agents.mcp.models import McpServer
from agents.networks.models import list_fault, repeated
from agents.providers import models as _providers  # noqa: F401 -- where Django looks for them
from agents.saving import VersionCounted, check_processors
from agents.tools import TOOLS
from history.core.settings.layers import Layer, validate
from history.core.settings.reduction import STABLE
from history.core.settings.spec import LayerName
from history.core.settings.table import BY_NAME
from history.core.words.errors import SettingErrors
from history.wording.faults import word_faults

USUAL = int(BY_NAME["output_reserve"].default or 0)


class AgentTemplate(VersionCounted):
    """An agent: its model, prompt and history settings. Each save of it is a version.

    `arriving` are slugs of agents saved together with it, to which it may already delegate.
    """

    arriving: Set[str] = frozenset()

    slug = models.SlugField(
        _("slug"), unique=True, help_text=_("Its name in the address, as in /chat?agent=...")
    )
    name = models.CharField(_("name"), max_length=80)
    description = models.CharField(_("description"), max_length=200, blank=True)
    model = models.CharField(
        _("model"),
        max_length=120,
        blank=True,
        help_text=_("With its provider, such as openai/gpt-4o. Empty: the server's default model."),
    )
    allowed_models = models.JSONField(
        _("other models"),
        default=list,
        blank=True,
        help_text=_("Models that a chat may use instead."),
    )
    system_prompt = models.TextField(_("system prompt"), blank=True)
    temperature = models.FloatField(
        _("temperature"),
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(2)],
    )
    output_limit = models.PositiveIntegerField(
        _("output limit"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Maximum tokens per answer."),
    )
    tools = models.JSONField(_("tools"), default=list, blank=True)
    asks = models.JSONField(
        _("can delegate to"),
        default=list,
        blank=True,
        help_text=_("Agents this agent may delegate to."),
    )
    history_settings = models.JSONField(_("history settings"), default=dict, blank=True)
    processors = models.JSONField(_("processors"), default=list, blank=True)
    context = models.JSONField(_("context"), default=list, blank=True)
    starters = models.TextField(
        _("starters"), blank=True, help_text=_("Suggested first messages, one per line.")
    )
    prompt_is_public = models.BooleanField(
        _("show the prompt to users"),
        default=False,
        help_text=_("People who chat with this agent can read its system prompt."),
    )
    enabled = models.BooleanField(
        _("enabled"), default=True, help_text=_("Available for new chats.")
    )

    versions = HistoricalRecords(excluded_fields=["changed"])

    class Meta:
        ordering = ["name"]
        verbose_name = _("agent template")
        verbose_name_plural = _("agent templates")

    def __str__(self) -> str:
        return self.name

    @property
    def source(self) -> str:
        """The name of this template as a source of settings."""
        return f"agent {self.slug} v{self.version}"

    def clean(self) -> None:
        if self.model and (fault := catalogue().fault(self.model)):
            raise ValidationError({"model": f"{self.model}: {fault}"})
        if faults := list(self.model_faults()):
            raise ValidationError({"allowed_models": faults})
        _check_history_settings(LayerName.TEMPLATE, self.history_settings)
        check_processors("agent", self.processors)
        _check_context(self.context)
        servers = {server.selection for server in McpServer.objects.only("slug")}
        if unknown := set(self.tools) - set(TOOLS) - servers:
            names = ", ".join(sorted(unknown))
            raise ValidationError({"tools": _("Unknown tools: {names}.").format(names=names)})
        if faults := list(self.faults()):
            raise ValidationError({"asks": faults})

    def model_faults(self) -> Iterator[str]:
        """Yield the reasons why chats cannot use some of the agent's other models."""
        names = self.allowed_models
        if fault := models_fault(names):
            yield fault
            return
        for name in names:
            if fault := catalogue().fault(name):
                yield f"{name}: {fault}"

    def faults(self) -> Iterator[str]:
        """Yield the reasons why the agent cannot delegate to some agents."""
        if fault := list_fault(self.asks):
            yield fault
            return
        if self.slug in self.asks:
            yield _("{agent} cannot delegate to itself.").format(agent=self.slug)
        slugs = AgentTemplate.objects.filter(slug__in=self.asks).values_list("slug", flat=True)
        if gone := sorted({*self.asks} - {*slugs, *self.arriving, self.slug}):
            yield _("Unknown agents: {names}.").format(names=", ".join(gone))


def models_fault(names: object) -> str:
    """Say why these are not names of models, each listed once; empty if they are."""
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        return str(_("Must be a list of model names."))
    return repeated(names)


class SiteDefaults(models.Model):
    """The history settings of every agent that does not set its own, in a single row."""

    history_settings = models.JSONField(_("history settings"), default=dict, blank=True)
    processors = models.JSONField(_("processors"), default=list, blank=True)
    changed = models.DateTimeField(_("changed"), auto_now=True)

    versions = HistoricalRecords(excluded_fields=["changed"])

    class Meta:
        verbose_name = verbose_name_plural = _("site defaults")
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="agents_one_site")]

    def __str__(self) -> str:
        return str(_("Site defaults"))

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.pk = 1
        super().save(*args, **kwargs)

    def clean(self) -> None:
        _check_history_settings(LayerName.SITE, self.history_settings)
        check_processors("history", self.processors)


def _check_history_settings(layer: LayerName, values: dict[str, Any]) -> None:
    """Check the settings. Errors name no form field, because the form has one per setting."""
    try:
        validate(layer, values)
    except SettingErrors as error:
        raise ValidationError(word_faults(error)) from error


def _check_context(context: object) -> None:
    try:
        check_context(context)
    except ContextErrors as error:
        raise ValidationError({"context": error.messages}) from error


def template_layer(template: AgentTemplate) -> Layer:
    return Layer(LayerName.TEMPLATE, template.source, template.history_settings)


def site_layer(site: SiteDefaults | None) -> Layer:
    return Layer(LayerName.SITE, "site", site.history_settings if site else {})


def built_in_layer(model: str) -> Layer:
    """Return the catalogue's settings for a model; the table's defaults cover the rest."""
    limits = catalogue().limits(model)
    values: dict[str, Any] = {"context_window": limits.context_window}
    if (most := usual_reserve(limits)) < USUAL:
        values["output_reserve"] = most
    if catalogue().taking_of(model, None).bound_to:
        values["prefix"] = STABLE
    return Layer(LayerName.BUILT_IN, "model catalogue", values)


def usual_reserve(limits: ModelLimits) -> int:
    """Return the default reserve: at most the model's output limit, and at most half its window."""
    return min(USUAL, limits.max_output or USUAL, (limits.context_window or 2 * USUAL) // 2)
