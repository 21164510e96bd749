"""The administration's pages on providers: how to reach one, and whether its model answers."""

from typing import Any
from urllib.parse import urlsplit

from asgiref.sync import async_to_sync
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from agents.changes import GuardedAdmin
from agents.choice import agents_with
from agents.form_parts.typed import TypedAdmin
from agents.providers.addresses import AddressRefused, address_parts
from agents.providers.forms import ProviderForm
from agents.providers.keys import KeyUnreadable
from agents.providers.models import Provider
from chatapp.databases.threads import give_back
from chatapp.inspector.raw.wire import page_of
from chatapp.limits.limits import provider_tries
from chatapp.limits.spending import TooMany, spend
from chatapp.llm.providers.connection import outranks
from chatapp.llm.providers.listing import Listing, listing_of
from chatapp.llm.providers.trial import Trial, try_model
from history.services.access import actor_of
from history.services.explain.raw.wire import shown_outgoing

RISK = _(
    "Everything said in a chat with a provider's model is sent to its address. Whoever may change "
    "this page decides where that is."
)

NOT_USED = _(
    "The environment already defines a provider with this name, so this page has no effect until "
    "those variables are removed. A trial uses them, too."
)
SAID = ("in_effect", "agents")  # What the page says, and nobody can change.
FIRST = ("slug", "protocol", "enabled", "reasoning_back", *SAID)
TESTED = ("protocol", "address", "key")  # The fields that decide about a connection.


class TrialForm(forms.Form):
    model = forms.CharField(
        label=_("Model"),
        max_length=100,
        help_text=_("The model's name at the provider, without the provider's prefix."),
        widget=forms.TextInput({"autofocus": True, "spellcheck": "false"}),
    )


class ProviderAdmin(TypedAdmin, GuardedAdmin):
    """The form for a provider. It accepts a new key, but never shows the stored one."""

    form = ProviderForm
    list_display = ("slug", "protocol", "address", "has_key", "enabled", *SAID)
    search_fields = ("slug", "address")
    readonly_fields = SAID
    fieldsets = (
        (None, {"fields": FIRST, "description": RISK}),
        (_("Connection"), {"fields": ("address", "key", "forget_key")}),
    )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show people who may only look whether there is a key, instead of the fields to set it."""
        (first, (title, connection)) = self.fieldsets
        fields = (
            ("address", "key", "forget_key") if obj and obj.encrypted_key else ("address", "key")
        )
        if obj and not self.has_change_permission(request, obj):
            fields = ("address", "has_key")
        note = NOT_USED if obj and outranks(obj.slug) else ""
        return (first, (title, {**connection, "fields": fields, "description": note}))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return ("slug", "protocol", "has_key", *SAID) if obj else ("has_key", *SAID)

    def get_urls(self) -> list[Any]:
        trying = self.admin_site.admin_view(self.try_model)
        testing = self.admin_site.admin_view(self.test_connection)
        own = [
            path("<int:pk>/try/", trying, name="agents_provider_try"),
            path("test/", testing, name="agents_provider_test"),
            path("<int:pk>/test/", testing, name="agents_provider_test"),
        ]
        return [*own, *super().get_urls()]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Save the provider, and warn if it can't answer yet: its key may come later."""
        super().save_model(request, obj, form, change)
        if obj.needs_key and not obj.encrypted_key and not outranks(obj.slug):
            sentence = _("{host} needs a key: until one is saved here, {slug} can't answer.")
            warning = str(sentence).format(host=urlsplit(obj.base_url).hostname, slug=obj.slug)
            self.message_user(request, warning, messages.WARNING)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        original = context.get("original")
        context["adminform"].form.ask_for_key_again()
        if self.may_save(request, original):
            pk = [original.pk] if original else []
            context["test_url"] = reverse("admin:agents_provider_test", args=pk)
        return super().render_change_form(request, context, *args, **kwargs)

    @method_decorator(sensitive_post_parameters("key"))
    def changeform_view(self, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().changeform_view(*args, **kwargs)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        context = {"named": list(settings.PROVIDERS.items())}
        return super().changelist_view(request, (extra_context or {}) | context)

    @admin.display(boolean=True, description=_("key"))
    def has_key(self, provider: Provider) -> bool:
        return bool(provider.encrypted_key)

    @admin.display(description=_("agents"))
    def agents(self, provider: Provider) -> str:
        """Name the agents that would lose a model if the provider were deleted."""
        return ", ".join(map(str, agents_with(provider.slug))) or str(_("none"))

    @admin.display(description=_("in effect"))
    def in_effect(self, provider: Provider) -> str:
        """Say whether the environment's provider of the same name is used instead."""
        if not provider.pk:
            return str(_("not saved yet"))
        if variables := outranks(provider.slug):
            sentence = _("No: overridden by {variables} in the environment.")
            return str(sentence).format(variables=", ".join(variables))
        return str(_("Yes") if provider.enabled else _("No: disabled."))

    @method_decorator(sensitive_post_parameters("key"))
    def test_connection(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Ask the provider for its models, with the form's values; nothing is stored."""
        _stored, form = self.typed_form(request, pk)
        headers, status = {}, 200
        try:
            spend((provider_tries(), actor_of(request).person, 1))  # The form looks up the host.
            listing = _listing(form)
        except TooMany as refused:
            listing, status = Listing(str(refused)), 429
            headers["Retry-After"] = str(refused.seconds)
        return TemplateResponse(
            request,
            "admin/agents/provider/listing.html",
            {"listing": listing, "slug": form.instance.slug},
            status=status,
            headers=headers,
        )

    def try_model(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send one request to a model of this provider, and show the answer or the error."""
        provider = self.get_object(request, str(pk))
        if provider is None or not self.has_change_permission(request, provider):
            raise PermissionDenied
        form = TrialForm(request.POST or None)
        context = {**self.admin_site.each_context(request), "opts": self.opts, "form": form}
        context |= {"original": provider, "title": _("Try a model")}
        context["in_effect"] = self.in_effect(provider)
        context["variables"] = ", ".join(outranks(provider.slug))
        status = 200
        if request.method == "POST" and form.is_valid():
            model = f"{provider.slug}/{form.cleaned_data['model']}"
            try:
                trial = _tried(request, model)
                wire = page_of(shown_outgoing(trial.outgoing), model)
                context |= {"trial": trial, "page": wire}
            except TooMany as refused:
                context["trial"], status = Trial("", str(refused), 0), 429
        page = "admin/agents/provider/try.html"
        return TemplateResponse(request, page, context, status=status)


def _tried(request: HttpRequest, model: str) -> Trial:
    spend((provider_tries(), actor_of(request).person, 1))
    give_back()
    return async_to_sync(try_model)(model)


@sensitive_variables("key")
def _listing(form: Any) -> Listing:
    """Test the form's values, with the typed key or, for the same address, the stored one."""
    give_back()  # Checking the form may take long, because it looks up the host.
    form.is_valid()
    provider: Provider = form.instance
    for name in TESTED:
        for sentence in form.errors.get(name, ()):
            return Listing(sentence)
    try:
        address_parts(provider.base_url)  # The request itself checks where the host is.
        key = form.cleaned_data.get("key") or ("" if form.forgets_key else provider.key)
    except (AddressRefused, KeyUnreadable) as refused:
        return Listing(str(refused))
    give_back()
    return async_to_sync(listing_of)(provider.protocol, provider.base_url, key)
