"""Providers and known models, as an administrator enters them."""

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agents.providers.addresses import AddressRefused, check_address
from agents.providers.keys import decrypted, encrypted
from agents.providers.protocols import PROTOCOLS, WITHOUT_REASONING, SlugFault, slug_fault

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SLUG_FAULTS = {
    SlugFault.FORM: _(
        "Use lower-case letters, digits, hyphens and underscores, starting with a letter."
    ),
    SlugFault.TAKEN: _("The name {slug} is already taken. Choose another."),
}


class Provider(models.Model):
    """A provider, which answers for models called `slug/model`. The environment's provider of the
    same name outranks it.

    Its key is stored encrypted and never shown; it works only for this slug and address.
    """

    slug = models.CharField(
        _("name"),
        max_length=30,
        unique=True,
        help_text=_(
            "How agents' models begin: with the name “work”, a model is work/gpt-5. Lower-case "
            "letters, digits, - and _. It can't be changed later."
        ),
    )
    protocol = models.CharField(
        _("protocol"),
        max_length=20,
        choices=[(each.name, each.label) for each in PROTOCOLS.values()],
        default="openai",
    )
    address = models.CharField(
        _("address"),
        max_length=300,
        blank=True,
        help_text=_("For example https://llm.example.org/v1. Empty: the protocol's own."),
    )
    reasoning_back = models.BooleanField(
        _("send reasoning back"),
        default=True,
        help_text=_("Turn it off if the server refuses messages with earlier reasoning in them."),
    )
    encrypted_key = models.TextField(blank=True, editable=False)
    enabled = models.BooleanField(_("enabled"), default=True)
    changed = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        ordering = ["slug"]
        verbose_name = _("model provider")
        verbose_name_plural = _("model providers")

    def __str__(self) -> str:
        return self.slug

    @property
    def base_url(self) -> str:
        return self.address or PROTOCOLS[self.protocol].address

    @property
    def needs_key(self) -> bool:
        """Whether it is the server of the protocol's maker; another one may need no key."""
        return PROTOCOLS[self.protocol].is_makers(self.address)

    @property
    def key(self) -> str:
        """The decrypted key, for a call only; empty if there is none. Raise `KeyUnreadable`."""
        if not self.encrypted_key:
            return ""
        return decrypted(self.encrypted_key, self.slug, self.base_url)

    def set_key(self, key: str) -> None:
        self.encrypted_key = encrypted(key, self.slug, self.base_url) if key else ""

    def clean(self) -> None:
        faults = {
            "slug": self._slug_fault(),
            "reasoning_back": self._reasoning_fault(),
            "address": self._address_fault(),
        }
        if errors := {field: sentence for field, sentence in faults.items() if sentence}:
            raise ValidationError(errors)

    def _slug_fault(self) -> str:
        fault = slug_fault(self.slug, self.protocol) if self.slug else None
        return SLUG_FAULTS[fault].format(slug=self.slug) if fault else ""

    def _reasoning_fault(self) -> str:
        if self.reasoning_back or self.protocol in WITHOUT_REASONING:
            return ""
        labels = ", ".join(f"“{PROTOCOLS[name].label}”" for name in WITHOUT_REASONING)
        return gettext("This can be off only for these protocols: {labels}. Turn it on.").format(
            labels=labels
        )

    def _address_fault(self) -> str:
        if not self.base_url:
            return gettext("This protocol needs an address.")
        try:
            check_address(self.base_url)
        except AddressRefused as refused:
            return str(refused)
        return ""


def _price(name: "StrOrPromise") -> models.DecimalField:
    return models.DecimalField(
        name,
        max_digits=12,
        decimal_places=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text=_("US dollars per million tokens."),
    )


def _tokens(name: "StrOrPromise") -> models.PositiveIntegerField:
    return models.PositiveIntegerField(
        name, null=True, blank=True, validators=[MinValueValidator(1)], help_text=_("In tokens.")
    )


class KnownModel(models.Model):
    """An administrator's facts on a model. Fields that are not empty outrank the catalogue."""

    name = models.CharField(
        _("name"), max_length=120, unique=True, help_text=_("As agents name it: provider/model.")
    )
    context_window = _tokens(_("context window"))
    max_output = _tokens(_("longest answer"))
    input_price = _price(_("price of input"))
    output_price = _price(_("price of output"))
    cache_read_price = _price(_("price of cache reads"))
    cache_write_price = _price(_("price of cache writes"))
    images = models.BooleanField(_("takes images"), null=True, blank=True)
    reasoning = models.BooleanField(_("reasons"), null=True, blank=True)
    tools = models.BooleanField(_("calls tools"), null=True, blank=True)

    class Meta:
        ordering = ["name"]
        verbose_name = _("known model")
        verbose_name_plural = _("known models")

    def __str__(self) -> str:
        return self.name
